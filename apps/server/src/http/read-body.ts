/** Too much, or cut off: what is wrong with a body that could not be read. */
type BodyProblem = "too-large" | "hung-up";

type Body = { bytes: Uint8Array<ArrayBuffer> | null } | { problem: BodyProblem };

/**
 * Reads a request's body, up to a limit. A length that is too large is refused before a byte is read; a body without a
 * length (chunked) is cut off where it passes the limit.
 */
export const readBody = async (request: Request, limit: number): Promise<Body> => {
	const { headers, method } = request;
	const length = headers.get("content-length");
	if (method === "GET" || method === "HEAD" || length === "0") return { bytes: null };
	// node's parser has checked that it is a number, and stops reading after as many bytes
	if (length !== null && Number(length) > limit) return { problem: "too-large" };
	try {
		if (length !== null) return { bytes: new Uint8Array(await request.arrayBuffer()) };
		return await readChunks(request, limit);
	} catch {
		return { problem: "hung-up" };
	}
};

const readChunks = async ({ body }: Request, limit: number): Promise<Body> => {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const reader = body?.getReader();
	for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
		size += read.value.byteLength;
		if (size > limit) return { problem: "too-large" };
		chunks.push(read.value);
	}
	if (size === 0) return { bytes: null };
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.byteLength;
	}
	return { bytes };
};
