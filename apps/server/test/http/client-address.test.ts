import { describe, expect, it } from "vitest";
import { clientAddress } from "../../src/http/client-address.ts";
import { normalAddress, trustProxies } from "../../src/http/trusted-proxies.ts";

describe("the caller's address", () => {
	const isTrusted = trustProxies(["10.0.0.0/24", "192.168.1.7", "2001:db8::/32"]);

	it.each([
		["is the socket's where no proxy is trusted", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
		["is whom a proxy names", "10.0.0.5", "1.2.3.4", "1.2.3.4"],
		["is the last stranger: what he sent in front is his own word", "10.0.0.5", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
		["skips proxies behind proxies", "10.0.0.5", "6.6.6.6, 1.2.3.4, 192.168.1.7, 10.0.0.9", "1.2.3.4"],
		["is the first of a chain that is trusted as a whole", "10.0.0.5", "10.0.0.8, 10.0.0.9", "10.0.0.8"],
		["is the proxy where the proxy does not know", "10.0.0.5", "1.2.3.4, unknown", "10.0.0.5"],
		["is the proxy where it names nobody", "10.0.0.5", undefined, "10.0.0.5"],
		["is the proxy where the list is empty", "10.0.0.5", " , ", "10.0.0.5"],
		["is IPv4 where a socket says it as IPv6", "::ffff:203.0.113.9", undefined, "203.0.113.9"],
		["knows a proxy that comes as IPv6", "::ffff:10.0.0.5", "::ffff:1.2.3.4", "1.2.3.4"],
		["knows a proxy in any spelling", "2001:0DB8:0:0:0:0:0:1", "2001:DB9::1", "2001:db9::1"],
		["has no port", "10.0.0.5", "1.2.3.4:4711", "1.2.3.4"],
		["has no port as IPv6 either", "10.0.0.5", "[2001:db9::5]:4711", "2001:db9::5"],
		["has no zone", "fe80::1%eth0", undefined, "fe80::1"],
	])("%s", (_, socket, forwarded, expected) => {
		expect(clientAddress(socket, forwarded, isTrusted)).toBe(expected);
	});

	it("is none where the socket is gone", () => {
		expect(clientAddress(undefined, "1.2.3.4", isTrusted)).toBeNull();
	});

	it("trusts nobody without a list", () => {
		expect(clientAddress("127.0.0.1", "1.2.3.4", trustProxies([]))).toBe("127.0.0.1");
	});

	it.each(["", "1.2.3", "1.2.3.4.5", "localhost", "::1::", "1.2.3.4/8", "[::1", "0x7f.1", "127.1"])(
		"%j is no address",
		(given) => {
			expect(normalAddress(given)).toBeNull();
		},
	);
});
