import * as z from "zod";

const address = z.union([z.ipv4(), z.ipv6()]);
const network = z.union([z.cidrv4(), z.cidrv6()]);

type Range = { bits: 32 | 128; network: bigint; prefix: number };

/** An IP address or a range in CIDR notation (RFC 4632). */
export const ipRange = z
	.string()
	.max(50)
	.refine((text) => parseRange(text) !== null, "must be an IP address or a range such as 203.0.113.0/24");

/** Whether an address is in one of the ranges. An address that cannot be read is in none. */
export const isInRanges = (ranges: readonly string[], ip: string | null): boolean => {
	const sent = ip === null ? null : parseRange(ip);
	return (
		sent !== null &&
		ranges.some((text) => {
			const range = parseRange(text);
			if (!range || range.bits !== sent.bits) return false;
			const ignored = BigInt(range.bits - range.prefix);
			return range.network >> ignored === sent.network >> ignored;
		})
	);
};

/** The length of a range's prefix if it is an IPv6 range, else null. */
export const ipv6PrefixOf = (text: string): number | null => {
	const range = parseRange(text);
	return range?.bits === 128 ? range.prefix : null;
};

const parseRange = (text: string): Range | null => {
	const [ip = "", prefix] = text.split("/");
	if (!(prefix === undefined ? address : network).safeParse(text).success) return null;
	const bits = ip.includes(":") ? 128 : 32;
	const value = bits === 128 ? readIpv6(ip) : readIpv4(ip);
	return value === null ? null : { bits, network: value, prefix: prefix === undefined ? bits : Number(prefix) };
};

const readIpv4 = (ip: string): bigint => ip.split(".").reduce((sum, part) => sum * 256n + BigInt(Number(part)), 0n);

/** Not with an embedded IPv4 address: the engine reads such an address as IPv4, so a range of them would match nobody. */
const readIpv6 = (ip: string): bigint | null => {
	if (ip.includes(".")) return null;
	const [left = "", right] = ip.split("::");
	const groups = (side: string): string[] => (side === "" ? [] : side.split(":"));
	const [first, last] = [groups(left), groups(right ?? "")];
	const zeros = right === undefined ? 0 : 8 - first.length - last.length;
	return [...first, ...Array.from({ length: zeros }, () => "0"), ...last].reduce(
		(sum, group) => sum * 65_536n + BigInt(Number.parseInt(group, 16)),
		0n,
	);
};
