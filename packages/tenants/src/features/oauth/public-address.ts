import { classifyHost } from "@better-auth/core/utils/host";

/** Azure's host service: a public address that is reachable only inside the network. */
const INSIDE_ADDRESSES = new Set(["168.63.129.16"]);

/** The IPv6 range that is routed on the internet (2000::/3), without 6to4, which wraps an IPv4 address. */
const GLOBAL_UNICAST = /^(?!2002:)[23]/;

/**
 * Whether the server may call an address for a tenant. An IPv4 address mapped to IPv6 is checked as IPv4. Returns true
 * for most names (not for names such as localhost), so also check the addresses that a name resolves to.
 */
export const isPublicAddress = (address: string): boolean => {
	const { kind, literal, canonical } = classifyHost(address);
	return (
		kind === "public" && !INSIDE_ADDRESSES.has(canonical) && (literal !== "ipv6" || GLOBAL_UNICAST.test(canonical))
	);
};
