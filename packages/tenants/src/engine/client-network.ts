import type { BetterAuthOptions } from "@better-auth/core";
import { getIP } from "better-auth/api";

/** An IPv6 address as the engine writes it: eight groups of four digits. */
const GROUPS = /^[0-9a-f]{4}(?::[0-9a-f]{4}){7}$/;
/** Up to the middle of the fourth group: 56 bits. */
const FIRST_56_BITS = "0000:0000:0000:00".length;

/**
 * The network that one customer of a provider usually has: an IPv4 address, or an IPv6 /56. The engine counts by /64, of which
 * a /56 has 256. An application that sets `advanced.ipAddress.ipv6Subnet` decides for itself.
 */
export const networkOfAddress = (address: string, { advanced }: Pick<BetterAuthOptions, "advanced">): string =>
	advanced?.ipAddress?.ipv6Subnet === undefined && GROUPS.test(address)
		? `${address.slice(0, FIRST_56_BITS)}00${":0000".repeat(4)}`
		: address;

/** The network that a request comes from. Null if the engine does not know the address. */
export const networkOf = (request: Request, options: BetterAuthOptions): string | null => {
	const address = getIP(request, options);
	return address && networkOfAddress(address, options);
};
