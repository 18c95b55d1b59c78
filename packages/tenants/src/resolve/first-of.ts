import type { ResolveTenantId } from "./hint.ts";

/**
 * Combines resolvers. Calls them in order and returns the first tenant id.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: firstOf(fromCustomDomain({ findTenantId }), fromPath({ pattern: "/t/:tenant/", findTenantId })) });
 * ```
 */
export const firstOf =
	(...resolvers: ResolveTenantId[]): ResolveTenantId =>
	async (request) => {
		for (const resolve of resolvers) {
			const tenantId = await resolve(request);
			if (tenantId) return tenantId;
		}
		return null;
	};
