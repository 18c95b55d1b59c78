import { type BodyRoom, SMALL_BODY } from "./body-room.ts";

/** Why a body was rejected. `discardRest` reads the rest of a large body for a while and never throws. */
export type UnreadBody =
	| { problem: "too-large"; discardRest: () => Promise<void> }
	| { problem: "hung-up" }
	/** there was no room for it */
	| { problem: "busy" };

type Body = { bytes: Uint8Array<ArrayBuffer> | null } | UnreadBody;

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

/** How long and how much to read of a rejected body, so that the client sees the response. */
const DISCARD_MS = 500;
const DISCARD_BYTES = 64 * 1024 * 1024;

/**
 * Reads a request body up to a limit. A larger Content-Length is rejected before a byte is read. A chunked body is cut
 * off at the limit.
 */
export const readBody = async (request: Request, limit: number, room: BodyRoom): Promise<Body> => {
	const { headers, method } = request;
	const length = headers.get("content-length");
	if (method === "GET" || method === "HEAD" || length === "0") return { bytes: null };
	// Node's parser has validated the number, and stops reading after that many bytes
	if (length !== null && Number(length) > limit) return tooLarge(request.body?.getReader());
	try {
		if (length !== null && Number(length) <= SMALL_BODY) return { bytes: new Uint8Array(await request.arrayBuffer()) };
		return await readChunks(request, limit, room);
	} catch {
		return { problem: "hung-up" };
	}
};

/** Chunks allowed in addition to one per 64 bytes. More and smaller chunks would only cost memory. */
const SPARE_CHUNKS = 1024;

const readChunks = async ({ body }: Request, limit: number, room: BodyRoom): Promise<Body> => {
	// one growing buffer: an object per chunk takes hundreds of times the size of a one-byte chunk
	let bytes = new Uint8Array(1024);
	let [size, chunks] = [0, 0];
	const reader = body?.getReader();
	let isGivenUp = false;
	const place = room.enter(() => {
		isGivenUp = true;
		// ends a pending read
		void reader?.cancel().catch(() => {});
	});
	try {
		for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
			const end = size + read.value.byteLength;
			chunks += 1;
			if (end > limit || chunks > SPARE_CHUNKS + end / 64) return tooLarge(reader);
			if (end > bytes.byteLength) bytes = grown(bytes, Math.max(end, 2 * bytes.byteLength));
			place.grow(bytes.byteLength);
			bytes.set(read.value, size);
			size = end;
		}
	} finally {
		place.leave();
	}
	if (isGivenUp) return { problem: "busy" };
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
	// canceling the stream ends a pending read
	const timer = setTimeout(() => void reader.cancel().catch(() => {}), DISCARD_MS);
	try {
		let left = DISCARD_BYTES;
		for (let read = await reader.read(); read.value && left > 0; read = await reader.read())
			left -= read.value.byteLength;
		await reader.cancel();
	} catch {
		// the caller hung up
	} finally {
		clearTimeout(timer);
	}
};
