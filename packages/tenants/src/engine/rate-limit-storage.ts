import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { willBeRefused } from "./uncounted-requests.ts";

type Consume = NonNullable<NonNullable<BetterAuthOptions["rateLimit"]>["customStorage"]>["consume"];
type Rule = Parameters<Consume>[1];
/** Counts one request. Returns the seconds to wait, or 0. */
type Count = (rule: Rule, key: string) => Promise<number>;
/** What the engine's rate limit uses of an adapter. */
type Counted = {
	create: (query: { model: string; data: Record<string, unknown> }) => unknown;
	findMany: (query: { model: string; where?: Where[] }) => unknown;
	incrementOne: (query: { model: string; where: Where[] }) => unknown;
};

/**
 * Lets the engine's rate limit count by other keys. The engine offers no such setting, but asks a storage of the application
 * first: this is that storage, in front of the application's own, of Redis or of the memory. Counters in the database are
 * renamed in `renameStored`.
 */
export const countByKey = (
	{ options, rateLimit }: Pick<AuthContext, "options" | "rateLimit">,
	{ keyOf, count, isShared }: { keyOf: (key: string) => string; count: Count; isShared: boolean },
): void => {
	const own = options.rateLimit?.customStorage;
	// without `increment`, the engine says so
	if (!own && (rateLimit.storage === "database" || (rateLimit.storage === "secondary-storage" && !isShared))) return;
	const countOne: Consume = async (key, rule) => {
		if (own) return own.consume(key, rule);
		const seconds = await count(rule, key);
		return { allowed: seconds === 0, retryAfter: seconds || null };
	};
	const consume: Consume = async (key, rule) => {
		try {
			return await countOne(keyOf(key), rule);
		} catch (error) {
			if (await willBeRefused(error)) return { allowed: true, retryAfter: null };
			throw error;
		}
	};
	options.rateLimit = { ...options.rateLimit, customStorage: { consume } };
};

/** The same for counters in the database. */
export const renameStored =
	(isCounters: (model: string) => boolean, keyOf: (key: string) => string) =>
	<Methods extends object>(methods: Methods): Methods => {
		const { create, findMany, incrementOne } = methods as Methods & Counted;
		const renamed = (where: Where[]): Where[] =>
			where.map((condition) =>
				condition.field === "key" && typeof condition.value === "string"
					? { ...condition, value: keyOf(condition.value) }
					: condition,
			);
		return {
			...methods,
			create: (query: Parameters<Counted["create"]>[0]) =>
				create(
					isCounters(query.model) && typeof query.data.key === "string"
						? { ...query, data: { ...query.data, key: keyOf(query.data.key) } }
						: query,
				),
			findMany: (query: Parameters<Counted["findMany"]>[0]) =>
				findMany(isCounters(query.model) && query.where ? { ...query, where: renamed(query.where) } : query),
			incrementOne: (query: Parameters<Counted["incrementOne"]>[0]) =>
				incrementOne(isCounters(query.model) ? { ...query, where: renamed(query.where) } : query),
		};
	};
