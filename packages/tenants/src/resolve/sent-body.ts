/** Longer bodies are not read ahead: what people sign in with is shorter. */
const MOST_BYTES = 8_192;

/** The type that the engine takes for JSON. */
const JSON_TYPE = /^application\/([a-z0-9.+-]*\+)?json/;
const FORM_TYPE = "application/x-www-form-urlencoded";

type SentBody = { body: unknown };

/**
 * Reads a body ahead of its endpoint, and as the endpoint will read it. Returns null where that is not certain: the body is
 * long, of another type, or cannot be parsed.
 */
export const parseSentBody = (headers: Headers, bytes: Uint8Array | null): SentBody | null => {
	if (bytes === null) return { body: undefined };
	if (bytes.byteLength > MOST_BYTES) return null;
	const type = headers.get("content-type")?.toLowerCase() ?? "";
	// a list of types is refused
	if (type.includes(",")) return null;
	// a byte order mark is part of a form's first name, and of no JSON
	if (type.startsWith(FORM_TYPE)) {
		const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
		return { body: Object.fromEntries(new URLSearchParams(text)) };
	}
	if (!JSON_TYPE.test(type)) return null;
	try {
		return { body: JSON.parse(new TextDecoder().decode(bytes)) };
	} catch {
		// the engine refuses it, and no tenant is pinned
		return null;
	}
};

/** The same for a request that somebody else reads after this. Returns null also where its length is not known. */
export const readSentBody = async (request: Request): Promise<SentBody | null> => {
	const { headers, body } = request;
	if (!body) return parseSentBody(headers, null);
	const length = headers.get("content-length");
	if (length === null || !(Number(length) <= MOST_BYTES)) return null;
	return parseSentBody(headers, new Uint8Array(await request.clone().arrayBuffer()));
};
