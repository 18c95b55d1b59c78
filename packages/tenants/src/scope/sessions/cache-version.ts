import type { BetterAuthOptions } from "@better-auth/core";

type CookieCache = NonNullable<NonNullable<BetterAuthOptions["session"]>["cookieCache"]>;
type Version = Exclude<NonNullable<CookieCache["version"]>, string>;

/**
 * Makes the engine read a session that `skips` names from its store instead of the cookie cache. The version of a cache entry is
 * compared with the one that holds, and a random one equals none.
 */
export const skippingCache = (
	options: BetterAuthOptions,
	skips: (session: Parameters<Version>[0], user: Parameters<Version>[1]) => boolean | Promise<boolean>,
): BetterAuthOptions => {
	const cache = options.session?.cookieCache;
	if (!cache?.enabled) return options;
	const own = cache.version ?? "1";
	const version: Version = async (session, user) => {
		if (await skips(session, user)) return crypto.randomUUID();
		return typeof own === "string" ? own : own(session, user);
	};
	return { ...options, session: { ...options.session, cookieCache: { ...cache, version } } };
};
