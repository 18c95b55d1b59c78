import { normalAddress, type TrustedProxies } from "./trusted-proxies.ts";

/** The header that passes the caller's address to the engine. The same header from a caller is dropped. */
export const CLIENT_ADDRESS_HEADER = "x-client-address";

/**
 * Returns the caller's address: the remote end of the socket or, if that is a trusted proxy, the address from
 * X-Forwarded-For. The list is read from the right, because each proxy appends the address it saw and a caller may send
 * any beginning. Null if the socket is closed or is not an IP socket.
 */
export const clientAddress = (
	socketAddress: string | undefined,
	forwardedFor: string | undefined,
	isTrusted: TrustedProxies,
): string | null => {
	let caller = normalAddress(socketAddress);
	if (caller === null) return null;
	const chain = forwardedFor?.split(",") ?? [];
	while (isTrusted(caller) && chain.length > 0) {
		const before = normalAddress(chain.pop());
		// a proxy that does not know its client ("unknown") counts as the caller
		if (before === null) break;
		caller = before;
	}
	return caller;
};
