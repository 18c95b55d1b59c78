import type { Sender } from "../config/sender.ts";

const LONGEST = 64;

/**
 * A name that somebody else chose, on one line and of bounded length: no control characters, nothing invisible, nothing that
 * turns the writing direction around.
 */
export const cleanName = (name: string): string => {
	const clean = name
		.normalize("NFC")
		.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
		.trim();
	const letters = [...clean];
	return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : clean;
};

/** The same, such that mail programs make no link of it: a name must not be a way to send people somewhere. */
export const unlinkedName = (name: string): string => cleanName(name).replace(/[.:/@]/g, "$&\u200b");

/**
 * `Acme via Example`: the mail is for Acme's people, and whoever calls himself Your Bank is still seen to be a guest of
 * Example's. Without a name of the sender's own its domain stands there.
 */
export const senderName = (onBehalfOf: string, { name, address }: Sender): string => {
	const guest = cleanName(onBehalfOf).replace(/[<>@"\\,;:()[\]]+/g, " ");
	const own = cleanName(name) || address.slice(address.lastIndexOf("@") + 1);
	return `${guest.replace(/\s+/g, " ").trim()} via ${own}`.trim();
};
