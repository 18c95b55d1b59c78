import { describe, expect, it } from "vitest";
import { createWindows } from "../../src/load/limits/windows.ts";

const LENGTH = 600_000;

describe("counters in memory", () => {
	const count = (windows: ReturnType<typeof createWindows>, key: string, now = 0) =>
		windows.countOne({ key, now, length: LENGTH });
	const fill = (windows: ReturnType<typeof createWindows>, name: string, keys: number, times: number): void => {
		for (let number = 0; number < keys; number += 1)
			for (let time = 0; time < times; time += 1)
				windows.countOne({ key: `${name}-${number}`, now: 0, length: LENGTH });
	};

	it("evict the oldest infrequent counter when full", () => {
		const windows = createWindows(100);
		fill(windows, "first", 1, 1);
		fill(windows, "second", 1, 1);
		fill(windows, "other", 99, 1);
		expect(count(windows, "second-0").count).toBe(2);
		expect(count(windows, "first-0").count).toBe(1);
	});

	it("keep a frequent counter, however many infrequent ones come", () => {
		const windows = createWindows(100);
		fill(windows, "victim", 1, 20);
		fill(windows, "made up", 5_000, 10);
		expect(count(windows, "victim-0").count).toBe(21);
		// evicting it takes as many frequent counters as there are slots
		fill(windows, "made up", 100, 11);
		expect(count(windows, "victim-0").count).toBe(1);
	});

	it("restart when their window ends, frequent or not", () => {
		for (const key of ["seldom-0", "often-0"]) {
			const windows = createWindows();
			fill(windows, "seldom", 1, 3);
			fill(windows, "often", 1, 30);
			expect(count(windows, key, LENGTH - 1).count).toBeGreaterThan(1);
			expect(count(windows, key, LENGTH)).toMatchObject({ count: 1, ends: 2 * LENGTH });
			expect(count(windows, key, LENGTH).count).toBe(2);
		}
	});
});
