import type { AuthContext } from "@better-auth/core";

/**
 * Complains if an older secret may only decrypt, but Better Auth would open values of a caller with it: those without a
 * version look like stored ones.
 */
export const checkLeakedSecret = (
	{ secret, secretConfig, options, oauthConfig }: AuthContext,
	verifyWithAllSecrets: boolean,
): string[] => {
	const legacy = typeof secretConfig === "string" ? undefined : secretConfig.legacySecret;
	if (verifyWithAllSecrets || !legacy || legacy === secret) return [];
	const { session, account, plugins } = options;
	const opened = [
		session?.cookieCache?.enabled && session.cookieCache.strategy === "jwe"
			? '`session.cookieCache.strategy: "jwe"` (use "compact" or "jwt")'
			: null,
		account?.storeAccountCookie ? "`account.storeAccountCookie`" : null,
		oauthConfig.storeStateStrategy === "cookie" ? '`account.storeStateStrategy: "cookie"` (use "database")' : null,
		plugins?.some(({ id }) => id === "oauth-proxy") ? "the plugin oAuthProxy()" : null,
	].filter((feature) => feature !== null);
	if (opened.length === 0) return [];
	return [
		`\`verifyWithAllSecrets\` is false, but anyone who knows \`secret\` (BETTER_AUTH_SECRET, AUTH_SECRET) could still forge values for ${opened.join(", ")}, because what it encrypts has no version. Unset it after \`reencryptSecrets\`, which you can run in a script with verifyWithAllSecrets: true. Or turn off what is named here until then.`,
	];
};
