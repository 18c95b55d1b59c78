import type { BetterAuthOptions } from "better-auth";
import { tenantAuth } from "better-auth-tenants";
import { firstOf, fromCustomDomain, fromSubdomain } from "better-auth-tenants/resolvers";
import Database from "better-sqlite3";

export const platform = new URL(process.env.BASE_URL ?? "http://localhost:3000");

export const options = {
	// pages of the platform are at this address, and tenants have their own hosts
	baseURL: {
		allowedHosts: [platform.host],
		fallback: platform.origin,
		protocol: platform.protocol === "https:" ? "https" : "http",
	},
	secret: process.env.BETTER_AUTH_SECRET,
	database: new Database(process.env.DATABASE_FILE ?? "auth.db"),
	emailAndPassword: { enabled: true },
	plugins: [
		tenantAuth({
			// login.acme.test by its domain, acme.localhost by its slug
			resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: platform.hostname })),
			// what every visitor may know: the rest of the metadata stays private
			branding: ({ metadata }) => ({ hue: String(metadata?.hue ?? 0) }),
		}),
	],
} satisfies BetterAuthOptions;
