import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import { type FindTenantId, findBy } from "./find-by.ts";
import type { ResolveTenantId } from "./hint.ts";
import { readPathPattern } from "./path-pattern.ts";
import { pathOf } from "./tenant-paths.ts";

/**
 * Options of `fromPath`.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: fromPath({ pattern: "/t/:tenant/" }) });
 * ```
 */
type PathOptions = {
	/** A URL path with one `:tenant`, matched from the start: `/t/:tenant` matches `/t/acme/api/auth/sign-in/email`. */
	pattern: string;
	/**
	 * Returns the id of the tenant with this slug, or nothing if there is none. Runs on every request, so cache it.
	 * @default looks the slug up in the database, cached by `tenantCache`
	 */
	findTenantId?: FindTenantId;
};

/**
 * Resolves the tenant from the path of the request. Resolves nothing for calls of `auth.api` without a request, and for
 * paths that do not match. A path that matches and names no tenant is rejected with 404 `TENANT_NOT_FOUND`. Serve the paths
 * with `serveTenantPaths`.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: fromPath({ pattern: "/t/:tenant/" }) });
 * ```
 */
export const fromPath = ({ pattern, findTenantId }: PathOptions): ResolveTenantId => {
	const match = readPathPattern("fromPath", pattern);
	return async ({ request, tenants }) => {
		const path = request && pathOf(request);
		const matched = path ? match(path) : null;
		if (!matched) return null;
		const tenantId = await findBy("bySlug", findTenantId, tenants)(matched.slug);
		// a tenant's path never belongs to the platform
		if (!tenantId) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		return tenantId;
	};
};
