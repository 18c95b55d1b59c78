import type { Sender } from "../config/sender.ts";

const LONGEST = 64;

/**
 * Cleans a name chosen by someone else: one line, bounded length, no control or invisible characters, and nothing that
 * changes the writing direction.
 */
export const cleanName = (name: string): string => {
	const clean = name
		.normalize("NFC")
		.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
		.trim();
	const letters = [...clean];
	return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : clean;
};

/** Like `cleanName`, but mail programs do not turn it into a link. A name must not lead users to another site. */
export const unlinkedName = (name: string): string => cleanName(name).replace(/[.:/@]/g, "$&\u200b");

/** A name as a sender's: without the characters that have a meaning in a header or look like an address. */
export const shownName = (name: string): string =>
	cleanName(name)
		.replace(/[<>@"\\,;:()[\]]+/g, " ")
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
