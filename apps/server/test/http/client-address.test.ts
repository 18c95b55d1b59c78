import { describe, expect, it } from "vitest";
import { clientAddress } from "../../src/request/client-address.ts";
import { normalAddress, trustProxies } from "../../src/request/trusted-proxies.ts";

describe("the caller's address", () => {
	const isTrusted = trustProxies(["10.0.0.0/24", "192.168.1.7", "2001:db8::/32"]);

	it.each([
		["is the socket's if the peer is not a trusted proxy", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
		["is the address that a proxy reports", "10.0.0.5", "1.2.3.4", "1.2.3.4"],
		["is the last untrusted address: the ones before it may be forged", "10.0.0.5", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
		["skips a chain of trusted proxies", "10.0.0.5", "6.6.6.6, 1.2.3.4, 192.168.1.7, 10.0.0.9", "1.2.3.4"],
		["is the first address if all are trusted", "10.0.0.5", "10.0.0.8, 10.0.0.9", "10.0.0.8"],
		["is the proxy if it reports an unknown client", "10.0.0.5", "1.2.3.4, unknown", "10.0.0.5"],
		["is the proxy if it reports no client", "10.0.0.5", undefined, "10.0.0.5"],
		["is the proxy if the list is empty", "10.0.0.5", " , ", "10.0.0.5"],
		["is IPv4 for an IPv4-mapped IPv6 socket", "::ffff:203.0.113.9", undefined, "203.0.113.9"],
		["recognizes a proxy as IPv4-mapped IPv6", "::ffff:10.0.0.5", "::ffff:1.2.3.4", "1.2.3.4"],
		["recognizes a proxy in any notation", "2001:0DB8:0:0:0:0:0:1", "2001:DB9::1", "2001:db9::1"],
		["has no port", "10.0.0.5", "1.2.3.4:4711", "1.2.3.4"],
		["has no port in IPv6 notation either", "10.0.0.5", "[2001:db9::5]:4711", "2001:db9::5"],
		["has no zone", "fe80::1%eth0", undefined, "fe80::1"],
	])("%s", (_, socket, forwarded, expected) => {
		expect(clientAddress(socket, forwarded, isTrusted)).toBe(expected);
	});

	it("is null if the socket is closed", () => {
		expect(clientAddress(undefined, "1.2.3.4", isTrusted)).toBeNull();
	});

	it("trusts no proxy without a list", () => {
		expect(clientAddress("127.0.0.1", "1.2.3.4", trustProxies([]))).toBe("127.0.0.1");
	});

	it.each(["", "1.2.3", "1.2.3.4.5", "localhost", "::1::", "1.2.3.4/8", "[::1", "0x7f.1", "127.1"])(
		"%j is not an address",
		(given) => {
			expect(normalAddress(given)).toBeNull();
		},
	);
});
