import { describe, expect, it } from "vitest";
import { mannWhitney, medianOf } from "./mann-whitney.ts";

describe("the comparison of two series of times", () => {
	it("computes a p from published tables: five values below five others", () => {
		const { u, p } = mannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]);
		expect(u).toBe(0);
		expect(p).toBeCloseTo(0.0122, 4);
	});

	it("finds no difference in equal series, and counts ties as halves", () => {
		expect(mannWhitney([1, 1, 1], [1, 1, 1])).toEqual({ u: 4.5, p: 1 });
		expect(mannWhitney([1, 2, 3, 4], [1, 2, 3, 4]).p).toBeCloseTo(1, 6);
	});

	it("detects a small shift in many samples, in either direction", () => {
		const times = Array.from({ length: 500 }, (_, at) => (at * 7919) % 1_000);
		const later = times.map((time) => time + 100);
		const [one, other] = [mannWhitney(times, later).p, mannWhitney(later, times).p];
		expect(one).toBeLessThan(0.001);
		expect(other).toBeCloseTo(one, 10);
	});

	it("uses the middle as the median", () => {
		expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([2, 2.5]);
	});
});
