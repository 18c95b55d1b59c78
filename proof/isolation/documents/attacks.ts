import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { InputResult } from "../input/run-bad-input.ts";
import type { MutantsResult } from "../mutants/run-mutants.ts";
import type { ModelResults } from "../parts.ts";
import type { TimingResult } from "../timing/run-timing.ts";

export const writeModel = (run: Run<ModelResults> | null): string => {
	const commands = new Map<string, { sent: number; succeeded: number }>();
	for (const { byCommand } of run?.result.runs ?? []) {
		for (const [name, { sent, succeeded }] of Object.entries(byCommand)) {
			const sum = commands.get(name) ?? { sent: 0, succeeded: 0 };
			commands.set(name, { sent: sum.sent + sent, succeeded: sum.succeeded + succeeded });
		}
	}
	return `## The model

Random operations over many tenants, whose people share e-mails, usernames, phone numbers and subjects. The model knows who
may do what. Every answer is searched for what belongs to another tenant (ids, tokens, cookies, planted words), every changed
row is seen by a trigger in the database, every touched key by Redis itself; each has to be the caller's own.

${verdict(run, "pnpm isolation --operations 1000000")}
${
	run
		? `
${table(
	[
		"",
		"operations",
		"seed",
		"a second",
		"foreign artefacts presented",
		"rows changed",
		"planted words met, each at home",
		"leaks",
	],
	run.result.runs.map((one) => [
		one.redis ? "with Redis" : "without Redis",
		showCount(one.operations),
		one.seed,
		one.operationsPerSecond,
		showCount(one.replays),
		showCount(one.rowsChanged),
		showCount(one.canaryChecks),
		one.leaks.length,
	]),
)}

<details><summary>What was done, and how often</summary>

${table(
	["operation", "sent", "answered with success"],
	[...commands].sort().map(([name, { sent, succeeded }]) => [name, showCount(sent), showCount(succeeded)]),
)}

</details>
`
		: ""
}`;
};

export const writeMutants = (run: Run<MutantsResult> | null): string => `## Mutants

A test that cannot fail proves nothing. So each defence is taken out, one at a time, and the broken plugin is attacked: by the
model where it can reach the defence, by the tests that are named otherwise. The unchanged plugin runs under the same first.

${verdict(run, "pnpm isolation --mutants")}
${
	run
		? `
<details><summary>The ${run.result.total} defences</summary>

${table(
	["taken out", "noticed by", "after", "threats"],
	run.result.byMutant.map(({ name, caughtBy, finding, operations, threats }) => [
		name,
		finding === null ? "**nobody**" : caughtBy === "model" ? "the model" : "tests",
		operations === null ? "" : `${showCount(operations)} operations`,
		threats.join(", "),
	]),
)}

</details>
`
		: ""
}`;

export const writeInput = (run: Run<InputResult> | null): string => `## Bad input

Generated requests to every endpoint, the engine's and ours: wrong types, sizes from nothing to megabytes, deep nesting,
Unicode, duplicated keys, prototype names, operators, redirects, slugs, headers, cookies, paths, methods. No 5xx, no unhandled
rejection, no redirect that leaves the site, no changed prototype, no stack trace in an answer.

${verdict(run, "pnpm isolation --part input --full")}
${
	run
		? `
${table(
	["status", "answers"],
	Object.entries(run.result.statuses)
		.sort()
		.map(([status, count]) => [status === "0" ? "connection closed" : status, showCount(count)]),
)}
`
		: ""
}`;

const milliseconds = (value: number): string => value.toFixed(2);

export const writeTiming = (run: Run<TimingResult> | null): string => `## What the time of an answer tells

Pairs of questions, asked in turn: an address that has an account and one that has none, here and in another tenant, a tenant
that was deleted and one that never was. The answers have to be the same, and the medians less than 5 ms apart, unless chance
alone explains more (p of 0.001 and above): a busy machine's noise tells nobody anything.

${verdict(run, "pnpm isolation --part timing --full")}
${
	run
		? `
${table(
	["question", "one", "other", "hash", "samples", "medians (ms)", "difference", "p", "same answers"],
	run.result.pairs.map((pair) => [
		pair.comparison,
		pair.left,
		pair.right,
		pair.hashing,
		showCount(pair.samples),
		`${milliseconds(pair.medianLeft)} / ${milliseconds(pair.medianRight)}`,
		milliseconds(pair.difference),
		pair.p.toPrecision(2),
		pair.differs ? `no: ${pair.differs}` : pair.sameAnswers ? "yes" : "**no**",
	]),
)}

p is of Mann and Whitney's test: a small one says that a difference, however small, is no accident.
`
		: ""
}`;
