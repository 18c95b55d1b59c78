import type { SecondaryStorage } from "@better-auth/core/db";
import { createWindows } from "./windows.ts";

export type Limit = {
	/** seconds */
	window: number;
	/** requests in a window; the next one is answered 429 */
	max: number;
};

/** Counts one more, and answers the seconds after which the next may come: 0 where there was room for it. */
export type CountInWindow = (key: string) => Promise<number>;

/**
 * Counts by key: for all processes in the secondary storage, where there is one, as the engine's own limits can; else in
 * this process. A window begins with the first that is counted in it and ends whatever comes.
 */
export const countInWindow = (limit: Limit, storage: SecondaryStorage | undefined): CountInWindow =>
	storage ? countInStorage(limit, storage) : countInMemory(limit);

const countInStorage =
	({ window, max }: Limit, storage: SecondaryStorage): CountInWindow =>
	async (key) => {
		const count = await storage.increment(key, window);
		// whatever is no number is no room either
		return count <= max ? 0 : window;
	};

const countInMemory = ({ window, max }: Limit): CountInWindow => {
	const windows = createWindows(window * 1_000);
	return async (key) => {
		const { count, ends } = windows.countOne(key, Date.now());
		return count <= max ? 0 : Math.ceil((ends - Date.now()) / 1_000);
	};
};
