import type { SecondaryStorage } from "@better-auth/core/db";
import { createWindows, type Owner } from "./windows.ts";

/**
 * At most `max` requests in `window` seconds.
 *
 * @example
 * ```ts
 * const perTenant: Limit = { window: 10, max: 1_000 };
 * ```
 */
export type Limit = {
	/** Length of the window in seconds. It starts with the first request that is counted in it. */
	window: number;
	/** Requests per window. The next request returns 429. */
	max: number;
};

/**
 * Counts one request. Returns the seconds to wait before a retry, or 0 if the request is within the limit. If the memory for
 * counters is full, the owner with the most of them loses one.
 */
export type CountInWindow = (key: string, owner?: Owner) => Promise<number>;

/**
 * Counts by key, in the secondary storage for all processes, or in this process if there is no secondary storage. A window
 * starts with the first request that is counted in it and has a fixed length.
 */
export const countInWindow = (limit: Limit, storage: SecondaryStorage | undefined): CountInWindow =>
	storage ? countInStorage(limit, storage) : countInMemory(limit);

const countInStorage =
	({ window, max }: Limit, storage: SecondaryStorage): CountInWindow =>
	async (key) => {
		const count = await storage.increment(key, window);
		// a result that is not a number counts as over the limit
		return count <= max ? 0 : window;
	};

/** The same in this process, in windows that other limits may share. */
export const countInMemory =
	({ window, max }: Limit, windows = createWindows()): CountInWindow =>
	async (key, owner) => {
		const { count, ends } = windows.countOne({ key, owner, now: Date.now(), length: window * 1_000 });
		return count <= max ? 0 : Math.ceil((ends - Date.now()) / 1_000);
	};
