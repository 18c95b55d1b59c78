import { PLATFORM } from "../scope/platform.ts";

export type Shares = ReturnType<typeof createShares>;

type Bounds = { perTenant: number; others: number };

/** Counts running requests: those of each tenant, and those whose tenant is not decided yet. */
export const createShares = ({ perTenant, others }: Bounds) => {
	const taken = new Map<string, number>();
	let undecided = 0;
	return {
		/** Counts one request for a tenant. Returns false if the limit is reached. */
		take: (tenantId: string): boolean => {
			const now = taken.get(tenantId) ?? 0;
			if (now >= (tenantId === PLATFORM ? others : perTenant)) return false;
			taken.set(tenantId, now + 1);
			return true;
		},
		giveBack: (tenantId: string): void => {
			const left = (taken.get(tenantId) ?? 1) - 1;
			// callers can invent tenant ids, so an id is kept only while its requests run
			if (left > 0) taken.set(tenantId, left);
			else taken.delete(tenantId);
		},
		takeUndecided: (): boolean => {
			if (undecided >= others) return false;
			undecided += 1;
			return true;
		},
		giveBackUndecided: (): void => {
			undecided -= 1;
		},
	};
};
