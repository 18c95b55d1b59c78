/** A query that is built once and runs for more tenants than this forgets the oldest, which a compiled query then is refused for. */
const MOST = 10_000;

/** The tenants that queries were limited to, by the id that Kysely gives to a query and to its result. */
export const ranTenants = () => {
	const byQuery = new WeakMap<object, Set<string>>();
	return {
		isBound: (queryId: object): boolean => byQuery.has(queryId),
		has: (queryId: object, tenantId: string): boolean => byQuery.get(queryId)?.has(tenantId) ?? false,
		/** Returns the tenant. */
		add: (queryId: object, tenantId: string): string => {
			const tenants = byQuery.get(queryId) ?? new Set();
			byQuery.set(queryId, tenants);
			tenants.delete(tenantId);
			tenants.add(tenantId);
			const [oldest] = tenants;
			if (tenants.size > MOST && oldest !== undefined) tenants.delete(oldest);
			return tenantId;
		},
	};
};
