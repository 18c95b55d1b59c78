import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FLAGS } from "./allocated-bytes.ts";

/** Measures in a process with the options, again if V8 happened to collect garbage. */
const measure = (act: string, { attempts }: { attempts: number }): string =>
	execFileSync(
		process.execPath,
		[
			...FLAGS,
			"--input-type=module",
			"--eval",
			`import { measureAllocated } from ${JSON.stringify(new URL("./allocated-bytes.ts", import.meta.url).href)};
			const act = async () => { ${act} };
			await measureAllocated(act);
			let bytes = null;
			for (let attempt = 0; bytes === null && attempt < ${attempts}; attempt += 1) bytes = await measureAllocated(act);
			console.log(bytes);`,
		],
		{ encoding: "utf8" },
	).trim();

describe("allocated bytes", () => {
	it("are counted, whether or not they are garbage", () => {
		// 8 bytes for each element of an array, and a header of 16
		const garbage = Number(measure("for (let n = 0; n < 1000; n += 1) new Array(1000).fill(0.5);", { attempts: 10 }));
		expect(garbage / 8_000_000).toBeGreaterThan(0.99);
		expect(garbage / 8_000_000).toBeLessThan(1.05);
	});

	it("are unknown if garbage was collected meanwhile", () => {
		expect(
			measure("for (let n = 0; n < 1000; n += 1) new Array(1000).fill(0.5); globalThis.gc({ type: 'minor' });", {
				attempts: 1,
			}),
		).toBe("null");
	});
});
