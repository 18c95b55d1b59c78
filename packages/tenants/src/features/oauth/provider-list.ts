import { PROVIDER_SETTINGS, type ProviderSettings, type Setting } from "./provider-settings.ts";

/**
 * One field of `options` in an OAuth config.
 *
 * @example
 * ```ts
 * const labelOf = ({ name, required }: OauthProviderOption) => (required ? `${name} *` : name);
 * ```
 */
export type OauthProviderOption = {
	/** The key in `options`. */
	name: string;
	/** What it is, in Markdown. */
	description: string;
	/** Whether the provider does not work without it. */
	required: boolean;
	/** `flag`: true or false. `one-of`: one of `values`. `text`: matches `pattern`. `host`: a URL or a host name. */
	kind: "flag" | "one-of" | "text" | "host";
	/** The accepted values of `one-of`. */
	values?: readonly string[];
	/** The pattern of `text`, for `new RegExp`. */
	pattern?: string;
	/** What omitting it means, if it is one of the values. */
	default?: string | boolean;
};

/**
 * A provider that tenants can register credentials for, and what a form for them needs besides client id and secret.
 *
 * @example
 * ```ts
 * const titleOf = ({ name, id }: OauthProvider) => `${name} (${id})`;
 * ```
 */
export type OauthProvider = {
	/** The `providerId` of a config. */
	id: keyof typeof PROVIDER_SETTINGS;
	/** The name of the provider, for people. */
	name: string;
	/** Where the callback URL is entered in the provider's console, and what client id and secret are called there. Markdown. */
	console: string;
	/** The fields of `options`. */
	options: readonly OauthProviderOption[];
	/**
	 * Whether an option can name a server of the tenant. The callback URL then ends in the tenant's id, and is known only after
	 * the config is registered.
	 */
	allowsOwnServer: boolean;
	/** Whether sign-ins use PKCE. */
	pkce: boolean;
};

const optionOf = ([name, setting]: [string, Setting]): OauthProviderOption => ({
	name,
	description: setting.says,
	required: setting.required === true,
	kind: setting.kind,
	...(setting.kind === "one-of" ? { values: setting.values } : {}),
	...(setting.kind === "text" ? { pattern: setting.pattern.source } : {}),
	...(setting.otherwise === undefined ? {} : { default: setting.otherwise }),
});

const describe = ([id, provider]: [string, ProviderSettings]): OauthProvider => ({
	id: id as OauthProvider["id"],
	name: provider.name,
	console: provider.console,
	options: Object.entries(provider.settings).map(optionOf),
	allowsOwnServer: Object.values(provider.settings).some(({ kind }) => kind === "host"),
	pkce: provider.pkce,
});

/**
 * Lists the providers that tenants can register credentials for, by name. It is plain data from the table that the server checks
 * configs with, for a form in your console.
 *
 * @example
 * ```ts
 * const names = listOauthProviders().map(({ id, name }) => `${name} (${id})`);
 * ```
 */
export const listOauthProviders = (): OauthProvider[] =>
	Object.entries<ProviderSettings>(PROVIDER_SETTINGS)
		.map(describe)
		.sort((one, other) => one.name.localeCompare(other.name, "en"));
