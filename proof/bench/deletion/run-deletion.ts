import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import { compareStatistics } from "./compare-statistics.ts";
import { deleteAmongKeys } from "./delete-among-keys.ts";
import { judgeKeys, judgeStatistics } from "./judge.ts";
import type { KeysResult, StatisticsResult } from "./result.ts";

/** Deletes a tenant whose rows are newer than the planner's statistics, and one that the statistics know. */
export const runDeletion = async ({ full, log }: RunOptions): Promise<Outcome<StatisticsResult>> => {
	const result = await compareStatistics({ ...(full ? { users: 100_000 } : { users: 5_000 }), rounds: 3, log });
	return { result, ...judgeStatistics(result) };
};

/** Deletes a tenant whose keys are among many others in Redis. */
export const runDeletionKeys = async ({ full, log }: RunOptions): Promise<Outcome<KeysResult>> => {
	const size = full ? { foreign: 1_000_000, own: 5_000 } : { foreign: 20_000, own: 1_000 };
	const result = await deleteAmongKeys(size);
	log(`${result.seconds} s, heap ${result.heapMB.before} MB, at most ${result.heapMB.most} MB`);
	return { result, ...judgeKeys(result) };
};
