import { percentDecoded } from "./percent-decoded.ts";

/**
 * One cookie of a request, read as the engine's router reads it: the first of its name counts, in quotes or not, and
 * percent-decoded where that works. The engine's own reading comes with a whole context for each hook, which costs more
 * than all the rest that is done here for a request; a test compares the two.
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
		if (header.slice(index, equals).trim() === name) return decoded(header.slice(equals + 1, end).trim()) || null;
		index = end + 1;
	}
	return null;
};

const decoded = (sent: string): string => {
	const value = sent.startsWith('"') ? sent.slice(1, -1) : sent;
	return value.includes("%") ? percentDecoded(value) : value;
};
