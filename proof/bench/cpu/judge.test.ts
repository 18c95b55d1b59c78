import { describe, expect, it } from "vitest";
import { judgeFlow } from "./judge.ts";
import type { Cpu } from "./result.ts";

const spread = (median: number) => ({ median, low: median, high: median });
const cpuOf = (side: Cpu["side"], ratio: number): Cpu => ({
	side,
	us: spread(100),
	mainThreadUs: 90,
	ratio: spread(ratio),
});
const at = (parallel: number, ...ratios: number[]) => ({
	parallel,
	sides: [cpuOf("bare", 1), ...ratios.map((ratio) => cpuOf("tenants, engine handler", ratio))],
});

describe("judging a flow", () => {
	it("reports the last side below its goal, for each number of requests at once", () => {
		const flow = { name: "sign-up", goal: 1, atOnce: [at(1, 1.1, 0.991), at(8, 1.1, 0.75)] };
		expect(judgeFlow(flow)).toEqual([
			"sign-up, 1 at once: 0.991 of the engine's speed by CPU time; 1.00 is the goal",
			"sign-up, 8 at once: 0.750 of the engine's speed by CPU time; 1.00 is the goal",
		]);
	});

	it("accepts the goal itself, whatever the other sides take", () => {
		expect(judgeFlow({ name: "session", goal: 1.2, atOnce: [at(1, 0.5, 1.2), at(8, 0.5, 1.3)] })).toEqual([]);
	});

	it("reports a flow that was not measured", () => {
		expect(judgeFlow({ name: "session", goal: 1.2, atOnce: [{ parallel: 1, sides: [] }] })).toHaveLength(1);
	});
});
