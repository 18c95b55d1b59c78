import { sha256, sha256Beginning } from "../sha256.ts";
import { type Setting, settingsOf } from "./provider-settings.ts";

/**
 * Who names people: the server or realm behind a provider. Null is the provider's own well-known one. With another
 * authority the same subject is another person, whatever the provider is called.
 */
export type Authority = string | null;

/** Whether a tenant named a server that it may run itself. */
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
		// what the provider does without the setting is the same authority
		.filter(([name, value]) => otherwiseOf(described?.settings[name]) !== value)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return given.length === 0 ? null : JSON.stringify(given);
};

const otherwiseOf = (setting: Setting | undefined): unknown =>
	setting && "otherwise" in setting ? setting.otherwise : undefined;

const MARK = /@[0-9a-f]{32}$/i;

const fingerprint = async (authority: string): Promise<string> => sha256Beginning(await sha256(authority), 16);

/** The account id of a subject: it says its authority, so that a tenant's own server cannot name another server's people. */
export const accountIdOf = async (subject: string, authority: Authority): Promise<string> => {
	if (authority === null) {
		if (MARK.test(subject)) throw new Error("The provider names its account like another authority's");
		return subject;
	}
	return `${subject}@${await fingerprint(authority)}`;
};

/** Whether an account was named by this authority. */
export const isAccountOf = async (accountId: string, authority: Authority): Promise<boolean> => {
	const mark = accountId.match(MARK)?.[0] ?? null;
	return authority === null ? mark === null : mark === `@${await fingerprint(authority)}`;
};

const DIRECTORY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What a provider calls itself in its answers (RFC 9207), where that is certain. The engine compares it with the `iss` of a
 * callback before it redeems the code, but knows it of no built-in provider.
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
