import { classifyHost } from "@better-auth/core/utils/host";

/** Public by number, inside by use: Azure's host service. */
const INSIDE_ADDRESSES = new Set(["168.63.129.16"]);

/** The part of IPv6 that is routed on the internet (2000::/3), without 6to4, which wraps an IPv4 address. */
const GLOBAL_UNICAST = /^(?!2002:)[23]/;

/**
 * Whether an address may be called on behalf of a tenant. An IPv4 address mapped to IPv6 is judged as IPv4. Returns true
 * for a name, unless it is one of the few that always mean something inside: check the addresses it leads to.
 */
export const isPublicAddress = (address: string): boolean => {
	const { kind, literal, canonical } = classifyHost(address);
	return (
		kind === "public" && !INSIDE_ADDRESSES.has(canonical) && (literal !== "ipv6" || GLOBAL_UNICAST.test(canonical))
	);
};
