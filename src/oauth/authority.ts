import { PROVIDER_SETTINGS, type ProviderSettings } from "./provider-settings.ts";

/**
 * Who names people: the server or realm behind a provider. Null is the provider's own well-known one. With another
 * authority the same subject is another person, whatever the provider is called.
 */
export type Authority = string | null;

/** Whether a tenant named a server that it may run itself. */
export const namesOwnServer = (providerId: string, options: Record<string, unknown>): boolean => {
	const known: Record<string, ProviderSettings> = PROVIDER_SETTINGS;
	const settings: ProviderSettings["settings"] = known[providerId]?.settings ?? {};
	return Object.entries(options).some(([name, value]) => {
		const setting = settings[name];
		if (setting?.kind !== "host") return false;
		const host = URL.parse(String(value).includes("://") ? String(value) : `https://${value}`)?.hostname ?? "";
		return !setting.servedBy?.test(host);
	});
};

export const authorityOf = (providerId: string, options: object | undefined): Authority => {
	const known: Record<string, { authority: string[] }> = PROVIDER_SETTINGS;
	const named = (Object.hasOwn(known, providerId) ? known[providerId]?.authority : undefined) ?? [];
	const given = Object.entries(options ?? {})
		.filter(([name, value]) => named.includes(name) && value !== undefined && value !== null)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return given.length === 0 ? null : JSON.stringify(given);
};

const MARK = /@[0-9a-f]{16}$/;

const fingerprint = async (authority: string): Promise<string> => {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(authority));
	return [...new Uint8Array(digest).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

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
