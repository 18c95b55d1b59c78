import { describe, expect, it } from "vitest";
import { playStore } from "./run-rights.ts";
import { STORES, type Store } from "./stores.ts";

const [store] = STORES as [Store];
const play = async (seed: number) => {
	const lines: string[] = [];
	const trace = (line: string) => void lines.push(line);
	return { result: await playStore({ store, operations: 60, seed, trace }), lines };
};

describe("random operations while rights end", () => {
	it("act with no right that ended, and come in the same order with the same seed", { timeout: 120_000 }, async () => {
		const [one, other] = [await play(4), await play(4)];
		expect(one.result.violations).toEqual([]);
		expect(one.lines).toEqual(other.lines);
		// a model that holds nothing, or in which nothing succeeds, would pass as well
		expect(one.result.held).toBeGreaterThan(5);
		const succeeded = Object.values(one.result.counts).reduce((sum, count) => sum + count.succeeded, 0);
		expect(succeeded).toBeGreaterThan(20);
	});
});
