import { getTenantCookieCache, type TenantCookieCacheConfig } from "better-auth-tenants/cookies";
import { same } from "./same.ts";

const config: TenantCookieCacheConfig = { secret: ["the new secret", "the old secret"], cookiePrefix: "app" };
// @ts-expect-error the secret is required
export const missing: TenantCookieCacheConfig = { cookiePrefix: "app" };

export const readTenant = async (request: Request) => {
	const cached = await getTenantCookieCache(request, config);
	same<NonNullable<typeof cached>["tenantId"], string>(true);
	return cached?.user.email;
};
