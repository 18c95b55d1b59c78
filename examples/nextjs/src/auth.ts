import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { tenantAuth } from "better-auth-tenants";
import { fromSubdomain } from "better-auth-tenants/resolvers";
import { db } from "./db/index.ts";
import * as schema from "./db/schema.ts";
import { platform } from "./hosts.ts";

export const auth = betterAuth({
	baseURL: {
		allowedHosts: [platform.host],
		fallback: platform.origin,
		protocol: platform.protocol === "https:" ? "https" : "http",
	},
	secret: process.env.BETTER_AUTH_SECRET,
	database: drizzleAdapter(db, { provider: "pg", schema, transaction: true }),
	emailAndPassword: { enabled: true },
	plugins: [
		tenantAuth({
			// acme.localhost is the tenant with the slug "acme"
			resolveTenantId: fromSubdomain({ domain: platform.hostname }),
			// what every visitor may know: the rest of the metadata stays private
			branding: ({ metadata }) => ({ hue: String(metadata?.hue ?? 0) }),
			// Better Auth's adapter does not show its client, and the plugin checks the indexes
			database: { client: db },
		}),
	],
});
