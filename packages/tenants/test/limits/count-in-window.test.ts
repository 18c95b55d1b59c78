import { afterEach, expect, it, vi } from "vitest";
import { countInWindow } from "../../src/load/limits/count-in-window.ts";

afterEach(() => {
	vi.useRealTimers();
});

it("returns the seconds left in the window, which rejected requests do not extend", async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	const count = countInWindow({ window: 10, max: 1 }, undefined);
	expect(await count("a")).toBe(0);
	expect(await count("a")).toBe(10);
	vi.setSystemTime(Date.now() + 8_500);
	expect(await count("a")).toBe(2);
	expect(await count("b")).toBe(0);
	vi.setSystemTime(Date.now() + 1_500);
	expect(await count("a")).toBe(0);
});

it("rejects the request if the storage returns no number", async () => {
	const increment = async () => undefined as never;
	expect(await countInWindow({ window: 10, max: 1 }, { increment, isOptional: false } as never)("a")).toBe(10);
});
