import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { runDeletionUnderLoad } from "./faults/deletion-under-load.ts";
import { runKills } from "./faults/kills/run-kills.ts";
import { runPostgresRestarts } from "./faults/postgres-restarts.ts";
import { runRedisFaults } from "./faults/redis-faults.ts";
import { runBadInput } from "./input/run-bad-input.ts";
import { type ModelResult, runModel } from "./model/run-model.ts";
import { DEFENSES } from "./mutants/defenses.ts";
import { daysOf, withEarlier } from "./mutants/mutants-summary.ts";
import { type MutantsResult, runMutants } from "./mutants/run-mutants.ts";
import type { Part, RunOptions } from "./part.ts";
import { readResult } from "./results.ts";
import { GAPS, type Gap } from "./rights/known-gaps.ts";
import { runRights } from "./rights/run-stores.ts";
import { runRows } from "./rows/run-rows.ts";
import { runStatements } from "./statements/run-statements.ts";
import type { StatementsSummary } from "./statements/statements-summary.ts";
import { runTiming } from "./timing/run-timing.ts";

export type ModelResults = { runs: ModelResult[] };

/** A world's operations wait for each other, so a long run plays several at once, each with a seed of its own. */
const worldsFor = (size: number): number => (size >= 100_000 ? 3 : 1);

/** Half of the operations with Redis and half without, at the same time. */
const model = async ({ size, seed, tenants, redis, log }: RunOptions): Promise<Outcome<ModelResults>> => {
	const kinds = redis === undefined ? [false, true] : [redis];
	const worlds = kinds.flatMap((withRedis) =>
		Array.from({ length: worldsFor(size) }, (_, index) => ({ redis: withRedis, seed: seed + index })),
	);
	const nameOf = (world: { redis: boolean; seed: number }) =>
		`${world.redis ? "with" : "without"} Redis, seed ${world.seed}`;
	const runs = await Promise.all(
		worlds.map((world) =>
			runModel({
				operations: Math.ceil(size / worlds.length),
				tenants,
				...world,
				log: (line) => log(`${nameOf(world)}: ${line}`),
			}),
		),
	);
	return {
		result: { runs },
		wrong: runs.flatMap(({ leaks, unhandled }) => [
			...leaks.map(({ command, message }) => `${command}: ${message}`),
			...unhandled.map((text) => `unhandled: ${text}`),
		]),
		lines: runs.map(
			(run) =>
				`${nameOf(run)}: ${showCount(run.operations)} operations at ${run.operationsPerSecond}/s, ${showCount(run.replays)} foreign artifacts presented, ${showCount(run.rowsChanged)} changed rows looked at`,
		),
	};
};

/** Some of the mutants join the recorded outcomes of the others, which keep their day. */
const mutants = async ({ only, unrecorded, seed, size, log }: RunOptions) => {
	const recorded = await readResult<{ result: MutantsResult }>("mutants");
	const earlier = recorded?.result.byMutant ?? [];
	const missing = () => DEFENSES.map(({ id }) => id).filter((id) => !earlier.some((outcome) => outcome.id === id));
	const chosen = unrecorded ? missing() : only;
	const tried = await runMutants({ only: chosen, seed, operations: size, log });
	const result = chosen ? withEarlier(tried, earlier) : tried;
	return {
		result,
		wrong: result.survived.map((id) => `nobody noticed that "${id}" was taken out`),
		lines: [
			`${result.caught} of ${result.total} noticed, ${result.caughtByModel} of them by the model; tried out: ${daysOf(result.byMutant)}`,
			...(result.total < DEFENSES.length ? [`${DEFENSES.length - result.total} have no recorded outcome yet`] : []),
		],
	};
};

/** The outcomes of other statements are kept. */
const statements = async ({ size, only, under, unrecorded, log }: RunOptions): Promise<Outcome<StatementsSummary>> => {
	const recorded = await readResult<{ result: StatementsSummary }>("statements");
	const earlier = recorded?.result.outcomes ?? [];
	const result = await runStatements({ under, only, unrecorded, minutes: size, earlier, log });
	const { checks, throws, noticed, explained, survived, notRun } = result;
	return {
		result,
		wrong: [
			...survived.map(({ place, text, tests }) => `${place} can be removed (${tests} tests ran without it): ${text}`),
			// nothing is claimed about these
			...(notRun > 0 ? [`${notRun} statements are not decided yet: not every test that reaches them has run`] : []),
		],
		lines: [
			`${checks + throws} statements found: ${checks} checks and ${throws} throws. A test fails without ${noticed} of them, ${explained.length} are explained, ${survived.length} are not noticed, ${notRun} are not decided yet; tried out: ${daysOf(result.outcomes)}`,
		],
	};
};

const kills = async ({ size, seed, byTime, log }: RunOptions) => {
	const result = await runKills({ points: size, seed, byTime, log });
	return {
		result,
		wrong: result.violations,
		lines: [`${result.points} kills; the next process answered after ${result.recoveryMs.most} ms at the latest`],
	};
};

const postgresRestarts = async ({ size, seed, byTime, log }: RunOptions) => {
	const result = await runPostgresRestarts({ restarts: size, seed, byTime, log });
	const { people, signOuts } = result.acknowledged;
	return {
		result,
		wrong: result.violations,
		lines: [
			`${result.restarts} restarts; ${showCount(people)} sign-ups and ${showCount(signOuts)} sign-outs acknowledged, all kept; everyone served after ${result.recoveryMs.allWorkers.most} ms at the latest`,
		],
	};
};

