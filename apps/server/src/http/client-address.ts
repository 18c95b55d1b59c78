import { normalAddress, type TrustedProxies } from "./trusted-proxies.ts";

/** Where the engine finds the caller's address. Only we write it; what callers send under this name is dropped. */
export const CLIENT_ADDRESS_HEADER = "x-client-address";

/**
 * Who calls: the other end of the socket or, where that is a proxy of ours, whom the proxies name in X-Forwarded-For.
 * The list is walked from the right, since each proxy adds the address it saw at the end and a caller may have sent any
 * beginning. Null where the socket has no address: it is closed already, or no IP socket.
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
		// a proxy that does not know whom it serves ("unknown") is itself the caller
		if (before === null) break;
		caller = before;
	}
	return caller;
};
