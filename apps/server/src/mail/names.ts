import type { Sender } from "../config/sender.ts";

const LONGEST = 64;
/** Shown at the end of a longer name: an address ends with its domain. */
const END = 24;

/** Letters and signs of Unicode that show nothing. */
const BLANK = /\u034f|[\u115f\u1160\u2800\u3164\uffa0]/g;

/**
 * Cleans a name chosen by someone else: one line, bounded length, no control or invisible characters, and nothing that
 * changes the writing direction. Mail programs decode `=?utf-8?Q?=0A?=` in a header (RFC 2047), so `=?` is taken apart.
 */
export const cleanName = (name: string): string => {
	const clean = name
		.normalize("NFC")
		.replace(BLANK, " ")
		.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
		.replaceAll("=?", "= ?")
		.trim();
	const letters = [...clean];
	if (letters.length <= LONGEST) return clean;
	return `${letters.slice(0, LONGEST - 1 - END).join("")}…${letters.slice(-END).join("")}`;
};

/** What mail programs and browsers read as the . : / and @ of an address. */
const LINKING = /[.．。｡․:：/／@＠]/g;

/** Like `cleanName`, but mail programs do not turn it into a link. A name must not lead users to another site. */
export const unlinkedName = (name: string): string => cleanName(name).replace(LINKING, "$&\u200b");

/** A name as a sender's: without the characters that have a meaning in a header or look like an address. */
export const shownName = (name: string): string =>
	cleanName(name)
		.replace(/[<>@＠"\\,;:()[\]]+/g, " ")
		.replace(/\s+/g, " ")
		.trim();

/**
 * `Acme via Example`: the mail is sent for the tenant Acme, but a tenant named Your Bank is still visibly hosted by
 * Example. Without a sender name, its domain is used.
 */
export const senderName = (onBehalfOf: string, { name, address }: Sender): string => {
	const own = cleanName(name) || address.slice(address.lastIndexOf("@") + 1);
	return `${shownName(onBehalfOf)} via ${own}`.trim();
};

/** Whether a name contains another one. Ignores case, accents, spaces and punctuation. */
export const containsName = (name: string, other: string): boolean => {
	const letters = lettersOf(other);
	return letters !== "" && lettersOf(name).includes(letters);
};

const lettersOf = (name: string): string =>
	name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");
