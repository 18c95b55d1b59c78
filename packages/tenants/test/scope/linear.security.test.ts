import { countScanned } from "test-kit/count-scanned";
import { expect, it } from "vitest";
import { matchesPath } from "../../src/engine/path-pattern.ts";
import { readCookie } from "../../src/engine/request-cookie.ts";
import { readTag } from "../../src/scope/pin/tag.ts";

/** Texts that are expensive to parse, of any length. */
const HARD = ["session_token=~", "session_token;", "a=b;", "a;", ";;", "==", " ; ", "session_token=", '"', "~", "*a"];

const READERS: [string, (text: string) => unknown][] = [
	["a cookie", (text) => readCookie(text, "session_token")],
	["a missing cookie", (text) => readCookie(`${text}x_session_token`, "session_token")],
	["a cookie after others without a value", (text) => readCookie(`${text};session_token=x`, "session_token")],
	["a tag", (text) => readTag(text)],
	["a pattern", (text) => matchesPath("/*a*b*c*", text)],
];

// threat 79
it.each(READERS)("reads %s in linear steps, whatever it contains", (_, read) => {
	for (const piece of HARD) {
		const [short, long] = [1_000, 4_000].map((times) => countScanned(() => read(piece.repeat(times))));
		// four times the length; quadratic would take sixteen times the steps
		expect([piece, (long ?? 0) / Math.max(short ?? 0, 1) < 5]).toEqual([piece, true]);
	}
});

it("matches anything for a star in a pattern, and everything else literally", () => {
	const fits: [pattern: string, path: string][] = [
		["/a", "/a"],
		["/*", "/"],
		["/**", "/a/b"],
		["/a*", "/a"],
		["*/b", "/a/b"],
		["/a*b*c", "/a-b-b-c"],
		["/a*aa", "/aaaa"],
		["/a.b*", "/a.b"],
	];
	const fitsNot: [pattern: string, path: string][] = [
		["/a", "/ab"],
		["/a*", "/b"],
		["/a*aa", "/aa"],
		["/a*b*c", "/a-c-b"],
		["/a.b*", "/axb"],
		["/a*b", "/ab/"],
	];
	for (const [pattern, path] of fits)
		expect([pattern, path, matchesPath(pattern, path)]).toEqual([pattern, path, true]);
	for (const [pattern, path] of fitsNot)
		expect([pattern, path, matchesPath(pattern, path)]).toEqual([pattern, path, false]);
});
