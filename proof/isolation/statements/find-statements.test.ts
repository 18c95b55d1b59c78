import { expect, it } from "vitest";
import { EXPLAINED, explains } from "./explained.ts";
import { findStatements, statementsIn } from "./find-statements.ts";
import { makeRemovable } from "./removable.ts";

const SAMPLE = `const open = async (row) => {
	if (!row) throw new Error("none");
	else await rows.assertOpen(row, () => { throw new Error("closed"); });
	const name = requireName(row);
	guardian(row);
	checkKeys(row);
};
`;

it("finds throws and calls of checks whose result is not used", () => {
	expect(statementsIn("sample.ts", SAMPLE).map(({ kind, line }) => [kind, line])).toEqual([
		["throw", 2],
		["check", 3],
		["throw", 3],
		["check", 6],
	]);
});

it("gives equal statements of a file different ids, which do not depend on the line", () => {
	const ids = statementsIn("sample.ts", "check();\ncheck();").map(({ id }) => id);
	expect(new Set(ids).size).toBe(2);
	expect(statementsIn("sample.ts", "\n\ncheck();\ncheck();").map(({ id }) => id)).toEqual(ids);
	const all = findStatements().map(({ id }) => id);
	expect(new Set(all).size).toBe(all.length);
});

it("removes one statement in memory and keeps the lines, the else and the others", () => {
	const source = `(closed) => {
	const seen = [];
	const assertOpen = () => { if (closed) throw new Error("closed"); };
	if (!closed) assertOpen();
	else assertOpen();
	return "open";
}`;
	const [thrown, , second] = statementsIn("sample.js", source).map(({ id }) => id);
	const changed = makeRemovable("sample.js", source);
	expect(changed.split("\n")).toHaveLength(source.split("\n").length);
	const run = (removed: string | undefined): string => {
		const threw: string[] = [];
		const watchStatements = { runs: (id: string) => id !== removed, threw: (id: string) => threw.push(id) };
		const load = new Function("globalThis", `return ${changed}`) as (global: object) => (closed: boolean) => string;
		try {
			return load({ watchStatements })(true);
		} catch {
			return `threw in ${threw.length}`;
		}
	};
	expect([run(undefined), run(thrown), run(second)]).toEqual(["threw in 1", "open", "open"]);
});

it("finds each explained statement exactly once in the sources", () => {
	const statements = findStatements();
	expect(EXPLAINED.filter((one) => statements.filter((statement) => explains(one, statement)).length !== 1)).toEqual(
		[],
	);
});
