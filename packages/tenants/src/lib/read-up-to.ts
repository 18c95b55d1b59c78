/**
 * Reads a body of at most `most` bytes. Null if it is longer, whatever its Content-Length says: the rest is not read. One
 * growing buffer, because an object per chunk takes hundreds of times the size of a one-byte chunk.
 */
export const readUpTo = async (
	body: ReadableStream<Uint8Array>,
	most: number,
): Promise<Uint8Array<ArrayBuffer> | null> => {
	const reader = body.getReader();
	let bytes = new Uint8Array(0);
	let size = 0;
	for (let read = await reader.read(); !read.done; read = await reader.read()) {
		const end = size + read.value.byteLength;
		if (end > most) {
			reader.releaseLock();
			return null;
		}
		if (end > bytes.byteLength) bytes = grown(bytes, Math.min(most, Math.max(end, 2 * bytes.byteLength)));
		bytes.set(read.value, size);
		size = end;
	}
	return bytes.subarray(0, size);
};

const grown = (bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> => {
	const larger = new Uint8Array(length);
	larger.set(bytes);
	return larger;
};

/** How much of a rejected body is read. */
const DISCARDED = 1_048_576;

/**
 * Reads the rest of a rejected body, so that the client sees the response and can use its connection again. Ends the
 * connection if there is more. Never throws.
 */
export const discard = async (body: ReadableStream<Uint8Array>): Promise<void> => {
	try {
		const reader = body.getReader();
		let left = DISCARDED;
		for (let read = await reader.read(); !read.done && left > 0; read = await reader.read())
			left -= read.value.byteLength;
		await reader.cancel();
	} catch {
		// the caller hung up
	}
};
