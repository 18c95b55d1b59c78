import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import type { KeysResult, StatisticsResult } from "./result.ts";

/** A deletion with stale statistics takes at most this many times as long as one with fresh ones. */
export const MOST_RATIO = 1.3;
/** The heap grows by at most this much, however many keys other tenants have. */
export const MOST_GROWTH_MB = 20;

export const growthOf = ({ heapMB }: KeysResult): number => Number((heapMB.most - heapMB.before).toFixed(1));

export const judgeStatistics = ({ users, ratio, left }: StatisticsResult): Omit<Outcome, "result"> => ({
	wrong: [
		...(ratio > MOST_RATIO ? [`stale statistics: ${ratio} times the time of fresh ones (goal: ${MOST_RATIO})`] : []),
		...(left > 0 ? [`the deletions left ${left} rows`] : []),
	],
	lines: [`${showCount(users)} users with stale statistics: ${ratio} times the time of fresh ones`],
});

export const judgeKeys = (result: KeysResult): Omit<Outcome, "result"> => ({
	wrong: [
		...(growthOf(result) > MOST_GROWTH_MB ? [`the heap grew by ${growthOf(result)} MB (goal: ${MOST_GROWTH_MB})`] : []),
		...(result.ownLeft > 0 ? [`the deletion left ${result.ownLeft} keys`] : []),
		...(result.foreignLost > 0 ? [`other tenants lost ${result.foreignLost} keys`] : []),
	],
	lines: [
		`${showCount(result.foreign)} keys of other tenants: ${result.seconds} s, heap ${growthOf(result)} MB more, ${result.foreignLost} of them lost`,
	],
});
