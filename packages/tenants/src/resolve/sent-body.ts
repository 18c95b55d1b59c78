/** Longer bodies are not read early. Sign-in requests are shorter. */
const MAX_BYTES = 8_192;

/** Types that the engine parses as JSON. */
const JSON_TYPE = /^application\/([a-z0-9.+-]*\+)?json/;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Whether the engine parses a body of this type, in lower case, as JSON. */
export const isJsonType = (type: string): boolean => JSON_TYPE.test(type);
/** Whether the engine parses a body of this type, in lower case, as a form. */
export const isFormType = (type: string): boolean => type.includes(FORM_TYPE);

type SentBody = { body: unknown };

/**
 * Parses a body before its endpoint does, with the same result. Returns null if that is not certain: the body is long,
 * has another type, or cannot be parsed.
 */
export const parseSentBody = (headers: Headers, bytes: Uint8Array | null): SentBody | null => {
	if (bytes === null) return { body: undefined };
	if (bytes.byteLength > MAX_BYTES) return null;
	const type = headers.get("content-type")?.toLowerCase() ?? "";
	// a list of types is rejected later
	if (type.includes(",")) return null;
	// a byte order mark belongs to the first name of a form, but is not part of JSON
	if (type.startsWith(FORM_TYPE)) {
		const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
		return { body: Object.fromEntries(new URLSearchParams(text)) };
	}
	if (!isJsonType(type)) return null;
	try {
		return { body: JSON.parse(new TextDecoder().decode(bytes)) };
	} catch {
		// the engine rejects the request before a tenant is pinned
		return null;
	}
};

/** The same for a request that is read again later. Also returns null if its length is not known. */
export const readSentBody = async (request: Request): Promise<SentBody | null> => {
	const { headers, body } = request;
	if (!body) return parseSentBody(headers, null);
	const length = headers.get("content-length");
	if (length === null || !(Number(length) <= MAX_BYTES)) return null;
	return parseSentBody(headers, new Uint8Array(await request.clone().arrayBuffer()));
};
