import { BlockList, isIP, SocketAddress } from "node:net";

/** Whether a normalized address belongs to a trusted proxy. */
export type TrustedProxies = (address: string) => boolean;

/** Takes validated addresses and networks such as 10.0.0.7 and 10.0.0.0/24. */
export const trustProxies = (networks: readonly string[]): TrustedProxies => {
	const trusted = new BlockList();
	for (const network of networks) {
		const [address = "", bits] = network.split("/");
		const family = familyOf(address);
		if (bits === undefined) trusted.addAddress(address, family);
		else trusted.addSubnet(address, Number(bits), family);
	}
	return (address) => trusted.check(address, familyOf(address));
};

/**
 * Normalizes an address for comparing and counting: IPv4-mapped IPv6 (::ffff:10.0.0.7) becomes IPv4, IPv6 becomes its
 * short form, and port and zone are removed. Null for anything else.
 */
export const normalAddress = (given: string | undefined): string | null => {
	const address = bareAddress(given?.trim() ?? "");
	if (isIP(address) === 4) return address;
	if (isIP(address) !== 6) return null;
	const short = new SocketAddress({ address, family: "ipv6" }).address;
	const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short) ?? [];
	return mapped ?? short;
};

/** Some proxies include the port: 10.0.0.7:4711, [2001:db8::1]:4711. */
const bareAddress = (given: string): string => {
	const [, v4] = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(given) ?? [];
	const [, v6] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(given) ?? [];
	return (v4 ?? v6 ?? given).replace(/%[\w.-]+$/, "");
};

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