const redisFaults = async ({ size, seed, byTime, log }: RunOptions) => {
	const result = await runRedisFaults({ rounds: size, seed, byTime, log });
	const slowest = Math.max(...result.faults.map(({ recoveryMs }) => recoveryMs.all));
	return {
		result,
		wrong: result.violations,
		lines: [`${result.faults.length} faults; everyone served after ${slowest} ms at the latest`],
	};
};

const deletion = async ({ size, seed, log }: RunOptions) => {
	const result = await runDeletionUnderLoad({ deletions: size, seed, log });
	const deleted = result.parts.reduce((sum, part) => sum + part.deletions, 0);
	return {
		result,
		wrong: result.violations,
		lines: [`${deleted} tenants deleted under ${result.parts.map(({ rate }) => rate).join(" and ")} requests a second`],
	};
};

const input = async ({ size, seed, byTime, log }: RunOptions) => {
	const result = await runBadInput({ requests: size, seed, byTime, log });
	return {
		result,
		wrong: [
			...result.findings.map(({ endpoint, wrong, command }) => `${endpoint}: ${wrong.join(", ")}\n${command}`),
			...result.unhandled.map((text) => `unhandled: ${text}`),
			...result.prototypes.map((name) => `prototype changed: ${name}`),
		],
		lines: [
			`${showCount(result.requests)} requests to ${result.endpoints} endpoints at ${result.perSecond}/s, the slowest answered after ${result.slowestMilliseconds} ms`,
		],
	};
};

const timing = async ({ size, log }: RunOptions) => {
	// the short form is for machines that do other things; the hash takes 100 ms a question
	const isShort = size < 2_000;
	const result = await runTiming({ samples: size, ...(isShort ? { scryptSamples: 0, attempts: 5 } : {}), log });
	return {
		result,
		wrong: result.pairs
			.filter(({ passed }) => !passed)
			.map(
				({ comparison, left, right, difference }) => `${comparison}: ${left} and ${right} differ by ${difference} ms`,
			),
		lines: [`${result.pairs.length} pairs of questions, ${result.samples} times each`],
	};
};

const rows = async ({ size, seed, log }: RunOptions) => {
	const result = await runRows({ queries: size, seed, log });
	const sum = (count: "queries" | "same" | "refused") => result.lanes.reduce((total, lane) => total + lane[count], 0);
	const foreign = result.lanes.reduce((total, { wrong }) => total + wrong.length, 0);
	return {
		result,
		wrong: result.lanes.flatMap(({ name, wrong, holeFoundAfter }) => [
			...wrong.map((text) => `${name}: ${text}`),
			...(holeFoundAfter === null ? [`${name}: the planted hole was not found`] : []),
		]),
		lines: [
			`${showCount(sum("queries"))} queries: ${showCount(sum("same"))} with the rows of the copy, ${showCount(sum("refused"))} rejected, ${foreign} with foreign rows`,
		],
	};
};

/** A short run plants one mistake, because the others take longer than the run. */
const rights = async ({ size, seed, replay, log }: RunOptions) => {
	const planted = size < 10_000 ? 1 : Number.POSITIVE_INFINITY;
	const result = await runRights({ operations: size, seed, planted, replay, log });
	const sum = (of: (store: (typeof result.stores)[number]) => number) =>
		result.stores.reduce((total, store) => total + of(store), 0);
	const inGaps = (Object.keys(GAPS) as Gap[]).map((gap) => `${sum(({ gaps }) => gaps[gap])} (${gap})`);
	return {
		result,
		wrong: [
			...result.stores.flatMap(({ name, violations }) =>
				violations.map(({ request, message }) => `${name}: ${request}: ${message}`),
			),
			...result.planted
				.filter(({ foundAfter }) => foundAfter === null)
				.map(({ name }) => `nobody noticed the planted mistake: ${name}`),
		],
		lines: [
			`${showCount(sum(({ operations }) => operations))} operations, ${showCount(sum(({ held }) => held))} of them held at an await; in known gaps: ${inGaps.join(", ")}`,
		],
	};
};

/** Every attack, in the order of their cost. */
export const PARTS: Part[] = [
	{ name: "input", sentence: "malformed and hostile requests", short: 5_000, full: 100_000, run: input },
	{ name: "rows", sentence: "random queries of the application's tables", short: 2_000, full: 100_000, run: rows },
	{
		name: "rights",
		sentence: "what ended, and requests that were under way",
		short: 2_000,
		full: 100_000,
		run: rights,
	},
	{ name: "timing", sentence: "what response times reveal", short: 0, full: 2_000, run: timing },
	{ name: "kills", sentence: "the process killed at random points", short: 8, full: 200, run: kills },
	{
		name: "postgres-restarts",
		sentence: "PostgreSQL stopped and started under load",
		short: 3,
		full: 50,
		run: postgresRestarts,
	},
	{ name: "redis-faults", sentence: "Redis lost, slow, hanging and emptied", short: 0, full: 4, run: redisFaults },
	{ name: "deletion", sentence: "tenants deleted under load", short: 2, full: 20, run: deletion },
	{ name: "model", sentence: "random operations of many tenants", short: 20_000, full: 1_000_000, run: model },
	{ name: "mutants", sentence: "one defense removed at a time", short: 0, full: 3_000, seed: 1, run: mutants },
	{ name: "statements", sentence: "one check or throw removed at a time", short: 0, full: 180, run: statements },
];
