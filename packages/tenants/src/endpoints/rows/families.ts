import type { EndpointRow } from "../endpoint.ts";
import { ADDRESSED } from "../tenant-address.ts";

/**
 * Rules for endpoints without a row, by path pattern: those of other plugins, and those that the engine adds later. The
 * first matching pattern counts.
 */
export const FAMILIES: readonly (EndpointRow & { pattern: string })[] = [
	{ pattern: `${ADDRESSED}/*`, kind: "addressed" },
	...["/sign-in", "/sign-up", "/tenant/sign-in", "/tenant/sign-up"].flatMap((path) => [
		{ pattern: path, kind: "entry" as const },
		{ pattern: `${path}/*`, kind: "entry" as const },
	]),
	{ pattern: "/email-otp/*", kind: "open" },
	{ pattern: "/phone-number/*", kind: "open" },
	{ pattern: "/siwe/*", kind: "open" },
	{ pattern: "/scim/v2/*", kind: "open", carries: "scim" },
	{ pattern: "/callback/*", kind: "callback" },
	{ pattern: "/tenant/callback/*", kind: "callback" },
	// the generic OAuth plugin, in versions with their own callbacks
	{ pattern: "/oauth2/callback/*", kind: "callback" },
	// most endpoints of this package
	{ pattern: "/tenant/*", kind: "management", needsProviders: false },
	{ pattern: "/two-factor/*", kind: "member", answersChallenge: true },
	{ pattern: "/sso/callback*", kind: "member", endsFlow: "sso" },
	{ pattern: "/sso/*", kind: "member", endsFlow: "none" },
	// for server code only; it has no path in current versions of the engine
	{ pattern: "/set-password", kind: "member", needsProviders: false },
];
