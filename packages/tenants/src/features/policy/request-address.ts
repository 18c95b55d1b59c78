import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { getIP } from "better-auth/api";
import { isInRanges } from "../../lib/ip-ranges.ts";
import type { PolicyRules } from "./rules.ts";

/** Whether a request comes from an allowed address, as the engine determines it. No address is not allowed. */
export const allowsAddress = (
	{ ipRanges }: Pick<PolicyRules, "ipRanges">,
	ctx: Pick<GenericEndpointContext, "request" | "headers"> | null,
	options: BetterAuthOptions,
): boolean => {
	if (ipRanges === "any") return true;
	const headers = ctx?.headers ?? ctx?.request?.headers;
	return isInRanges(ipRanges, headers ? getIP(headers, options) : null);
};
