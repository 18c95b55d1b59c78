import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSimpleForm, isSimpleJson } from "../../src/lib/is-simple.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const json = (text: string) => isSimpleJson(bytes(text));
const form = (text: string) => isSimpleForm(bytes(text));

describe("JSON", () => {
	it("may have 64 levels", () => {
		const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
		for (const [open, close] of [
			["[", "]"],
			['{"a":', "}"],
		] as const) {
			expect(json(nested(open, close, 64))).toBe(true);
			expect(json(nested(open, close, 65))).toBe(false);
		}
		// siblings are not nested, and neither are brackets in a text
		expect(json(`[${"[[]],".repeat(1_000)}1]`)).toBe(true);
		expect(json(`{"a":"${"[".repeat(10_000)}"}`)).toBe(true);
		expect(json("[".repeat(65))).toBe(false);
	});

	it("may have 32,768 members, empty ones included", () => {
		expect(json(`[${"1,".repeat(32_767)}1]`)).toBe(true);
		expect(json(`[${"1,".repeat(32_768)}1]`)).toBe(false);
		expect(json(`[${"[],".repeat(16_384)}1]`)).toBe(false);
		expect(json(`{"a":"${",".repeat(40_000)}"}`)).toBe(true);
	});

	it("may have 1,000 parameters in one text, however they are written", () => {
		for (const separator of ["&", "\\u0026", "a\\\\&", '\\"&']) {
			expect([separator, json(`{"oauth_query":"${`a${separator}`.repeat(1_000)}"}`)]).toEqual([separator, true]);
			expect([separator, json(`{"oauth_query":"${`a${separator}`.repeat(1_001)}"}`)]).toEqual([separator, false]);
		}
		// many texts with some each: an import with the URLs of pictures
		expect(json(`[${`"${"&".repeat(900)}",`.repeat(100)}1]`)).toBe(true);
	});

	it("is simple if and only if what it contains is, for any value", () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 6 }), (text) => {
				expect(json(text)).toBe(true);
				// around it, and with every quote and backslash of it inside of a text
				expect(json(`${"[".repeat(65)}${text}`)).toBe(false);
				expect(json(JSON.stringify(`${text}${"&".repeat(1_001)}`))).toBe(false);
				expect(json(`[${JSON.stringify(text)},${"[".repeat(64)}`)).toBe(false);
			}),
		);
	});
});

it("a form or a URL may have 1,000 parameters, those of a query in a value included", () => {
	for (const separator of ["&", "%26"]) {
		expect([separator, form(`a=1${separator}`.repeat(1_000))]).toEqual([separator, true]);
		expect([separator, form(`a=1${separator}`.repeat(1_001))]).toEqual([separator, false]);
	}
	expect(form("a=%25".repeat(10_000))).toBe(true);
});
