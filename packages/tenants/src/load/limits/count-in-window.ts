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

/** Adds one to the count of a key, and returns it. The first of a window sets how many seconds it lasts. */
export type Increment = (key: string, seconds: number) => Promise<number>;

/** Where all processes count together. */
export type SharedCount = {
	increment: Increment;
	/** this process counts too, and its count decides while the other one fails */
	isOptional: boolean;
};

/**
 * Counts by key, for all processes if they share a count, or in this process. A window starts with the first request that is
 * counted in it and has a fixed length.
 */
export const countInWindow = (limit: Limit, shared: SharedCount | undefined): CountInWindow =>
	shared ? countShared(limit, shared) : countInMemory(limit);

/** For all processes. */
export const countShared = (limit: Limit, shared: SharedCount, windows = createWindows()): CountInWindow => {
	const { window, max } = limit;
	const everywhere: CountInWindow = async (key) => {
		const count = await shared.increment(key, window);
		// a result that is not a number counts as over the limit
		return count <= max ? 0 : window;
	};
	if (!shared.isOptional) return everywhere;
	const here = countInMemory(limit, windows);
	// always both: a process that loses the other count must not begin at 0
	return async (key, owner) => {
		const waits = await Promise.all([here(key, owner), everywhere(key).catch(() => 0)]);
		return Math.max(...waits);
	};
};

/** In this process, in windows that other limits may share. */
export const countInMemory =
	({ window, max }: Limit, windows = createWindows()): CountInWindow =>
	async (key, owner) => {
		const { count, ends } = windows.countOne({ key, owner, now: Date.now(), length: window * 1_000 });
		return count <= max ? 0 : Math.ceil((ends - Date.now()) / 1_000);
	};
