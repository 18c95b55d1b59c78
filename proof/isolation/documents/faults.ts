import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { DeletionResult } from "../faults/deletion-under-load.ts";
import type { KillsResult } from "../faults/kills/run-kills.ts";
import type { RestartsResult } from "../faults/postgres-restarts.ts";
import type { RedisFaultsResult } from "../faults/redis-faults.ts";

export const writeKills = (run: Run<KillsResult> | null): string => `## Faults

Nothing half-made (no user without account, no session without user, no row of a missing tenant), no acknowledged write lost,
revoked sessions stay revoked, recovery within 5 s, and only errors that one may retry meanwhile.

### The process, killed

SIGKILL during sign-up, the provider's callback, the deletion of a tenant and re-sealing: half of the points at a random
moment, half at a random statement, on its way to the database or before its answer comes back.

${verdict(run, "pnpm isolation --part kills --full")}
${
	run
		? `
${table(
	["during", "points", "before the answer", "after it", "different statements hit"],
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
		["answer", "how often"],
		Object.entries(answers)
			.sort()
			.map(([name, count]) => [name, showCount(count)]),
	);

export const writePostgresRestarts = (run: Run<RestartsResult> | null): string => `### PostgreSQL, stopped and started

Under sign-ups, sign-ins and sign-outs, in turn orderly, immediately and by SIGKILL.

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
): string => `### Redis, lost, slow, hanging and emptied

With sessions in Redis alone, and in Redis and the database. Emptied, the former signs everybody out; nobody is ever signed in
as somebody else.

${verdict(run, "pnpm isolation --part redis-faults --full")}
${
	run
		? `
${table(
	["sessions", "fault", "all served after (ms)", "slowest answer (ms)", "sign-ups", "sign-outs"],
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

export const writeDeletion = (run: Run<DeletionResult> | null): string => `### Tenants, deleted under load

Sign-ins and sign-ups at two processes, in the tenants that go and in others. Afterwards no row, no key and no live session of
the deleted ones is left.

${verdict(run, "pnpm isolation --part deletion --full")}
${
	run
		? `
${table(
	[
		"sessions",
		"deleted",
		"requests a second",
		"a deletion took (ms, median)",
		"others: median, p99 (ms)",
		"answers to the others",
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
