import { sha256, sha256Beginning } from "../../lib/sha256.ts";
import { type Setting, settingsOf } from "./provider-settings.ts";

/**
 * The server or realm that assigns account ids for a provider. Null is the provider's well-known server. The same
 * subject at two authorities means two different users, even if the provider id is the same.
 */
export type Authority = string | null;

/** Whether the options name a server that the tenant could run itself. */
export const namesOwnServer = (providerId: string, options: Record<string, unknown>): boolean => {
	const settings = settingsOf(providerId)?.settings ?? {};
	return Object.entries(options).some(([name, value]) => {
		const setting = settings[name];
		if (setting?.kind !== "host") return false;
		const host = URL.parse(String(value).includes("://") ? String(value) : `https://${value}`)?.hostname ?? "";
		return !setting.servedBy?.test(host);
	});
};

export const authorityOf = (providerId: string, options: object | undefined): Authority => {
	const described = settingsOf(providerId);
	const named = described?.authority ?? [];
	const given = Object.entries(options ?? {})
		.filter(([name, value]) => named.includes(name) && value !== undefined && value !== null)
		// a setting with its default value is the same authority as no setting
		.filter(([name, value]) => otherwiseOf(described?.settings[name]) !== value)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return given.length === 0 ? null : JSON.stringify(given);
};

/** The engine's default options where they differ from this package's defaults. */
const engineDefaultsOf = (providerId: string): Record<string, string> =>
	providerId === "paypal" ? { environment: "sandbox" } : {};

/** The authority of the application's own provider. */
export const globalAuthorityOf = (providerId: string, options: object | undefined): Authority =>
	authorityOf(providerId, { ...engineDefaultsOf(providerId), ...options });

/** Compares a tenant's options with those of the application's provider. */
export const compareAuthority = (
	providerId: string,
	options: Record<string, unknown>,
	global: object | undefined,
): { authority: Authority; isOwnAuthority: boolean; isOwnServer: boolean } => {
	const authority = authorityOf(providerId, options);
	const isOwnAuthority = authority !== null && authority !== globalAuthorityOf(providerId, global);
	return { authority, isOwnAuthority, isOwnServer: isOwnAuthority && namesOwnServer(providerId, options) };
};

const otherwiseOf = (setting: Setting | undefined): unknown =>
	setting && "otherwise" in setting ? setting.otherwise : undefined;

const MARK = /@[0-9a-f]{32}$/i;

const fingerprint = async (authority: string): Promise<string> => sha256Beginning(await sha256(authority), 16);

/**
 * The account id of a subject. It contains the authority, so a tenant's own server cannot claim users of another
 * server.
 */
export const accountIdOf = async (subject: string, authority: Authority): Promise<string> => {
	if (authority === null) {
		if (MARK.test(subject)) throw new Error("The provider's account id looks like one of another authority");
		return subject;
	}
	return `${subject}@${await fingerprint(authority)}`;
};

/** Whether this authority assigned the account id. */
export const isAccountOf = async (accountId: string, authority: Authority): Promise<boolean> => {
	const mark = accountId.match(MARK)?.[0] ?? null;
	return authority === null ? mark === null : mark === `@${await fingerprint(authority)}`;
};

const DIRECTORY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The issuer that a provider sends in its callbacks (RFC 9207), where it is known. The engine compares it with the `iss`
 * parameter before it redeems the code, but sets no issuer for built-in providers.
 */
export const issuerOf = (providerId: string, options: object | undefined): string | undefined => {
	const { issuer, authority, tenantId } = (options ?? {}) as Record<string, unknown>;
	if (providerId === "google") return "https://accounts.google.com";
	if (providerId === "gitlab") return typeof issuer === "string" ? issuer : "https://gitlab.com";
	if (providerId === "microsoft" && typeof tenantId === "string" && DIRECTORY_ID.test(tenantId)) {
		return `${authority ?? "https://login.microsoftonline.com"}/${tenantId}/v2.0`;
	}
	return undefined;
};
