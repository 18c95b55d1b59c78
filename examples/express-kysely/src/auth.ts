import { betterAuth } from "better-auth";
import { PLATFORM } from "better-auth-tenants";
import { options, platform } from "./options.ts";

export const auth = betterAuth(options);

export type Tenant = NonNullable<Awaited<ReturnType<typeof tenantOf>>>;

/** Returns the tenant of a request, by its host. Returns null on the platform, and throws a 404 on a host of nobody. */
export const tenantOf = async (headers: Headers) => {
	const id = await auth.api.getCurrentTenantId({ headers });
	return id === null || id === PLATFORM ? null : auth.api.getTenant({ query: { id } });
};

/** Returns the platform's address with the tenant's slug in front: `http://acme.localhost:3000`. */
export const addressOf = (slug: string): string => `${platform.protocol}//${slug}.${platform.host}`;
