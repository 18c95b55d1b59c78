import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { collectTests, DOCS, namedFiles, readTests, renderThreatModel, THREATS } from "./write-threat-model.ts";

describe("the threat model", () => {
	it("matches the pages that `pnpm docs:threats` writes", () => {
		const files = ["threat-model.md", ...globSync("threats/*.md", { cwd: DOCS.pathname })].toSorted();
		const written = files.map((file): [string, string] => [file, readFileSync(new URL(file, DOCS), "utf8")]);
		expect(Object.fromEntries(written)).toEqual(Object.fromEntries(renderThreatModel()));
	});

	it("has every row once, in order", () => {
		expect(THREATS.map(({ number }) => number)).toEqual(THREATS.map((_, index) => index + 1));
	});

	it("has a test for every covered row", () => {
		const named = new Set(collectTests().map(({ threat }) => threat));
		const untested = THREATS.filter(({ status, number }) => status === "covered" && !named.has(number));
		expect(untested.map(({ number }) => number)).toEqual([]);
	});

	it("has every row that a test names", () => {
		const rows = new Set(THREATS.map(({ number }) => number));
		expect(collectTests().filter(({ threat }) => !rows.has(threat))).toEqual([]);
	});

	it("names existing files", () => {
		const named = THREATS.flatMap(({ defense, remark = "" }) => namedFiles(`${defense} ${remark}`));
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
	});
});

describe("a comment that names a row", () => {
	const read = (text: string) => readTests("x.test.ts", text).map(({ threat, title }) => `${threat} ${title}`);

	it("belongs to the test below it or around it", () => {
		const above = "// threat 1: why\n// threats 2, 3 and 4\ndescribe.each([1])('on %s', () => {});";
		expect(read(above)).toEqual(["1 on …", "2 on …", "3 on …", "4 on …"]);
		const inside = `describe("a", () => { it("b", f); it(\`c \${1} d\`, () => {\n// threat 5\nf(); }); });`;
		expect(read(inside)).toEqual(["5 a › c … d"]);
	});

	it("belongs to a check of the conformance suite", () => {
		expect(read("const checks = {\n\t// threat 6\n\t'D-1': check('does', async () => {}),\n};")).toEqual(["6 does"]);
	});

	it("is an error without a test", () => {
		expect(() => read("// threat 7\nconst x = 1;")).toThrow("does not belong to a test");
	});
});
