import { getCookieCache, getSessionCookie } from "better-auth/cookies";
import { valueOfSigned } from "./engine/signed-value.ts";
import { PLATFORM } from "./scope/platform.ts";
import { deriveTenantSecret } from "./scope/secrets.ts";
import { readTag } from "./scope/tag.ts";

type EngineConfig = NonNullable<Parameters<typeof getCookieCache>[1]>;
type CachedSession = NonNullable<Awaited<ReturnType<typeof getCookieCache>>>;
/** The same options as `getCookieCache`. `secret` is Better Auth's secret, not a tenant's. */
export type TenantCookieCacheConfig = Omit<EngineConfig, "secret"> & { secret: string };

/**
 * Better Auth's `getCookieCache` for tenants: reads the session from the cookie cache in middleware, without a request
 * to the server. Verifies the cache with the secret of the session token's tenant, and requires that it belongs to that
 * token. The original `getCookieCache` would accept one tenant's cache with another tenant's token.
 *
 * The cache can be minutes old, so the session may have ended. Use it to choose what a page shows, not to grant access.
 */
export const getTenantCookieCache = async (
	request: Request | Headers,
	{ secret, ...config }: TenantCookieCacheConfig,
): Promise<(CachedSession & { tenantId: string }) | null> => {
	const signed = getSessionCookie(request, config.cookiePrefix ? { cookiePrefix: config.cookiePrefix } : undefined);
	const token = signed ? valueOfSigned(signed) : undefined;
	const tenantId = token ? readTag(token)?.tenantId : undefined;
	if (!tenantId) return null;
	const cached = await getCookieCache(request, {
		...config,
		secret: tenantId === PLATFORM ? secret : await deriveTenantSecret(secret, tenantId),
	});
	const session: Record<string, unknown> | undefined = cached?.session;
	if (!cached || session?.token !== token || session?.tenantId !== tenantId) return null;
	return { ...cached, tenantId };
};
