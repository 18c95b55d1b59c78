import { describe, expect, it } from "vitest";
import { type Round, undisturbedRounds } from "./undisturbed.ts";

const roundOf = (...took: number[]): Round => took.map((process) => ({ process, thread: process }));

describe("undisturbed rounds", () => {
	it("are the half in which no side took longer than usual", () => {
		const quiet = [roundOf(100, 200), roundOf(101, 199), roundOf(99, 201)];
		const disturbed = [roundOf(160, 200), roundOf(100, 300), roundOf(150, 290)];
		const kept = undisturbedRounds([...disturbed, ...quiet]);
		expect(kept).toHaveLength(3);
		expect(kept).toEqual(expect.arrayContaining(quiet));
	});

	it("compare each side with its own median, so that a slow side is not the only one that counts", () => {
		const fastSideDisturbed = roundOf(15, 1000);
		const slowSideDisturbed = roundOf(10, 1500);
		const quiet = [roundOf(10, 1001), roundOf(10.1, 1000), roundOf(10, 999)];
		const kept = undisturbedRounds([fastSideDisturbed, slowSideDisturbed, ...quiet]);
		expect(kept).toEqual(expect.arrayContaining(quiet));
	});

	it("keep the middle of an odd number, and a single one", () => {
		expect(undisturbedRounds([1, 2, 3, 4, 5].map((took) => roundOf(took)))).toHaveLength(3);
		expect(undisturbedRounds([roundOf(7)])).toEqual([roundOf(7)]);
		expect(undisturbedRounds([])).toEqual([]);
	});

	it("leave the given rounds as they are", () => {
		const given = [roundOf(3), roundOf(1), roundOf(2)];
		undisturbedRounds(given);
		expect(given).toEqual([roundOf(3), roundOf(1), roundOf(2)]);
	});
});
