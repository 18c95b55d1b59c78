/** Arrays and objects inside of one another. Metadata of a tenant may have 32. */
const MAX_DEPTH = 64;
/** Members of arrays and objects. An import of 500 users with 2,000 accounts has 13,000. */
const MAX_MEMBERS = 32_768;
/** Parameters of a query, of a form, or of a text that can be a query. Better Auth's own have less than 50. */
const MAX_PARAMETERS = 1_000;

const QUOTE = 0x22;
const AMPERSAND = 0x26;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/**
 * Whether JSON has few enough levels, members and parameters to be parsed and checked in a few milliseconds. One pass over the
 * bytes, which need not be valid JSON. A text can be a query that an endpoint parses (`oauth_query`), so its `&` count.
 */
export const isSimpleJson = (bytes: Uint8Array): boolean => {
	let [depth, members, parameters, isText] = [0, 0, 0, false];
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at];
		if (byte === QUOTE) {
			isText = !isText;
			parameters = 0;
		} else if (isText) {
			if (byte === AMPERSAND || (byte === BACKSLASH && isEscaped(bytes, at, "u0026"))) parameters += 1;
			// the next byte may be a quote that does not end the text
			if (byte === BACKSLASH) at += 1;
		} else if (byte === COMMA) members += 1;
		else if (byte === OPENING[0] || byte === OPENING[1]) {
			members += 1;
			depth += 1;
		} else if (byte === CLOSING[0] || byte === CLOSING[1]) depth -= 1;
		if (depth > MAX_DEPTH || members > MAX_MEMBERS || parameters > MAX_PARAMETERS) return false;
	}
	return true;
};

/** The same for a form or a URL. A value can be a query as well, with its `&` as `%26`. */
export const isSimpleForm = (bytes: Uint8Array): boolean => {
	let parameters = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at];
		if (byte === AMPERSAND || (byte === PERCENT && isEscaped(bytes, at, "26"))) parameters += 1;
		if (parameters > MAX_PARAMETERS) return false;
	}
	return true;
};

const isEscaped = (bytes: Uint8Array, at: number, rest: string): boolean => {
	for (let index = 0; index < rest.length; index += 1)
		if (bytes[at + 1 + index] !== rest.charCodeAt(index)) return false;
	return true;
};
