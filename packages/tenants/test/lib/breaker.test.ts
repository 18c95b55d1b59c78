import { expect, it } from "vitest";
import { createBreaker } from "../../src/lib/breaker.ts";

const createWatched = (patience = 10_000) => {
	const clock = { now: 0 };
	const breaker = createBreaker({ patience, now: () => clock.now });
	const asked = { times: 0 };
	const call = (response: () => Promise<string>) =>
		breaker.run(() => {
			asked.times += 1;
			return response();
		});
	return { clock, breaker, asked, call };
};

const down = async (): Promise<string> => {
	throw new Error("down");
};

it("asks nobody for a second after a failure, and then again", async () => {
	const { clock, breaker, asked, call } = createWatched();
	expect(await call(async () => "here")).toBe("here");
	await expect(call(down)).rejects.toThrow("down");
	expect(breaker.isClosed()).toBe(false);
	clock.now += 999;
	await expect(call(async () => "here")).rejects.toThrow("It failed a moment ago");
	expect(asked.times).toBe(2);
	clock.now += 1;
	expect(await call(async () => "here")).toBe("here");
	expect([asked.times, breaker.isClosed()]).toEqual([3, true]);
	expect(await call(async () => "here")).toBe("here");
});

it("lets one call try, while the others go on without", async () => {
	const { clock, asked, call } = createWatched();
	await expect(call(down)).rejects.toThrow("down");
	clock.now += 1_000;
	let answer = (_: string): void => {};
	const trial = call(
		() =>
			new Promise((resolve) => {
				answer = resolve;
			}),
	);
	await expect(call(async () => "here")).rejects.toThrow("It failed a moment ago");
	answer("back");
	expect(await trial).toBe("back");
	expect(await call(async () => "here")).toBe("here");
	expect(asked.times).toBe(3);
});

it("ends a call that never returns", async () => {
	const { breaker, call } = createWatched(5);
	await expect(call(() => new Promise(() => {}))).rejects.toThrow("It takes too long");
	expect(breaker.isClosed()).toBe(false);
});
