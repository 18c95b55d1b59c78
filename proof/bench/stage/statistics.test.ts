import { describe, expect, it } from "vitest";
import { median, quantile, spreadOf } from "./statistics.ts";

describe("quantiles", () => {
	it("interpolate between the nearest values", () => {
		expect(median([4, 1, 3, 2])).toBe(2.5);
		expect(median([3, 1, 2])).toBe(2);
		expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
		expect(quantile([0, 10], 0.75)).toBe(7.5);
	});

	it("are 0 without values", () => {
		expect(median([])).toBe(0);
	});

	it("make a spread, rounded", () => {
		expect(spreadOf([1, 2, 3, 4, 5.123], 1)).toEqual({ median: 3, low: 2, high: 4 });
	});
});
