import type { SecondaryStorage } from "@better-auth/core/db";
import { BoundedCache } from "../scope/bounded-cache.ts";
import { type CountInWindow, countInWindow, type Limit } from "./count-in-window.ts";

export type Counters = (limit: Limit) => CountInWindow;

/** Counts by limits that are known with the request. Keys with the same limit share a counter. */
export const createCounters = (storage: SecondaryStorage | undefined): Counters => {
	const counters = new BoundedCache<CountInWindow>({ maxSize: 1_000, maxAge: 86_400 });
	return (limit) => {
		const key = `${limit.window}:${limit.max}`;
		const known = counters.get(key);
		if (known) return known;
		const counter = countInWindow(limit, storage);
		counters.set(key, counter);
		return counter;
	};
};
