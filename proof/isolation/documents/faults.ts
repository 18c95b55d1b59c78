import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { DeletionResult } from "../faults/deletion-under-load.ts";
import type { KillsResult } from "../faults/kills/run-kills.ts";
import type { RestartsResult } from "../faults/postgres-restarts.ts";
import type { RedisFaultsResult } from "../faults/redis-faults.ts";

export const writeKills = (run: Run<KillsResult> | null): string => `## Faults

Expected: no partial data (no user without an account, no session without a user, no row of a missing tenant), no lost
acknowledged write, revoked sessions stay revoked, recovery within 5 s, and only retryable errors meanwhile.

### Killing the process

SIGKILL during sign-up, the provider's callback, the deletion of a tenant and re-encryption: half of the kills at a random
moment, half at a random statement, before it reaches the database or before its result returns.

${verdict(run, "pnpm isolation --part kills --full")}
${
	run
		? `
${table(
	["during", "kills", "before the response", "after it", "different statements hit"],
	Object.entries(run.result.landed).map(([name, { points, beforeAnswer, afterAnswer, atStatement }]) => [
		name,
		points,
		beforeAnswer,
		afterAnswer,
		Object.keys(atStatement).length,
	]),
)}
`
		: ""
}`;

const answersTable = (answers: Record<string, number>): string =>
	table(
		["response", "count"],
		Object.entries(answers)
			.sort()
			.map(([name, count]) => [name, showCount(count)]),
	);

export const writePostgresRestarts = (run: Run<RestartsResult> | null): string => `### Restarting PostgreSQL

During sign-ups, sign-ins and sign-outs: by turns with a normal shutdown, an immediate shutdown and SIGKILL.

${verdict(run, "pnpm isolation --part postgres-restarts --full")}
${
	run
		? `
${table(
	["recovery", "median (ms)", "longest (ms)"],
	[
		["first success", run.result.recoveryMs.firstSuccess.median, run.result.recoveryMs.firstSuccess.most],
		["all workers", run.result.recoveryMs.allWorkers.median, run.result.recoveryMs.allWorkers.most],
	],
)}

${answersTable(run.result.answers)}
`
		: ""
}`;

export const writeRedisFaults = (
	run: Run<RedisFaultsResult> | null,
): string => `### Redis down, slow, hanging and emptied

With sessions in Redis only, and in Redis and the database. With sessions in Redis only, emptying Redis signs all users out. No
user is ever signed in as another.

${verdict(run, "pnpm isolation --part redis-faults --full")}
${
	run
		? `
${table(
	["sessions", "fault", "all served after (ms)", "slowest response (ms)", "sign-ups", "sign-outs"],
	run.result.faults.map((fault) => [
		fault.sessions,
		fault.fault,
		fault.recoveryMs.all,
		fault.slowestAnswerMs,
		fault.people,
		fault.signOuts,
	]),
)}
`
		: ""
}`;

const firstOf = (answers: Record<string, number>): string =>
	Object.entries(answers)
		.sort()
		.map(([name, count]) => `${showCount(count)} × ${name}`)
		.join(", ");

export const writeDeletion = (run: Run<DeletionResult> | null): string => `### Deleting tenants under load

Sign-ins and sign-ups at two processes, in the deleted tenants and in others. Afterwards no row, no key and no live session of
the deleted tenants is left.

${verdict(run, "pnpm isolation --part deletion --full")}
${
	run
		? `
${table(
	[
		"sessions",
		"deleted",
		"requests per second",
		"deletion time (ms, median)",
		"other tenants: median, p99 (ms)",
		"responses to other tenants",
	],
	run.result.parts.map((part) => [
		part.sessions,
		part.deletions,
		part.rate,
		part.deletionMs.median,
		`${part.stayingMs.median}, ${part.stayingMs.p99}`,
		firstOf(part.staying),
	]),
)}
`
		: ""
}`;
