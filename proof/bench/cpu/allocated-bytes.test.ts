import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FLAGS } from "./allocated-bytes.ts";

/** Measures in a process with the options. */
const measure = (act: string): string =>
	execFileSync(
		process.execPath,
		[
			...FLAGS,
			"--input-type=module",
			"--eval",
			`import { measureAllocated } from ${JSON.stringify(new URL("./allocated-bytes.ts", import.meta.url).href)};
			const kept = [];
			const act = async () => { ${act} };
			await measureAllocated(act);
			kept.length = 0;
			console.log(await measureAllocated(act));`,
		],
		{ encoding: "utf8" },
	).trim();

describe("allocated bytes", () => {
	it("are counted, whether or not they are garbage", () => {
		// 8 bytes for each element of an array, and a header of 16
		const garbage = Number(measure("for (let n = 0; n < 1000; n += 1) new Array(1000).fill(0.5);"));
		expect(garbage / 8_000_000).toBeGreaterThan(0.99);
		expect(garbage / 8_000_000).toBeLessThan(1.05);
	});

	it("are unknown if garbage was collected meanwhile", () => {
		expect(
			measure("for (let n = 0; n < 1000; n += 1) new Array(1000).fill(0.5); globalThis.gc({ type: 'minor' });"),
		).toBe("null");
	});
});
