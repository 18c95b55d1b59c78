type Settings = Record<string, unknown>;

const KEYS = ["privateKey", "privateKeyPass", "encPrivateKey", "encPrivateKeyPass"];

/** Removes the secrets from a provider's settings. */
export const withoutSecrets = <Row extends Settings>(row: Row): Row => {
	const { oidcConfig, samlConfig } = row;
	return {
		...row,
		...(typeof oidcConfig === "string"
			? { oidcConfig: JSON.stringify(drop(parse(oidcConfig), ["clientSecret"])) }
			: {}),
		...(typeof samlConfig === "string" ? { samlConfig: JSON.stringify(withoutKeys(parse(samlConfig))) } : {}),
	};
};

/**
 * The settings that define the identity provider and how its responses are read. Secrets, scopes and PKCE are left out.
 */
export const identitySettings = (config: unknown): string => {
	if (typeof config !== "string") return "";
	const settings = drop(withoutKeys(parse(config)), ["clientSecret", "scopes", "pkce"]);
	return JSON.stringify(Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1)));
};

const withoutKeys = (config: Settings): Settings => ({
	...drop(config, KEYS),
	...(isSettings(config.idpMetadata) ? { idpMetadata: drop(config.idpMetadata, KEYS) } : {}),
	...(isSettings(config.spMetadata) ? { spMetadata: drop(config.spMetadata, KEYS) } : {}),
});

const drop = (settings: Settings, names: string[]): Settings =>
	Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));

const parse = (json: string): Settings => JSON.parse(json) as Settings;

const isSettings = (value: unknown): value is Settings =>
	typeof value === "object" && value !== null && !Array.isArray(value);
