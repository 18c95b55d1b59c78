import type { SecondaryStorage } from "@better-auth/core/db";
import { createWindows } from "./windows.ts";

export type Limit = {
	/** in seconds */
	window: number;
	/** requests per window; further requests get 429 */
	max: number;
};

/** Counts one request. Returns 0 if it is allowed, otherwise the seconds to wait. */
export type CountInWindow = (key: string) => Promise<number>;

/**
 * Counts by key in fixed windows. Uses the secondary storage, shared by all processes, or else the memory of this
 * process. A window starts with its first request.
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

const countInMemory = ({ window, max }: Limit): CountInWindow => {
	const windows = createWindows(window * 1_000);
	return async (key) => {
		const { count, ends } = windows.countOne(key, Date.now());
		return count <= max ? 0 : Math.ceil((ends - Date.now()) / 1_000);
	};
};
