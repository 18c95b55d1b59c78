import { onTestFinished, vi } from "vitest";

/** Moves the clock forward and stops it there until the test ends. Timers keep running. */
export const passTime = (milliseconds: number): void => {
	if (!vi.isFakeTimers()) {
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		onTestFinished(() => void vi.useRealTimers());
	}
	vi.setSystemTime(Date.now() + milliseconds);
};
