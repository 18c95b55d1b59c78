/**
 * Lets so many requests of one tenant in at the same time and turns the next away at once, before it has cost anything: a
 * thousand of them would otherwise stand in front of everybody else's in this process.
 */
export const admitPerTenant = (atOnce: number, turnAway: () => Response) => {
	const inside = new Map<string, number>();
	return async (tenant: string, answer: () => Promise<Response>): Promise<Response> => {
		const now = inside.get(tenant) ?? 0;
		if (now >= atOnce) return turnAway();
		inside.set(tenant, now + 1);
		try {
			return await answer();
		} finally {
			const left = (inside.get(tenant) ?? 1) - 1;
			if (left > 0) inside.set(tenant, left);
			else inside.delete(tenant);
		}
	};
};
