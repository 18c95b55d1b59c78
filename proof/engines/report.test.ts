import { expect, it } from "vitest";
import { composeReport } from "./report.ts";

const found = { newer: "1.7.22", catalog: "1.7.18", overrides: { "better-call": "1.4.0" }, asked: 2 };
const result = (part: string, failed: number) => ({
	engine: "1.7.22",
	part,
	command: `pnpm ${part}`,
	passed: 5,
	failed,
	seconds: 60,
	cpuSeconds: 90,
});

it("names the release in its title, what was installed, and the next steps", () => {
	const report = composeReport({ ...found, results: [] });
	expect(report.split("\n")[0]).toBe("# Better Auth 1.7.22 is newer than 1.7.18");
	expect(report).toContain("0 of 2 suites ran.");
	expect(report).toContain("`better-call@1.4.0`");
	expect(report).toContain("NEWEST_TESTED");
});

it("says whether the suites pass only after all of them ran", () => {
	const report = (...failed: number[]) =>
		composeReport({ ...found, results: failed.map((count, at) => result(["test", "surface"][at] ?? "", count)) });
	expect(report(0)).toContain("1 of 2 suites ran.");
	expect(report(0, 0)).toContain("All suites pass.");
	expect(report(0, 2)).toContain("These suites fail: surface.");
});
