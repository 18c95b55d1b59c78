import { betterAuth } from "better-auth";
import { createTenantHandler, PLATFORM, runWithTenant } from "better-auth-tenants";
import { createOptions, type Env } from "./options.ts";

/** Better Auth, and what the pages read with it. */
export const createAuth = (env: Env) => {
	const auth = betterAuth(createOptions(env, env.DB));
	const platform = new URL(env.BASE_URL);
	return {
		api: auth.api,
		handler: createTenantHandler(auth),
		/** Returns the tenant of a request, by its host. Returns null on the platform, and throws a 404 on a host of nobody. */
		tenantOf: async (headers: Headers) => {
			const id = await auth.api.getCurrentTenantId({ headers });
			return id === null || id === PLATFORM ? null : auth.api.getTenant({ query: { id } });
		},
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
