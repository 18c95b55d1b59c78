import type { BetterAuthOptions } from "better-auth";
import { tenantAuth } from "better-auth-tenants";
import { fromSubdomain } from "better-auth-tenants/resolvers";

export type Env = { DB: D1Database; BASE_URL: string; BETTER_AUTH_SECRET: string; DEMO_OVERVIEW?: string };

/** The options of Better Auth for one database. Scripts in Node use them, too. */
export const createOptions = (
	env: Pick<Env, "BASE_URL" | "BETTER_AUTH_SECRET">,
	database: BetterAuthOptions["database"],
) => {
	const platform = new URL(env.BASE_URL);
	return {
		baseURL: {
			allowedHosts: [platform.host],
			fallback: platform.origin,
			protocol: platform.protocol === "https:" ? "https" : "http",
		},
		secret: env.BETTER_AUTH_SECRET,
		database,
		emailAndPassword: { enabled: true },
		plugins: [
			tenantAuth({
				// acme.localhost is the tenant with the slug "acme"
				resolveTenantId: fromSubdomain({ domain: platform.hostname }),
				// what every visitor may know: the rest of the metadata stays private
				branding: ({ metadata }) => ({ hue: String(metadata?.hue ?? 0) }),
				// D1 has no interactive transactions
				database: { requireTransactions: false },
			}),
		],
	} satisfies BetterAuthOptions;
};
