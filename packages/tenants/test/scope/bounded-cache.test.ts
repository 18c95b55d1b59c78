import { afterEach, describe, expect, it, vi } from "vitest";
import { BoundedCache } from "../../src/scope/bounded-cache.ts";

describe("the cache", () => {
	afterEach(() => void vi.useRealTimers());

	it("ages entries from the query, not from the response: a slow database extends nothing", async () => {
		vi.useFakeTimers();
		const cache = new BoundedCache<string>({ maxSize: 10, maxAge: 5 });
		const load = async (): Promise<string> => {
			await new Promise((resolve) => setTimeout(resolve, 3_000));
			return "found";
		};
		const loaded = cache.getOrLoad("acme", load);
		await vi.advanceTimersByTimeAsync(3_000);
		expect(await loaded).toBe("found");
		await vi.advanceTimersByTimeAsync(1_999);
		expect(cache.get("acme")).toBe("found");
		await vi.advanceTimersByTimeAsync(1);
		expect(cache.get("acme")).toBeUndefined();
	});
});
