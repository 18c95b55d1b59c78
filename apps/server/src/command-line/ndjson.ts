/** One line of a file: its text, or why it was refused. Empty lines are counted and skipped. */
export type Line = { number: number; bytes: number } & (
	| { text: string; refusal?: undefined }
	| { text?: undefined; refusal: Refusal }
);

export type Refusal = { code: string; message: string };

/** The longest line: the server's default BODY_LIMIT. */
const MAX_LINE_BYTES = 1_048_576;

const TOO_LONG: Refusal = { code: "LINE_TOO_LONG", message: "This line is longer than 1 MiB" };
const NOT_TEXT: Refusal = { code: "LINE_NOT_UTF8", message: "This line is not UTF-8" };
const NOT_JSON: Refusal = { code: "LINE_NOT_JSON", message: "This line is not a JSON object" };

/** Reads a file line by line. Holds at most one line and one chunk in memory. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Line> {
	const decode = createDecoder();
	let number = 0;
	let begun: Buffer[] = [];
	let bytes = 0;
	const finish = (): Line | null => {
		number += 1;
		const read =
			bytes > MAX_LINE_BYTES
				? { refusal: TOO_LONG }
				: decode(begun.length === 1 && begun[0] ? begun[0] : Buffer.concat(begun));
		const line: Line = { number, bytes: bytes + 1, ...read };
		begun = [];
		bytes = 0;
		return line.text?.trim() === "" ? null : line;
	};
	const add = (part: Buffer): void => {
		bytes += part.length;
		// a line over the limit is not kept
		if (bytes <= MAX_LINE_BYTES) begun.push(part);
		else begun = [];
	};
	for await (const chunk of source) {
		let from = 0;
		for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
			add(chunk.subarray(from, at));
			from = at + 1;
			const line = finish();
			if (line) yield line;
		}
		if (from < chunk.length) add(chunk.subarray(from));
	}
	if (bytes === 0) return;
	const last = finish();
	if (last) yield last;
}

/** One decoder for all lines: each decoder has memory outside the heap that is freed late. */
const createDecoder = () => {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	return (line: Buffer): { text: string } | { refusal: Refusal } => {
		try {
			return { text: decoder.decode(line) };
		} catch {
			// replacing invalid bytes would silently change names
			return { refusal: NOT_TEXT };
		}
	};
};

/** Parses a line as a JSON object. */
export const parseRecord = (line: Line): { record: Record<string, unknown> } | { refusal: Refusal } => {
	if (line.refusal) return line;
	try {
		const record: unknown = JSON.parse(line.text);
		if (typeof record === "object" && record !== null && !Array.isArray(record))
			return { record: record as Record<string, unknown> };
	} catch {
		// refused below
	}
	return { refusal: NOT_JSON };
};
