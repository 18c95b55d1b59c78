import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { matchesPath } from "../engine/path-pattern.ts";
import { DELEGATES, LIMITED } from "./endpoints.ts";
import { ADDRESS_PREFIX } from "./tenant-address.ts";

/** Rate limits of this package's endpoints, in addition to Better Auth's own. */
export const rateLimitRules: NonNullable<BetterAuthPlugin["rateLimit"]> = LIMITED.map(([limited, rateLimit]) => ({
	pathMatcher: (path) => path === limited,
	...rateLimit,
}));

/** Applies the application's custom rules for the engine's endpoints to ours too, unless ours have their own rule. */
export const copyCustomRules = (rateLimit: AuthContext["rateLimit"]): AuthContext["rateLimit"] => {
	const custom = rateLimit.customRules;
	if (!custom) return rateLimit;
	const patterns = Object.keys(custom);
	const copied: typeof custom = {};
	for (const [ours, theirs] of DELEGATES) {
		if (patterns.some((pattern) => matchesPath(pattern, ours))) continue;
		const pattern = patterns.find((candidate) => matchesPath(candidate, theirs));
		const rule = pattern === undefined ? undefined : custom[pattern];
		if (rule !== undefined) copied[ours] = rule;
	}
	for (const [pattern, rule] of Object.entries(custom)) {
		if (pattern.startsWith("/sso/")) copied[`${ADDRESS_PREFIX}/*${pattern}`] = rule;
	}
	return { ...rateLimit, customRules: { ...copied, ...custom } };
};
