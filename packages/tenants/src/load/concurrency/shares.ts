import { PLATFORM } from "../../scope/pin/platform.ts";

export type Shares = ReturnType<typeof createShares>;

type Bounds = { perTenant: number; others: number };

/** Counts requests: those of each tenant, those whose tenant is not decided yet, and such ones that wait for their turn. */
export const createShares = ({ perTenant, others }: Bounds) => {
	const taken = new Map<string, number>();
	let undecided = 0;
	let waiting = 0;
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
		takeWaiting: (): boolean => {
			if (waiting >= others) return false;
			waiting += 1;
			return true;
		},
		giveBackWaiting: (): void => {
			waiting -= 1;
		},
	};
};
