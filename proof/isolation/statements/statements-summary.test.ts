import { expect, it } from "vitest";
import { chooseTests } from "./choose-tests.ts";
import { type Statement, statementsIn } from "./find-statements.ts";
import { summarize } from "./statements-summary.ts";
import type { Reach } from "./watch.ts";

const statements = statementsIn("rights/sample.ts", "assertOpen();\nthrow ended();\ncheck();\nrefuse();");
const [open, ended, check] = statements as [Statement, Statement, Statement];

it("counts what was noticed, explained, survived and not run, by the latest outcome", () => {
	const at = (day: number): string => `2026-11-${day}T09:00:00.000Z`;
	const outcomes = [
		{ id: open.id, at: at(18), noticedBy: "a test", tests: 1 },
		{ id: open.id, at: at(17), noticedBy: null, tests: 2 },
		{ id: ended.id, at: at(17), noticedBy: null, tests: 0 },
		{ id: check.id, at: at(17), noticedBy: null, tests: 4 },
		{ id: "removed", at: at(17), noticedBy: null, tests: 4 },
	];
	const summary = summarize(statements, outcomes, ({ id }) => (id === ended.id ? "never reached" : null));
	expect(summary).toMatchObject({ checks: 3, throws: 1, noticed: 1, notRun: 1 });
	expect(summary.explained).toEqual([
		{ place: "src/rights/sample.ts:2", text: "throw ended();", tests: 0, why: "never reached" },
	]);
	expect(summary.survived).toEqual([{ place: "src/rights/sample.ts:3", text: "check();", tests: 4, why: null }]);
	expect(summary.outcomes).toHaveLength(3);
});

it("runs tests first in which the check threw, then those of its folder, then the fastest", () => {
	const reaching = (ms: number, threw: boolean) => ({ ms, reached: { [open.id]: threw } });
	const reaches = new Map<string, Reach>([
		["test/admin/a.test.ts", { shared: {}, tests: { quick: reaching(1, false), threw: reaching(9, true) } }],
		["test/rights/b.test.ts", { shared: {}, tests: { slow: reaching(8, false), other: { ms: 1, reached: {} } } }],
		["test/rights/c.test.ts", { shared: { [open.id]: false }, tests: { hook: { ms: 5, reached: {} } } }],
	]);
	expect(chooseTests(open, reaches).map(({ test }) => test)).toEqual(["threw", "hook", "slow", "quick"]);
});
