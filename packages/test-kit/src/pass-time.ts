import { onTestFinished, vi } from "vitest";

/** Moves the clock ahead, and stops it there until the test ends. Timers go on as before. */
export const passTime = (milliseconds: number): void => {
	if (!vi.isFakeTimers()) {
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		onTestFinished(() => void vi.useRealTimers());
	}
	vi.setSystemTime(Date.now() + milliseconds);
};
