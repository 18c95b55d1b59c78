import { describe, expect, it } from "vitest";
import { summarizeRounds } from "./summarize-rounds.ts";
import type { Round } from "./undisturbed.ts";

const roundOf = (bare: number, tenants: number): Round => [
	{ process: bare, thread: bare / 2 },
	{ process: tenants, thread: tenants / 2 },
];

describe("the summary of rounds", () => {
	it("has the engine's CPU time over each side's, so that more is faster", () => {
		const [bare, tenants] = summarizeRounds([roundOf(1000, 800), roundOf(1000, 800)], 10);
		expect(bare).toEqual({
			us: { median: 100, low: 100, high: 100 },
			mainThreadUs: 50,
			ratio: { median: 1, low: 1, high: 1 },
		});
		expect(tenants?.us.median).toBe(80);
		expect(tenants?.ratio.median).toBe(1.25);
	});

	it("compares within a round, so that a slower machine changes no ratio", () => {
		const rounds = [1, 1.01, 1.02, 1.03].map((slower) => roundOf(1000 * slower, 2000 * slower));
		expect(summarizeRounds(rounds, 10)[1]?.ratio).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
	});

	it("leaves disturbed rounds out", () => {
		const rounds = [roundOf(1000, 1000), roundOf(1000, 9000), roundOf(1001, 1001), roundOf(5000, 1000)];
		expect(summarizeRounds(rounds, 1)[1]?.ratio).toEqual({ median: 1, low: 1, high: 1 });
	});

	it("throws if a side is missing in a round", () => {
		expect(() => summarizeRounds([roundOf(1, 1), [{ process: 1, thread: 1 }]], 1)).toThrow("a side is missing");
	});
});
