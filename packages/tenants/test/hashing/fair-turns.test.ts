import { setImmediate as tick, setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createFairTurns } from "../../src/lib/fair-turns.ts";

/** Tasks that end on demand, and the order in which they started. */
const createBench = (options: Partial<Parameters<typeof createFairTurns>[0]> = {}) => {
	const { inTurn: turns } = createFairTurns({ concurrency: 1, maxQueuePerGroup: 100, maxWait: 10_000, ...options });
	const begun: string[] = [];
	const ends: (() => void)[] = [];
	const send = (group: string) =>
		turns(group, () => {
			begun.push(group);
			return new Promise<string>((resolve) => ends.push(() => resolve(group)));
		});
	const endOne = async () => {
		ends.shift()?.();
		await tick();
	};
	return { begun, ends, send, endOne };
};

describe("fair turns", () => {
	it("serves a late group after one more task of the group that fills the queue", async () => {
		const { begun, send, endOne } = createBench();
		for (let i = 0; i < 20; i++) void send("loud");
		void send("quiet");
		await tick();
		await endOne();
		await endOne();
		expect(begun).toEqual(["loud", "loud", "quiet"]);
	});

	it("never runs more tasks than `concurrency` at once, and runs all of them", async () => {
		const { begun, ends, send, endOne } = createBench({ concurrency: 3 });
		const all = Promise.all(Array.from({ length: 50 }, (_, i) => send(`group-${i % 7}`)));
		for (let done = 0; done < 50; done++) {
			await tick();
			expect(ends.length).toBeLessThanOrEqual(3);
			expect(ends.length).toBeGreaterThan(0);
			await endOne();
		}
		expect(await all).toHaveLength(50);
		expect(begun).toHaveLength(50);
	});

	it("rejects a task if its group's queue is full, and accepts other groups", async () => {
		const { send, endOne } = createBench({ maxQueuePerGroup: 2 });
		const loud = [send("loud"), send("loud"), send("loud"), send("loud")];
		const quiet = send("quiet");
		expect(await loud[3]).toEqual({ noTurn: "full" });
		for (let i = 0; i < 4; i++) await endOne();
		expect(await quiet).toEqual({ result: "quiet" });
		expect(await Promise.all(loud.slice(0, 3))).toEqual(Array(3).fill({ result: "loud" }));
	});

	it("rejects a task that waited too long, and runs the next one", async () => {
		const { begun, send, endOne } = createBench({ maxWait: 20 });
		const first = send("a");
		expect(await send("a")).toEqual({ noTurn: "late" });
		const third = send("b");
		await endOne();
		await endOne();
		expect(await first).toEqual({ result: "a" });
		expect(await third).toEqual({ result: "b" });
		expect(begun).toEqual(["a", "b"]);
	});

	it("runs the next task if one fails", async () => {
		const { inTurn: turns } = createFairTurns({ concurrency: 1, maxQueuePerGroup: 1, maxWait: 1_000 });
		await expect(turns("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
		expect(await turns("a", async () => wait(1, "done"))).toEqual({ result: "done" });
	});
});

describe("a reserved slot", () => {
	const options = { concurrency: 1, maxQueuePerGroup: 2, maxWait: 10_000 };

	it("is available for as many tasks as may wait or run, per group", () => {
		const { keepPlace, leave } = createFairTurns(options);
		const kept = [keepPlace("loud"), keepPlace("loud"), keepPlace("loud")];
		expect(kept.every(Boolean)).toBe(true);
		expect(keepPlace("loud")).toBeNull();
		expect(keepPlace("quiet")).not.toBeNull();
		if (kept[0]) leave(kept[0]);
		expect(keepPlace("loud")).not.toBeNull();
		expect(keepPlace("loud")).toBeNull();
	});

	it("expires", () => {
		vi.useFakeTimers();
		try {
			const { keepPlace } = createFairTurns(options);
			for (let number = 0; number < 3; number += 1) keepPlace("gone");
			expect(keepPlace("gone")).toBeNull();
			vi.advanceTimersByTime(2_001);
			expect(keepPlace("gone")).not.toBeNull();
		} finally {
			vi.useRealTimers();
		}
	});
});
