/**
 * Columns whose change gives someone a way into a tenant, by table. A request that was under way when its tenant was suspended must
 * not change them. Not encrypted columns, which `resealOauthConfigs` also writes in suspended tenants, and not the expiry of
 * sessions.
 */
const WAYS_IN: Record<string, readonly string[]> = {
	user: [
		"email",
		"emailVerified",
		"username",
		"phoneNumber",
		"phoneNumberVerified",
		"role",
		"banned",
		"banExpires",
		"twoFactorEnabled",
	],
	account: ["password", "userId", "accountId"],
	verification: ["identifier", "value", "expiresAt"],
	deviceCode: ["userId", "status"],
	apikey: ["key", "enabled", "expiresAt", "permissions", "referenceId"],
	member: ["role"],
	oauthClient: ["clientSecret", "redirectUris", "disabled"],
};

/** The columns of a table that open a way in, of those that this configuration has. */
export const waysIn = (key: string, fields: Record<string, unknown>): string[] =>
	(WAYS_IN[key] ?? []).filter((field) => field in fields);
