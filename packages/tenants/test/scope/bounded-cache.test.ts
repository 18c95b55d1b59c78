import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BoundedCache } from "../../src/lib/bounded-cache.ts";

/** A load that ends when it is told to. */
const createLoad = () => {
	const pending: ((value: string) => void)[] = [];
	const load = vi.fn(() => new Promise<string>((resolve) => pending.push(resolve)));
	return { load, end: (value: string) => pending.shift()?.(value) };
};

describe("the cache", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("ages entries from the query, not from the response: a slow database extends nothing", async () => {
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

	it("removes the oldest entry when it is full, and keeps one that was set again", () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		cache.set("acme", "1");
		cache.set("globex", "1");
		cache.set("acme", "2");
		cache.set("initech", "1");
		expect(["acme", "globex", "initech"].map((key) => cache.get(key))).toEqual(["2", undefined, "1"]);
	});

	it("removes nothing if an entry is set again", () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		for (const [key, value] of [
			["acme", "1"],
			["globex", "1"],
			["globex", "2"],
		] as const)
			cache.set(key, value);
		expect(["acme", "globex"].map((key) => cache.get(key))).toEqual(["1", "2"]);
	});

	it("keeps nothing without an age", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 0 });
		cache.set("acme", "1");
		// the clock does not move, so an entry would not be old yet
		expect(cache.get("acme")).toBeUndefined();
	});

	it("loads an entry once, and again after it was deleted or grew old", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		const load = vi.fn(async () => "found");
		for (let n = 0; n < 2; n += 1) expect(await cache.getOrLoad("acme", load)).toBe("found");
		expect(load).toHaveBeenCalledTimes(1);
		cache.delete("globex");
		await cache.getOrLoad("acme", load);
		expect(load).toHaveBeenCalledTimes(1);
		cache.delete("acme");
		await cache.getOrLoad("acme", load);
		expect(load).toHaveBeenCalledTimes(2);
		vi.advanceTimersByTime(5_000);
		await cache.getOrLoad("acme", load);
		expect(load).toHaveBeenCalledTimes(3);
	});

	it("keeps no value that the caller does not want kept", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		expect(
			await cache.getOrLoad(
				"acme",
				async () => "missing",
				(value) => value !== "missing",
			),
		).toBe("missing");
		expect(cache.get("acme")).toBeUndefined();
		expect(
			await cache.getOrLoad(
				"acme",
				async () => "found",
				(value) => value !== "missing",
			),
		).toBe("found");
		expect(cache.get("acme")).toBe("found");
	});

	// a tenant that is closed while its state is read must not stay open in the cache
	it("keeps no value whose key was deleted while it loaded, also by one of two loads", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		const { load, end } = createLoad();
		const [first, second] = [cache.getOrLoad("acme", load), cache.getOrLoad("acme", load)];
		cache.delete("acme");
		end("open");
		expect(await first).toBe("open");
		expect(cache.get("acme")).toBeUndefined();
		end("open");
		expect(await second).toBe("open");
		expect(cache.get("acme")).toBeUndefined();
		const later = cache.getOrLoad("acme", load);
		end("closed");
		await later;
		expect(cache.get("acme")).toBe("closed");
	});

	it("knows a load that runs while another one of the key ends", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		const { load, end } = createLoad();
		const [first, second] = [cache.getOrLoad("acme", load), cache.getOrLoad("acme", load)];
		end("open");
		await first;
		cache.delete("acme");
		end("open");
		await second;
		expect(cache.get("acme")).toBeUndefined();
	});

	it("forgets a load that fails", async () => {
		const cache = new BoundedCache<string>({ maxSize: 2, maxAge: 5 });
		const failing = cache.getOrLoad("acme", async () => Promise.reject(new Error("no connection")));
		await expect(failing).rejects.toThrow("no connection");
		expect(await cache.getOrLoad("acme", async () => "found")).toBe("found");
	});
});
