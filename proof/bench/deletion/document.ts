import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { median, round } from "../stage/statistics.ts";
import { growthOf, MOST_GROWTH_MB, MOST_RATIO } from "./judge.ts";
import type { KeysResult, StatisticsResult } from "./result.ts";

/** What a deletion costs if PostgreSQL does not know the size of the tenant. */
export const documentDeletion = (run: Run<StatisticsResult> | null): string => `## Deleting a tenant that has just grown

Each batch of a deletion names its rows by id and tenant. On PostgreSQL, it always goes by the ids, also if the statistics are
older than the rows (autovacuum is off here). It may take at most ${MOST_RATIO} times as long as with fresh statistics.
${run ? `\n${statisticsOf(run.result)}\n` : ""}
${verdict(run, "pnpm bench --part deletion")}`;

const statisticsOf = ({ users, otherUsers, seconds, ratio }: StatisticsResult): string =>
	table(
		["users", "of other tenants", "statistics", "seconds", "median", "relative to fresh"],
		(["fresh", "stale"] as const).map((kind) => [
			showCount(users),
			showCount(otherUsers),
			kind,
			seconds[kind].join(", "),
			round(median(seconds[kind]), 2),
			kind === "fresh" ? 1 : ratio,
		]),
	);

/** What a deletion costs if Redis holds many keys of others. */
export const documentDeletionKeys = (run: Run<KeysResult> | null): string => `## Deleting a tenant among many keys

In Redis, the keys of the tenant are found with SCAN by \`withKeyScan\`. The heap of the server, after garbage collection, may grow by
at most ${MOST_GROWTH_MB} MB. Half of the other tenants have ids that begin with the id of the deleted one.
${run ? `\n${keysOf(run.result)}\n` : ""}
${verdict(run, "pnpm bench --part deletion-keys")}`;

const keysOf = (result: KeysResult): string =>
	table(
		[
			"keys of the tenant",
			"of other tenants",
			"seconds",
			"heap before (MB)",
			"at most (MB)",
			"growth (MB)",
			"keys left",
			"others' keys lost",
		],
		[
			[
				showCount(result.own),
				showCount(result.foreign),
				result.seconds,
				result.heapMB.before,
				result.heapMB.most,
				growthOf(result),
				result.ownLeft,
				result.foreignLost,
			],
		],
	);
