import type { ResolveTenantId } from "./hint.ts";
import { combineHostRules } from "./host-rules.ts";
import { resolveWith } from "./resolve-with.ts";

/**
 * Combines resolvers. Calls them in order and returns the first tenant id.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: "app.example.com" })) });
 * ```
 */
export const firstOf = (...resolvers: ResolveTenantId[]): ResolveTenantId => {
	const hosts = combineHostRules(resolvers.flatMap((resolver) => resolver.hosts ?? []));
	const byHost = hosts && resolveWith(hosts);
	const resolve: ResolveTenantId = async (request) => {
		for (const resolver of resolvers) {
			// the combined rules decide about the host, because only they know about all resolvers
			const tenantId = await (resolver.hosts && byHost ? byHost(request) : resolver(request));
			if (tenantId) return tenantId;
		}
		return null;
	};
	return hosts ? Object.assign(resolve, { hosts }) : resolve;
};
