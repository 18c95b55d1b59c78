import type { BetterAuthOptions } from "@better-auth/core";
import { BoundedCache } from "../../lib/bounded-cache.ts";

/** More hosts than one process serves at a time. */
const MOST = 1000;

/**
 * With a base URL per host, the engine copies its options for each request. What it derives from them, such as the fields of a
 * user, it keeps by object, so it would build its tables twice per request. This returns the same object for equal options.
 */
export const createKeptOptions = () => {
	const kept = new BoundedCache<BetterAuthOptions>({ maxSize: MOST, maxAge: Number.POSITIVE_INFINITY });
	return (options: BetterAuthOptions): BetterAuthOptions => {
		if (typeof options.baseURL !== "string") return options;
		const known = kept.get(options.baseURL);
		if (known && isSame(known, options)) return known;
		kept.set(options.baseURL, options);
		return options;
	};
};

const isSame = (one: BetterAuthOptions, other: BetterAuthOptions): boolean => {
	if (one === other) return true;
	const names = Object.keys(one) as (keyof BetterAuthOptions)[];
	return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};
