import type { SecondaryStorage } from "@better-auth/core/db";
import { defineService } from "../../engine/service.ts";
import { createBreaker } from "../../lib/breaker.ts";
import { noticingFailures } from "../../scope/pin/outage.ts";
import type { Increment, SharedCount } from "./count-in-window.ts";

/** Where the processes of an instance count together, scoped to the tenant of the request. */
export const sharedCountOf = defineService<SharedCount | undefined>("sharedCount");

/**
 * Where processes count requests together.
 *
 * @example
 * ```ts
 * const counter = redisStorage({ client, keyPrefix: "counter:" });
 * tenantAuth({ limits: { counters: { increment: counter.increment, timeout: 0.2 } } });
 * ```
 */
export type CountersOptions = {
	/** Adds one to the count of a key, atomically, and returns it. The first of a window sets how many seconds the key lasts. */
	increment: Increment;
	/**
	 * Seconds to wait for a count. Above it, this process counts alone, and for a second the other count is not asked.
	 * @default 0.15
	 */
	timeout?: number;
};

/** Where processes count together: in what the application chose, or in the secondary storage. */
export const findSharedCount = (
	counters: Required<CountersOptions> | null,
	storage: SecondaryStorage | undefined,
): SharedCount | undefined => {
	if (counters) {
		const { run } = createBreaker({ patience: counters.timeout * 1_000 });
		return { increment: (key, seconds) => run(() => counters.increment(key, seconds)), isOptional: true };
	}
	// the engine requires `increment` only if its own rate limits use the storage
	if (!storage?.increment) return undefined;
	const { increment } = noticingFailures({ increment: storage.increment.bind(storage) });
	return { increment: async (key, seconds) => increment(key, seconds), isOptional: false };
};
