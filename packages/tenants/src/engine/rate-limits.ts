import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { ADDRESS_PREFIX } from "../resolve/tenant-address.ts";
import { DELEGATES, LIMITED } from "./endpoints.ts";
import { matchesPath } from "./path-pattern.ts";

/** Limits of our own endpoints, beside those that the engine has by itself. */
export const rateLimitRules: NonNullable<BetterAuthPlugin["rateLimit"]> = LIMITED.map(([limited, rateLimit]) => ({
	pathMatcher: (path) => path === limited,
	...rateLimit,
}));

/** What the application asked for on the engine's endpoints holds on ours too, unless it says something else for them. */
export const copyCustomRules = (rateLimit: AuthContext["rateLimit"]): AuthContext["rateLimit"] => {
	const asked = rateLimit.customRules;
	if (!asked) return rateLimit;
	const patterns = Object.keys(asked);
	const copied: typeof asked = {};
	for (const [ours, theirs] of DELEGATES) {
		if (patterns.some((pattern) => matchesPath(pattern, ours))) continue;
		const pattern = patterns.find((candidate) => matchesPath(candidate, theirs));
		const rule = pattern === undefined ? undefined : asked[pattern];
		if (rule !== undefined) copied[ours] = rule;
	}
	for (const [pattern, rule] of Object.entries(asked)) {
		if (pattern.startsWith("/sso/")) copied[`${ADDRESS_PREFIX}/*${pattern}`] = rule;
	}
	return { ...rateLimit, customRules: { ...copied, ...asked } };
};
