import { APIError } from "better-auth/api";
import { type ResolveTenantId, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { TenantsConfig } from "../config/tenants.ts";
import { currentRequest } from "../http/request-context.ts";
import type { TenantDirectory } from "./tenant-directory.ts";
import { hostOf, type TenantOfHost } from "./tenant-of-host.ts";
import { twoTenants } from "./two-tenants.ts";

type ResolverWith = {
	tenants: TenantsConfig;
	directory: Pick<TenantDirectory, "bySlug">;
	tenantOfHost: TenantOfHost;
};

/**
 * Resolves the tenant from what the configuration allows besides body, query and header; null if it allows nothing
 * else. All resolvers run and must agree. Otherwise the first result would be the tenant while mails contain the host
 * of another.
 */
export const createResolver = ({ tenants, directory, tenantOfHost }: ResolverWith): ResolveTenantId | null => {
	const byHost: ResolveTenantId = (request) => tenantOfHost(hostOf(request));
	const resolvers: Record<TenantsConfig["resolvers"][number], ResolveTenantId> = {
		// set by a gateway and takes precedence over body and query; the package's own header comes after them
		header: ({ request, headers }) => (headers ?? request?.headers)?.get(tenants.resolverHeader),
		subdomain: byHost,
		"custom-domain": byHost,
		// the tenant path is removed before the engine sees the URL
		path: async () => {
			const slug = currentRequest()?.tenantSlug;
			if (!slug) return null;
			const tenant = await directory.bySlug(slug);
			// a tenant path never falls back to the platform, even if the tenant does not exist
			if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return tenant.id;
		},
	};
	const chosen = new Set(tenants.resolvers.map((name) => resolvers[name]));
	if (chosen.size === 0) return null;
	return async (request) => {
		const named = new Set<string>();
		for (const resolve of chosen) named.add((await resolve(request)) || "");
		named.delete("");
		if (named.size > 1) throw twoTenants();
		return named.values().next().value ?? null;
	};
};
