import { APIError } from "better-auth/api";
import { type ResolveTenantId, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import { firstOf, fromCustomDomain, fromSubdomain } from "better-auth-tenants/resolvers";
import type { TenantsConfig } from "../config/tenants.ts";
import { currentRequest } from "../http/request-context.ts";
import type { Domains } from "./domains-file.ts";
import type { TenantDirectory } from "./tenant-directory.ts";

type ResolverWith = { tenants: TenantsConfig; directory: Pick<TenantDirectory, "bySlug">; domains: Domains | null };

/** How a request says its tenant besides body, query and header; nothing where the configuration names no way. */
export const createResolver = ({ tenants, directory, domains }: ResolverWith): ResolveTenantId | null => {
	// an address that names a tenant is never the platform's, also where there is no such tenant (any more)
	const tenantIdOf = async (slug: string): Promise<string> => {
		const tenant = await directory.bySlug(slug);
		if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		return tenant.id;
	};
	const resolvers: Record<TenantsConfig["resolvers"][number], ResolveTenantId> = {
		// a gateway's word, which goes before body and query; the package's own header comes after them
		header: ({ request, headers }) => (headers ?? request?.headers)?.get(tenants.resolverHeader),
		subdomain: fromSubdomain({ domain: tenants.domain, tenantIdOf }),
		"custom-domain": fromCustomDomain({ tenantIdOf: (host) => domains?.tenantIdOf(host) }),
		// the path is taken off before the engine sees it
		path: () => {
			const slug = currentRequest()?.tenantSlug;
			return slug ? tenantIdOf(slug) : null;
		},
	};
	const chosen = tenants.resolvers.map((name) => resolvers[name]);
	return chosen.length > 0 ? firstOf(...chosen) : null;
};
