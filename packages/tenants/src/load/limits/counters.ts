import {
	type CountInWindow,
	countInMemory,
	countInWindow,
	countShared,
	type Limit,
	type SharedCount,
} from "./count-in-window.ts";
import { createWindows } from "./windows.ts";

export type Counters = (limit: Limit) => CountInWindow;

/**
 * Counts by limits that are known with the request. In memory, all limits share one bounded set of counters, whose owners push
 * out only their own. A set for each limit would have to be bounded too: a tenant that changes its limit often would push out
 * the counters of the others.
 */
export const createCounters = (shared: SharedCount | undefined): Counters => {
	if (shared && !shared.isOptional) return (limit) => countInWindow(limit, shared);
	const windows = createWindows();
	return (limit) => {
		const count = shared ? countShared(limit, shared, windows) : countInMemory(limit, windows);
		return (key, owner) => count(`${limit.window}:${limit.max}:${key}`, owner);
	};
};
