import { domainToASCII } from "node:url";

/**
 * RFC 5321 and 5322, without quotes, comments and characters beyond ASCII: one address, and nothing a header could misread.
 * Also without `?`, because some mail programs decode `=?utf-8?q?…?=`, and without `%` and `!`, which old mail servers relay by.
 */
const LOCAL_PART = /^[A-Za-z0-9#$&'*+/=^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Returns the part after the last @. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/**
 * Returns a domain as DNS has it, so equal domains are equal strings: lower case, and `xn--` for other letters than ASCII.
 * Null if it is none, or an IP address.
 */
export const normalizeDomain = (given: string): string | null => {
	if (!/^[\p{L}\p{M}\p{N}.-]{1,253}$/u.test(given)) return null;
	const domain = domainToASCII(given);
	const labels = domain.split(".");
	if (/^\d+$/.test(labels.at(-1) ?? "")) return null;
	return domain.length <= 253 && labels.every((label) => label.length <= 63 && LABEL.test(label)) ? domain : null;
};

/** Returns one address with its domain normalized. Null if it is none, or more than one. */
export const normalizeAddress = (given: string): string | null => {
	const at = given.lastIndexOf("@");
	const [local, domain] = [given.slice(0, Math.max(at, 0)), normalizeDomain(given.slice(at + 1))];
	return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && domain !== null ? `${local}@${domain}` : null;
};
