import { getCookieCache, getSessionCookie } from "better-auth/cookies";
import { valueOfSigned } from "./engine/signed-value.ts";
import { PLATFORM } from "./scope/platform.ts";
import { deriveTenantSecret } from "./scope/secrets.ts";
import { readTag } from "./scope/tag.ts";

type EngineConfig = NonNullable<Parameters<typeof getCookieCache>[1]>;
type CachedSession = NonNullable<Awaited<ReturnType<typeof getCookieCache>>>;
/** As the engine's own reader takes it; the secret is the engine's, not a tenant's. */
export type TenantCookieCacheConfig = Omit<EngineConfig, "secret"> & { secret: string };

/**
 * The engine's `getCookieCache`, for middleware that reads the session without asking the server. It opens the cache with
 * the secret of the tenant that the session token names, and believes it only if it is that token's: the engine's own
 * reader takes one tenant's data beside another's token.
 *
 * Says who signed in some minutes ago, not who is signed in now: show pages by it, do not grant anything.
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
