import { describe, expect, it } from "vitest";
import { type Line, parseRecord, readLines } from "../../src/command-line/ndjson.ts";

const read = async (...chunks: (string | Buffer)[]): Promise<Line[]> => {
	const source = async function* () {
		for (const chunk of chunks) yield Buffer.from(chunk);
	};
	const lines: Line[] = [];
	for await (const line of readLines(source())) lines.push(line);
	return lines;
};

describe("readLines", () => {
	it("joins lines across chunks, even inside of a character, and counts empty ones", async () => {
		const bytes = Buffer.from('{"a":"ü"}\n\n{"b":2}\r\n{"c":3}');
		for (let at = 0; at <= bytes.length; at += 1) {
			const lines = await read(bytes.subarray(0, at), bytes.subarray(at));
			expect(lines.map(({ number, text }) => [number, JSON.parse(text ?? "")])).toEqual([
				[1, { a: "ü" }],
				[3, { b: 2 }],
				[4, { c: 3 }],
			]);
		}
	});

	it("refuses invalid UTF-8 and lines that are too long, and continues with the next line", async () => {
		const lines = await read(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), ...Array(20).fill("x".repeat(60_000)), "\n{}\n");
		expect(lines.map(({ number, refusal, text }) => [number, refusal?.code ?? text])).toEqual([
			[1, "LINE_NOT_UTF8"],
			[2, "LINE_TOO_LONG"],
			[3, "{}"],
		]);
	});
});

describe("parseRecord", () => {
	it("accepts only objects", () => {
		for (const text of ["[]", "1", "null", '"a"', "{", "{}}"])
			expect(parseRecord({ number: 1, bytes: 1, text })).toMatchObject({ refusal: { code: "LINE_NOT_JSON" } });
		expect(parseRecord({ number: 1, bytes: 1, text: '{"a":1}' })).toEqual({ record: { a: 1 } });
	});
});
