import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { matchesPath } from "./path-pattern.ts";
import { ADDRESS_PREFIX, addressedPath } from "./resolve/tenant-address.ts";

/** Our endpoints and the engine's they hand on to. */
const DELEGATES: Record<string, string> = {
	"/tenant/sign-in/email": "/sign-in/email",
	"/tenant/sign-up/email": "/sign-up/email",
	"/tenant/sign-in/social": "/sign-in/social",
};

/** The engine's endpoint behind one of ours; any other path stands for itself. */
export const delegateOf = (path: string): string => addressedPath(path) ?? DELEGATES[path] ?? path;

/** The engine's strict limits match `/sign-in…` and would miss `/tenant/sign-in…`. */
export const rateLimitRules: NonNullable<BetterAuthPlugin["rateLimit"]> = [
	{ pathMatcher: (path) => path in DELEGATES, window: 10, max: 3 },
	// people do this by hand; a stolen operator's session would do it for every user there is
	{ pathMatcher: (path) => path === "/tenant/enter", window: 60, max: 20 },
];

/** What the application asked for on the engine's endpoints holds on ours too, unless it says something else for them. */
export const copyCustomRules = (rateLimit: AuthContext["rateLimit"]): AuthContext["rateLimit"] => {
	const asked = rateLimit.customRules;
	if (!asked) return rateLimit;
	const patterns = Object.keys(asked);
	const copied: typeof asked = {};
	for (const [ours, theirs] of Object.entries(DELEGATES)) {
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
