import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { MOST_RATIO } from "../neighbors/judge.ts";
import { picture } from "../plots/picture.ts";
import { FLAT } from "./judge.ts";
import type { Compared } from "./others.ts";
import { bulkPlots } from "./plot.ts";
import type { BulkResult } from "./result.ts";

/** The cost of transferring and deleting a large tenant. */
export const documentBulk = (
	run: Run<BulkResult> | null,
): string => `## Importing, exporting and deleting a large tenant

${run ? describe(run.result) : ""}
Memory is the server's heap after garbage collection. It counts as flat if a step never needs more than ${FLAT.times} times its first
quarter, or ${FLAT.plusMB} MB more. The other tenant's p99 may be at most ${MOST_RATIO} times its idle p99.
${
	run
		? `
${bulkPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

${steps(run.result)}

The export matches the import in number, addresses, accounts and hashes, and the deletion left no rows or keys, unless stated
otherwise here:
`
		: ""
}
${verdict(run, "pnpm bench --part bulk")}`;

const describe = ({ users, batch, others, moves }: BulkResult): string => {
	const accounts = moves[0]?.sent.accounts ?? 0;
	const sessions = moves[0]?.sessions ?? 0;
	const foreignKeys = Math.max(0, ...moves.map((move) => move.foreignKeys));
	return `A tenant of ${showCount(users)} users with ${showCount(accounts)} accounts is imported over HTTP, ${batch} per request and one request at a time,
exported to its last page, given ${showCount(sessions)} sessions and deleted: once with sessions in the database and once in Redis, where
other tenants have ${showCount(foreignKeys)} keys. Meanwhile users of another tenant sign in (${others.signIn} per second, with a cheap hash) and read their sessions (${others.session} per second), on a fixed schedule.`;
};

const steps = ({ moves }: BulkResult): string =>
	table(
		[
			"Step",
			"sessions in",
			"seconds",
			"users per second",
			"memory: first → last quarter, maximum (MB)",
			"other tenant's session checks: p99 (ms), relative to idle",
			"its sign-ins: p99 (ms), relative to idle",
			"event loop delay, p99 (ms)",
			"event loop busy",
		],
		moves.flatMap(({ sessionsIn, steps: done }) =>
			done.map(({ step, seconds, usersPerSecond, memory, others, server }) => [
				step,
				sessionsIn,
				seconds,
				showCount(usersPerSecond),
				`${memory.firstQuarterMB} → ${memory.lastQuarterMB}, ${memory.mostMB}`,
				showOthers(others.session),
				showOthers(others.signIn),
				server.loopDelayMs.p99,
				`${Math.round(server.loopBusy * 100)} %`,
			]),
		),
	);

const showOthers = ({ count, p99Ms, p99Ratio }: Compared["signIn"]): string =>
	count === 0 ? "none" : `${p99Ms}, ${p99Ratio} times (${showCount(count)})`;
