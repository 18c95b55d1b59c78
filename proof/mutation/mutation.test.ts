import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "test-kit/results/recorded-run";
import { expect, it } from "vitest";
import { EXPLAINED, explains } from "./explained.ts";
import type { Outcome } from "./outcomes.ts";
import { readResult } from "./results.ts";
import { SOURCE } from "./run-stryker.ts";
import { isAsked, type Job, keyOf } from "./stryker/job.ts";
import { describe, type MutationSummary, outcomeOf, summarizeFile, withKilled } from "./summary.ts";

const TEXT = `const isOpen = (row) =>
	row === null || row.open;
const isClosed = (row) => row === null || row.closed;
`;

const outcome = (key: string, state: Outcome["state"], tests = 1): [string, Outcome] => [
	key,
	{ key, state, tests, by: "" },
];

const OUTCOMES = new Map([
	outcome("3:27-3:39 ConditionalExpression false", "survived", 4),
	outcome("2:2-2:14 ConditionalExpression false", "not reached", 0),
	outcome("2:2-2:26 LogicalOperator row === null &&\n\trow.open", "killed"),
	outcome("1:1-1:2 BooleanLiteral true", "static"),
]);

it("names what a mutant replaces, and tells equal ones of a file apart", () => {
	const summary = summarizeFile("scope/sample.ts", "hash", TEXT, OUTCOMES);
	expect(summary).toMatchObject({ killed: 1, static: 1 });
	expect(
		summary.left.map(({ line, original, replacement, nth, tests }) => [line, original, replacement, nth, tests]),
	).toEqual([
		[2, "row === null", "false", 1, 0],
		[3, "row === null", "false", 2, 4],
	]);
});

it("counts what a later run killed, and reports what is left", () => {
	const summary = summarizeFile("scope/sample.ts", "hash", TEXT, OUTCOMES);
	const later = withKilled(summary, new Map([outcome("3:27-3:39 ConditionalExpression false", "killed")]));
	const { wrong, lines } = outcomeOf({ files: [later], notRun: 1 });
	expect(lines).toEqual(["3 mutants of 1 files: a test fails with 2 of them, 0 are explained, 1 are not noticed"]);
	expect(later.left.map(describe)).toEqual(["src/scope/sample.ts:2 `row === null` -> `false`: no test reaches it"]);
	expect(wrong).toEqual([
		"src/scope/sample.ts: 1 that no test notices and that nobody has explained",
		"1 files have not run with their present text",
	]);
});

it("runs what is not killed yet, or what it was asked for", () => {
	const job: Job = { tests: [], most: 0, killed: ["a"], only: null, log: "", times: "" };
	expect(["a", "b", "c"].filter(isAsked(job))).toEqual(["b", "c"]);
	expect(["a", "b", "c"].filter(isAsked({ ...job, only: ["a", "b"] }))).toEqual(["b"]);
});

it("gives a mutant one name, whether Stryker counts lines from 0 or from 1", () => {
	const mutant = { mutatorName: "BooleanLiteral", replacement: "true" };
	const from0 = { start: { line: 1, column: 1 }, end: { line: 1, column: 13 } };
	const from1 = { start: { line: 2, column: 2 }, end: { line: 2, column: 14 } };
	expect(keyOf({ ...mutant, location: from0 }, 0)).toBe("2:2-2:14 BooleanLiteral true");
	expect(keyOf({ ...mutant, location: from1 }, 1)).toBe("2:2-2:14 BooleanLiteral true");
});

it("explains nothing twice, and only what the sources contain", () => {
	const textOf = (file: string): string =>
		readFileSync(join(import.meta.dirname, "../..", SOURCE, file), "utf8").replace(/\s+/g, " ");
	const unknown = EXPLAINED.filter(({ file, original, nth = 1 }) => textOf(file).split(original).length <= nth);
	expect(unknown).toEqual([]);
	const names = EXPLAINED.flatMap(({ file, original, replacement, nth = 1 }) =>
		[replacement].flat().map((by) => JSON.stringify([file, original, by, nth])),
	);
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it("explains only mutants that the recorded run left", async () => {
	const recorded = await readResult<Run<MutationSummary>>("scope");
	const files = recorded?.result.files ?? [];
	const useless = EXPLAINED.filter((one) => {
		const left = files.find(({ file }) => file === one.file)?.left;
		const matches = (replacement: string): boolean =>
			left?.some((mutant) => explains({ ...one, replacement }, mutant)) ?? true;
		return ![one.replacement].flat().every(matches);
	});
	expect(useless).toEqual([]);
});
