/** A body, or what is wrong with it. The rest of one that is too large is read and forgotten, for a while; that never fails. */
type Body =
	| { bytes: Uint8Array<ArrayBuffer> | null }
	| { problem: "too-large"; discardRest: () => Promise<void> }
	| { problem: "hung-up" };

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

/** How long and how much is read of a body that was refused: enough for whoever sends it to see the answer. */
const DISCARD_MS = 500;
const DISCARD_BYTES = 64 * 1024 * 1024;

/**
 * Reads a request's body, up to a limit. A length that is too large is refused before a byte is read; a body without a
 * length (chunked) is cut off where it passes the limit.
 */
export const readBody = async (request: Request, limit: number): Promise<Body> => {
	const { headers, method } = request;
	const length = headers.get("content-length");
	if (method === "GET" || method === "HEAD" || length === "0") return { bytes: null };
	// node's parser has checked that it is a number, and stops reading after as many bytes
	if (length !== null && Number(length) > limit) return tooLarge(request.body?.getReader());
	try {
		if (length !== null) return { bytes: new Uint8Array(await request.arrayBuffer()) };
		return await readChunks(request, limit);
	} catch {
		return { problem: "hung-up" };
	}
};

/** Chunks that a body may have besides one for every 64 bytes. What sends more, and smaller ones, wants to cost memory. */
const SPARE_CHUNKS = 1024;

const readChunks = async ({ body }: Request, limit: number): Promise<Body> => {
	// one buffer that grows: an object for each chunk takes hundreds of times the size of a chunk of one byte
	let bytes = new Uint8Array(1024);
	let [size, chunks] = [0, 0];
	const reader = body?.getReader();
	for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
		const end = size + read.value.byteLength;
		chunks += 1;
		if (end > limit || chunks > SPARE_CHUNKS + end / 64) return tooLarge(reader);
		if (end > bytes.byteLength) bytes = grown(bytes, Math.max(end, 2 * bytes.byteLength));
		bytes.set(read.value, size);
		size = end;
	}
	return { bytes: size === 0 ? null : bytes.slice(0, size) };
};

const grown = (bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> => {
	const larger = new Uint8Array(length);
	larger.set(bytes);
	return larger;
};

const tooLarge = (reader: Reader): Body => ({ problem: "too-large", discardRest: () => discard(reader) });

const discard = async (reader: Reader): Promise<void> => {
	if (!reader) return;
	// a read that waits for more ends when the stream is cancelled
	const timer = setTimeout(() => void reader.cancel().catch(() => {}), DISCARD_MS);
	try {
		let left = DISCARD_BYTES;
		for (let read = await reader.read(); read.value && left > 0; read = await reader.read())
			left -= read.value.byteLength;
		await reader.cancel();
	} catch {
		// whoever hung up needs no more of this
	} finally {
		clearTimeout(timer);
	}
};
