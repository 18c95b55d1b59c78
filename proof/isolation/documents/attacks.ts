import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { InputResult } from "../input/run-bad-input.ts";
import { DEFENSES } from "../mutants/defenses.ts";
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

Random operations over many tenants, whose users share emails, usernames, phone numbers and subjects. The model knows who
may do what. Every response is searched for data of another tenant (ids, tokens, cookies, planted words). A database trigger
records every changed row, and Redis reports every touched key; each must belong to the caller's tenant.

<!-- cspell:ignore artefacts -->

${verdict(run, "pnpm isolation --operations 1000000")}
${
	run
		? `
${table(
	[
		"Storage",
		"operations",
		"seed",
		"per second",
		"foreign artifacts presented",
		"rows changed",
		"planted words seen, all in their own tenant",
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

<details><summary>The operations and their counts</summary>

${table(
	["operation", "sent", "succeeded"],
	[...commands].sort().map(([name, { sent, succeeded }]) => [name, showCount(sent), showCount(succeeded)]),
)}

</details>
`
		: ""
}`;
};

export const writeMutants = (run: Run<MutantsResult> | null): string => `## Mutants

A test that cannot fail proves nothing. So each defense of a list is removed, one at a time, and the broken plugin is attacked: by
the model if it can reach the defense, otherwise by the named tests. The unchanged plugin goes through the same attacks first. The
list is written by hand; [checks and throws](#checks-and-throws) are found by the compiler.

${verdict(run, "pnpm isolation --mutants")}
${
	run
		? `
<details><summary>The ${run.result.total} defenses</summary>

${table(
	["mutant", "caught by", "after", "threats"],
	run.result.byMutant.map(({ id, name, caughtBy, finding, operations, threats }) => [
		DEFENSES.find((defense) => defense.id === id)?.name ?? name,
		finding === null ? "**nothing**" : caughtBy === "model" ? "the model" : "tests",
		operations === null ? "" : `${showCount(operations)} operations`,
		threats.join(", "),
	]),
)}

</details>
`
		: ""
}`;

export const writeInput = (run: Run<InputResult> | null): string => `## Bad input

Generated requests to every endpoint of Better Auth and the plugin: wrong types, sizes from zero to megabytes, deep nesting,
Unicode, duplicate keys, prototype names, operators, redirects, slugs, headers, cookies, paths, methods. There must be no 5xx, no
unhandled rejection, no redirect that leaves the site, no changed prototype, and no stack trace in a response.

${verdict(run, "pnpm isolation --part input --full")}
${
	run
		? `
${table(
	["status", "responses"],
	Object.entries(run.result.statuses)
		.sort()
		.map(([status, count]) => [status === "0" ? "connection closed" : status, showCount(count)]),
)}
`
		: ""
}`;

const milliseconds = (value: number): string => value.toFixed(2);

export const writeTiming = (run: Run<TimingResult> | null): string => `## Response times

Pairs of requests, sent in turn: an address with an account and one without, here and in another tenant; a tenant that was deleted
and one that never existed. The responses must be the same, and the medians less than 5 ms apart, unless chance alone explains
more (p of 0.001 and above), because the noise of a busy machine reveals nothing.

${verdict(run, "pnpm isolation --part timing --full")}
${
	run
		? `
${table(
	["request", "one", "other", "hash", "samples", "medians (ms)", "difference", "p", "same responses"],
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

p is from the Mann-Whitney test: a small p means that the difference, even a small one, is not due to chance.
`
		: ""
}`;
