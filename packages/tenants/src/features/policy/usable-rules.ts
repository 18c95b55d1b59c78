import type { BetterAuthOptions } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { ipv6PrefixOf } from "../../lib/ip-ranges.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import type { PolicyRules } from "./rules.ts";

/** What the application can enforce. */
export type Abilities = { options: BetterAuthOptions; hasScore: boolean; hasInvitations: boolean };

/** The engine's default. It keeps only this many bits of an IPv6 address. */
const IPV6_SUBNET = 64;

/** Why the application cannot enforce these rules, or null. A rule that has no effect would look like one that has. */
export const findUnusable = (rules: PolicyRules, { options, hasScore, hasInvitations }: Abilities): string | null => {
	const { ipAddress } = options.advanced ?? {};
	if (rules.maxPasswordLength !== false && rules.minPasswordLength > rules.maxPasswordLength)
		return "minPasswordLength is greater than maxPasswordLength. No password could be set";
	if (rules.secondFactor !== "optional" && !options.plugins?.some(({ id }) => id === "two-factor"))
		return "secondFactor requires the twoFactor() plugin, because nobody could set up a second factor";
	if (rules.minPasswordScore > 0 && !hasScore) return "minPasswordScore requires passwordScore in tenantPolicy()";
	if (rules.signUp === "invitation" && !hasInvitations)
		return 'signUp "invitation" requires a plugin that manages invitations';
	if (rules.signUp === "domain") {
		if (rules.emailDomains === "any") return 'signUp "domain" requires emailDomains';
		if (options.emailAndPassword?.enabled && !options.emailAndPassword.requireEmailVerification)
			return 'signUp "domain" requires emailAndPassword.requireEmailVerification, because anyone can claim an email';
	}
	if (rules.ipRanges === "any") return null;
	// by default the engine believes a header that any caller can send
	if (ipAddress?.disableIpTracking || !(ipAddress?.ipAddressHeaders?.length || ipAddress?.trustedProxies?.length))
		return "ipRanges requires advanced.ipAddress with ipAddressHeaders or trustedProxies, so that callers cannot choose their address";
	const subnet = ipAddress?.ipv6Subnet ?? IPV6_SUBNET;
	return rules.ipRanges.some((range) => (ipv6PrefixOf(range) ?? 0) > subnet)
		? `An IPv6 range can have a prefix of at most ${subnet} (advanced.ipAddress.ipv6Subnet)`
		: null;
};

export const assertUsable = (rules: PolicyRules, abilities: Abilities): void => {
	const message = findUnusable(rules, abilities);
	if (message) throw APIError.from("BAD_REQUEST", { ...POLICY_ERROR_CODES.INVALID_POLICY, message });
};
