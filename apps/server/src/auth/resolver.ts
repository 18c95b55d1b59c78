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
 * How a request says its tenant besides body, query and header; nothing where the configuration names no way. All ways
 * are asked, and have to agree: the first answer would be the tenant, and the host of another one would stand in its mails.
 */
export const createResolver = ({ tenants, directory, tenantOfHost }: ResolverWith): ResolveTenantId | null => {
	const byHost: ResolveTenantId = (request) => tenantOfHost(hostOf(request));
	const resolvers: Record<TenantsConfig["resolvers"][number], ResolveTenantId> = {
		// a gateway's word, which goes before body and query; the package's own header comes after them
		header: ({ request, headers }) => (headers ?? request?.headers)?.get(tenants.resolverHeader),
		subdomain: byHost,
		"custom-domain": byHost,
		// the path is taken off before the engine sees it
		path: async () => {
			const slug = currentRequest()?.tenantSlug;
			if (!slug) return null;
			const tenant = await directory.bySlug(slug);
			// a path that names a tenant is never the platform's, also where there is no such tenant (any more)
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
