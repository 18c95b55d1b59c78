import { decodeCookie } from "./request-cookie.ts";

/** A cookie of a request. `from` and `to` are the place of its value in the header. */
export type SentCookie = { name: string; value: string; from: number; to: number };

/**
 * Reads the cookies that `wanted` accepts, in the same way as the engine's router: of several cookies with one name, only the
 * first. A test compares the two readers.
 */
export const readCookies = (header: string, wanted: (name: string) => boolean): Map<string, SentCookie> => {
	const cookies = new Map<string, SentCookie>();
	for (let index = 0; index < header.length; ) {
		const equals = header.indexOf("=", index);
		if (equals === -1) break;
		const semicolon = header.indexOf(";", index);
		const end = semicolon === -1 ? header.length : semicolon;
		if (end < equals) {
			index = header.lastIndexOf(";", equals - 1) + 1;
			continue;
		}
		const name = header.slice(index, equals).trim();
		if (wanted(name) && !cookies.has(name))
			cookies.set(name, { name, value: decodeCookie(header.slice(equals + 1, end).trim()), from: equals + 1, to: end });
		index = end + 1;
	}
	return cookies;
};

/** The header with other values of some of its cookies. Everything else stays as it was sent. */
export const replaceCookies = (header: string, changed: readonly SentCookie[]): string => {
	let rest = 0;
	let text = "";
	for (const { value, from, to } of changed.toSorted((one, other) => one.from - other.from)) {
		text += header.slice(rest, from) + encodeURIComponent(value);
		rest = to;
	}
	return text + header.slice(rest);
};

/** The header with a cookie before all others. The engine reads the first one of a name. */
export const addCookie = (header: string, name: string, value: string): string =>
	`${name}=${encodeURIComponent(value)}${header === "" ? "" : `; ${header}`}`;
