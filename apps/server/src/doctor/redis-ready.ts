import type { RedisClient } from "../redis/client.ts";

/** Milliseconds to connect, and milliseconds for retries after the first failure. */
const LONGEST = 5_000;
const SECOND_CHANCE = 1_500;

/** Waits until a client is connected. Rejects with the error of the server or network. */
export const untilReady = (redis: RedisClient): Promise<void> =>
	new Promise((resolve, reject) => {
		if (redis.status === "ready") return resolve();
		let last: unknown = Object.assign(new Error("Redis does not respond"), { code: "ETIMEDOUT" });
		const fail = (): void => settle(() => reject(last));
		let timer = setTimeout(fail, LONGEST);
		let hasFailed = false;
		const note = (error: unknown): void => {
			last = error;
			if (hasFailed) return;
			hasFailed = true;
			clearTimeout(timer);
			timer = setTimeout(fail, SECOND_CHANCE);
		};
		const settle = (finish: () => void): void => {
			clearTimeout(timer);
			redis.off("error", note).off("ready", ready);
			finish();
		};
		const ready = (): void => settle(resolve);
		redis.on("error", note).on("ready", ready);
	});
