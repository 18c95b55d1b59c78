import { percentDecoded } from "../lib/percent-decoded.ts";

/**
 * Reads one cookie of a request in the same way as the engine's router: the first cookie of that name, with or without
 * quotes, percent-decoded if possible. The engine's own reader needs a full context per hook, which costs more than
 * everything else this package does per request. A test compares the two readers.
 */
export const readCookie = (header: string | null | undefined, name: string): string | null => {
	if (!header?.includes(name)) return null;
	for (let index = 0; index < header.length; ) {
		const equals = header.indexOf("=", index);
		if (equals === -1) return null;
		const semicolon = header.indexOf(";", index);
		const end = semicolon === -1 ? header.length : semicolon;
		if (end < equals) {
			index = header.lastIndexOf(";", equals - 1) + 1;
			continue;
		}
		if (header.slice(index, equals).trim() === name) return decodeCookie(header.slice(equals + 1, end).trim()) || null;
		index = end + 1;
	}
	return null;
};

/** A sent cookie value, without quotes and percent-encoding. */
export const decodeCookie = (sent: string): string => {
	const value = sent.startsWith('"') ? sent.slice(1, -1) : sent;
	return value.includes("%") ? percentDecoded(value) : value;
};
