import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { MOST_RATIO } from "../neighbours/judge.ts";
import { picture } from "../plots/picture.ts";
import { FLAT } from "./judge.ts";
import type { Compared } from "./others.ts";
import { bulkPlots } from "./plot.ts";
import type { BulkResult } from "./result.ts";

/** What it takes to move and to delete a large tenant. */
export const documentBulk = (run: Run<BulkResult> | null): string => `## A large tenant comes, goes and is deleted

${run ? describe(run.result) : ""}
Memory is what lives in the server after a collection; it is flat where a step never needs more than ${FLAT.times} times, or
${FLAT.plusMB} MB more than, what its first quarter did. The other tenant's p99 may be at most ${MOST_RATIO} times the one it has with nothing else going on.
${
	run
		? `
${bulkPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

${steps(run.result)}

What was exported is what was imported, by number, addresses, accounts and hashes, and the deletion left no row and no key, unless
it is said otherwise here:
`
		: ""
}
${verdict(run, "pnpm bench --part bulk")}`;

const describe = ({ users, batch, others, moves }: BulkResult): string => {
	const accounts = moves[0]?.sent.accounts ?? 0;
	const sessions = moves[0]?.sessions ?? 0;
	const foreignKeys = Math.max(0, ...moves.map((move) => move.foreignKeys));
	return `A tenant of ${showCount(users)} users with ${showCount(accounts)} accounts is imported over HTTP, ${batch} in a request and one request after the other,
exported to its last page, given ${showCount(sessions)} sessions and deleted: once with sessions in the database and once in Redis, where
other tenants have ${showCount(foreignKeys)} keys. Meanwhile another tenant's people sign in (${others.signIn} a second, a cheap hash) and look at their sessions (${others.session} a second), by the clock.`;
};

const steps = ({ moves }: BulkResult): string =>
	table(
		[
			"",
			"sessions in",
			"seconds",
			"users a second",
			"memory, first → last quarter, most (MB)",
			"another tenant's session checks: p99 (ms), over idle",
			"its sign-ins: p99 (ms), over idle",
			"event loop late, p99 (ms)",
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
	count === 0 ? "none came" : `${p99Ms}, ${p99Ratio} times (${showCount(count)})`;
