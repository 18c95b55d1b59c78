import { betterAuth } from "better-auth";
import { options, platform } from "./options.ts";

export const auth = betterAuth(options);

export type Tenant = NonNullable<Awaited<ReturnType<typeof tenantOf>>>;

/** Returns the tenant of a request, by its host. Returns null on the platform, and throws a 404 on a host of nobody. */
export const tenantOf = (headers: Headers) => auth.api.getCurrentTenant({ headers });

/** Returns the platform's address with the tenant's slug in front: `http://acme.localhost:3000`. */
export const addressOf = (slug: string): string => `${platform.protocol}//${slug}.${platform.host}`;
