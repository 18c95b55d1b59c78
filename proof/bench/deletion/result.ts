export type StatisticsResult = {
	/** of the tenant that is deleted, each with an account and a session */
	users: number;
	/** of the other tenants together */
	otherUsers: number;
	/** seconds of each deletion, in turns */
	seconds: { fresh: number[]; stale: number[] };
	/** the median with stale statistics over the median with fresh ones */
	ratio: number;
	/** rows of the tenants that the deletions left */
	left: number;
};

export type KeysResult = {
	/** keys of the tenant that is deleted */
	own: number;
	/** keys of other tenants */
	foreign: number;
	seconds: number;
	/** the heap after a collection, before the deletion and at most during it */
	heapMB: { before: number; most: number };
	/** keys of the tenant that are left */
	ownLeft: number;
	foreignLost: number;
};
