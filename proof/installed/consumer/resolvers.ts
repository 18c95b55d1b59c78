import { betterAuth } from "better-auth";
import { type ResolveTenantId, tenantAuth } from "better-auth-tenants";
import { firstOf, fromCustomDomain, fromPath, fromSubdomain, serveTenantPaths } from "better-auth-tenants/resolvers";
import { same } from "./same.ts";

export const resolveTenantId: ResolveTenantId = firstOf(
	fromCustomDomain({ platformHosts: ["app.example.com"] }),
	fromSubdomain({ domain: "app.example.com" }),
	fromPath({ pattern: "/t/:slug" }),
	({ headers }) => headers?.get("x-customer"),
);
// @ts-expect-error the domain is required
export const missing = fromSubdomain({});

const auth = betterAuth({ plugins: [tenantAuth({ resolveTenantId })] });
export const handler = serveTenantPaths(auth, { pattern: "/t/:slug" });
same<ReturnType<typeof handler>, Promise<Response>>(true);
