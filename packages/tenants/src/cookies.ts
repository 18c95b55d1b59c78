import { getCookieCache, getSessionCookie } from "better-auth/cookies";
import { valueOfSigned } from "./engine/signed-value.ts";
import { PLATFORM } from "./scope/pin/platform.ts";
import { readTag } from "./scope/pin/tag.ts";
import { deriveTenantSecret } from "./scope/secrets/secrets.ts";

type EngineConfig = NonNullable<Parameters<typeof getCookieCache>[1]>;
type CachedSession = NonNullable<Awaited<ReturnType<typeof getCookieCache>>>;
/**
 * The configuration of Better Auth's `getCookieCache`, with a required `secret`: the secret of Better Auth, not of a tenant.
 * While you rotate it, pass a list of all configured secrets.
 *
 * @example
 * ```ts
 * const config: TenantCookieCacheConfig = { secret: process.env.BETTER_AUTH_SECRET ?? "" };
 * ```
 */
export type TenantCookieCacheConfig = Omit<EngineConfig, "secret"> & {
	/** The secret of Better Auth, or all configured secrets while you rotate it. Never a tenant's secret. */
	secret: string | readonly string[];
};

/**
 * Reads the session from the cookie cache, for middleware that does not call the server. Like Better Auth's `getCookieCache`,
 * but it opens the cache with the secret of the tenant that the session token names, and returns null unless the cache
 * belongs to that token. Better Auth's own reader accepts the data of one tenant with the token of another.
 *
 * The session may have been revoked since it was cached. Use it to render pages, not to grant access. Costs no query.
 *
 * @example
 * ```ts
 * const session = await getTenantCookieCache(request, { secret: process.env.BETTER_AUTH_SECRET ?? "" });
 * const isSignedIn = session !== null;
 * ```
 */
export const getTenantCookieCache = async (
	request: Request | Headers,
	{ secret, ...config }: TenantCookieCacheConfig,
): Promise<(CachedSession & { tenantId: string }) | null> => {
	const signed = getSessionCookie(request, config.cookiePrefix ? { cookiePrefix: config.cookiePrefix } : undefined);
	const token = signed ? valueOfSigned(signed) : undefined;
	const tenantId = token ? readTag(token)?.tenantId : undefined;
	if (!tenantId) return null;
	const secrets: readonly string[] = typeof secret === "string" ? [secret] : secret;
	for (const one of secrets) {
		const own: string = tenantId === PLATFORM ? one : await deriveTenantSecret(one, tenantId);
		const cached = await getCookieCache(request, { ...config, secret: own });
		const session: Record<string, unknown> | undefined = cached?.session;
		if (cached && session?.token === token && session?.tenantId === tenantId) return { ...cached, tenantId };
	}
	return null;
};
