import { describe, expect, it, vi } from "vitest";
import { createProgress } from "../../src/features/testing/progress.ts";

const CLEAR = "\r\u001b[2K";

const walk = (terminal?: { write: (text: string) => void }) => {
	vi.useFakeTimers({ toFake: ["Date"] });
	const lines: string[] = [];
	const progress = createProgress({ log: (line) => lines.push(line), calls: () => 7, terminal });
	progress.begin("attacking", 3);
	for (const seconds of [1, 4, 1]) {
		vi.advanceTimersByTime(seconds * 1_000);
		progress.step();
	}
	progress.end();
	vi.useRealTimers();
	return lines;
};

describe("the progress of the isolation test", () => {
	it("is a line every five seconds", () => {
		expect(walk()).toEqual(["attacking: 2 of 3, 7 calls, 5 s"]);
	});

	it("is one line that changes in a terminal", () => {
		const written: string[] = [];
		expect(walk({ write: (text) => written.push(text) })).toEqual([]);
		expect(written).toEqual([
			`${CLEAR}attacking: 1 of 3, 7 calls, 1 s`,
			`${CLEAR}attacking: 2 of 3, 7 calls, 5 s`,
			`${CLEAR}attacking: 3 of 3, 7 calls, 6 s`,
			CLEAR,
		]);
	});
});
