import { ADDRESSED } from "../../resolve/tenant-address.ts";
import type { EndpointRow } from "../endpoint.ts";

/**
 * What is known of endpoints that no row names, by the pattern of their path: those of other plugins, and those that the
 * engine adds later. The first pattern that fits counts.
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
	// of the generic OAuth plugin, in versions that have callbacks of their own
	{ pattern: "/oauth2/callback/*", kind: "callback" },
	{ pattern: "/tenant/*", kind: "management", needsProviders: false },
	{ pattern: "/two-factor/*", kind: "member", answersChallenge: true },
	{ pattern: "/sso/callback*", kind: "member", endsFlow: "sso" },
	{ pattern: "/sso/*", kind: "member", endsFlow: "none" },
	// for server code alone, so that it has no path in the engine of today
	{ pattern: "/set-password", kind: "member", needsProviders: false },
];
