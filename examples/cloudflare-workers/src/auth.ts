import { betterAuth } from "better-auth";
import { createTenantHandler, runWithTenant } from "better-auth-tenants";
import { createOptions, type Env } from "./options.ts";

/** Better Auth, and what the pages read with it. */
export const createAuth = (env: Env) => {
	const auth = betterAuth(createOptions(env, env.DB));
	const platform = new URL(env.BASE_URL);
	return {
		api: auth.api,
		handler: createTenantHandler(auth),
		/** Returns the tenant of a request, by its host. Returns null on the platform, and throws a 404 on a host of nobody. */
		tenantOf: (headers: Headers) => auth.api.getCurrentTenant({ headers }),
		/** Lists the users of one tenant. Everything that Better Auth reads inside `runWithTenant` belongs to that tenant. */
		listUsers: async (tenantId: string) => {
			const { internalAdapter } = await auth.$context;
			return runWithTenant(tenantId, () => internalAdapter.listUsers(100));
		},
		/** Returns a tenant's address: `http://acme.localhost:3000`. */
		addressOf: (slug: string): string => `${platform.protocol}//${slug}.${platform.host}`,
	};
};

export type Auth = ReturnType<typeof createAuth>;
export type Tenant = NonNullable<Awaited<ReturnType<Auth["tenantOf"]>>>;
export type User = Awaited<ReturnType<Auth["listUsers"]>>[number];

let created: Auth | undefined;

/** Created at the first request, because Workers allow no input and output before. */
export const authOf = (env: Env): Auth => {
	created ??= createAuth(env);
	return created;
};
