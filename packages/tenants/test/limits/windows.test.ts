import { describe, expect, it } from "vitest";
import { createWindows } from "../../src/limits/windows.ts";

const LENGTH = 600_000;

describe("counters in memory", () => {
	const fill = (windows: ReturnType<typeof createWindows>, name: string, keys: number, times: number): void => {
		for (let number = 0; number < keys; number += 1)
			for (let time = 0; time < times; time += 1) windows.countOne(`${name}-${number}`, 0);
	};

	it("evict the oldest infrequent counter when full", () => {
		const windows = createWindows(LENGTH, 100);
		fill(windows, "first", 1, 1);
		fill(windows, "second", 1, 1);
		fill(windows, "other", 99, 1);
		expect(windows.countOne("second-0", 0).count).toBe(2);
		expect(windows.countOne("first-0", 0).count).toBe(1);
	});

	it("keep a frequent counter, however many infrequent ones come", () => {
		const windows = createWindows(LENGTH, 100);
		fill(windows, "victim", 1, 20);
		fill(windows, "made up", 5_000, 10);
		expect(windows.countOne("victim-0", 0).count).toBe(21);
		// evicting it takes as many frequent counters as there are slots
		fill(windows, "made up", 100, 11);
		expect(windows.countOne("victim-0", 0).count).toBe(1);
	});

	it("restart when their window ends, frequent or not", () => {
		const windows = createWindows(LENGTH);
		fill(windows, "seldom", 1, 3);
		fill(windows, "often", 1, 30);
		for (const key of ["seldom-0", "often-0"]) {
			expect(windows.countOne(key, LENGTH - 1).count).toBeGreaterThan(1);
			expect(windows.countOne(key, LENGTH)).toEqual({ count: 1, ends: 2 * LENGTH });
			expect(windows.countOne(key, LENGTH).count).toBe(2);
		}
	});
});
