import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLANTED_LEAKS } from "./planted-leaks.ts";
import { type KitRuns, kitResults, PAGE, RESULTS, withRecordedRun } from "./recorded-run.ts";

it("docs/testing.md shows the recorded run, which holds what it promises", async () => {
	const recorded = await kitResults.read<KitRuns>(RESULTS);
	if (!recorded) throw new Error("Nothing is recorded. Run: pnpm --filter surface kit");
	const page = readFileSync(PAGE, "utf8");
	expect(withRecordedRun(page, recorded)).toBe(page);
	for (const run of recorded.runs) {
		expect(run).toMatchObject({ leaks: 0, linesPrinted: 0 });
		expect(run.cpuSeconds).toBeLessThan(60);
	}
	expect(recorded.planted.map(({ mistake }) => mistake)).toEqual(PLANTED_LEAKS.map(({ mistake }) => mistake));
	for (const { found } of recorded.planted) expect(found).not.toBe("nothing");
});
