import { expect, it } from "vitest";
import { createLocalCounts } from "../../src/lib/count-locally.ts";

it("counts in windows of fixed length, each key by itself", () => {
	let now = 0;
	const { increment } = createLocalCounts(() => now);
	expect([increment("a", 10), increment("a", 10), increment("b", 10)]).toEqual([1, 2, 1]);
	now = 9_999;
	expect(increment("a", 10)).toBe(3);
	now = 10_000;
	expect([increment("a", 10), increment("a", 10)]).toEqual([1, 2]);
});

it("keeps a bounded number of windows, and drops the oldest first", () => {
	const { increment } = createLocalCounts(() => 0);
	for (const key of ["first", "second"]) increment(key, 60);
	for (let number = 0; number < 99_999; number += 1) increment(`other ${number}`, 60);
	expect(increment("second", 60)).toBe(2);
	expect(increment("first", 60)).toBe(1);
});
