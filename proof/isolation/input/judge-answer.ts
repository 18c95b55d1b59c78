import type { WireAnswer, WireRequest } from "./send-request.ts";
import { INJECTED_HEADER, MARKUP } from "./text-payloads.ts";

export type Place = {
	origin: string;
	/** the address of the configured identity provider */
	providerOrigin: string;
};

/** The maximum duration of a request. */
const SLOWEST = 5_000;
export const isSlow = ({ milliseconds }: WireAnswer): boolean => milliseconds > SLOWEST;

/** Patterns of internal details in a response. Only checked if the request did not contain them. */
const INSIDE: [what: string, pattern: RegExp][] = [
	["a stack trace", /\n\s+at .+:\d+:\d+\)?/],
	["a file's path", /node_modules|file:\/\/\/(?!etc\/passwd)|\/(?:home|work|usr|var|tmp)\/[a-z]+\//],
	["SQL", /\b(?:select|insert into|update|delete from) "[a-zA-Z]+"/i],
	[
		"a database's words",
		/syntax error at or near|violates [a-z-]+ constraint|invalid (?:byte sequence|input syntax)|relation "|column "|index row/i,
	],
	[
		"an error message",
		/(?:Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|Maximum call stack/,
	],
];

/** Returns all problems of a response; empty for a good one. */
export const judgeAnswer = (request: WireRequest, answer: WireAnswer, place: Place): string[] => {
	const wrong: string[] = [];
	if (answer.broken) wrong.push(`no answer: ${answer.broken}`);
	if (answer.status >= 500) wrong.push(`status ${answer.status}`);
	if (answer.headers[INJECTED_HEADER]) wrong.push("response splitting: a header from the request");
	if (answer.headers["set-cookie"]?.some((cookie) => cookie.startsWith("injected=")))
		wrong.push("a cookie from the request");
	for (const location of answer.headers.location ?? []) {
		if (!staysHere(location, place)) wrong.push(`open redirect: Location ${location}`);
	}
	const json = parse(answer.text);
	for (const url of addressesIn(json)) {
		if (!staysHere(url, place)) wrong.push(`open redirect: url ${url}`);
	}
	const asked = `${request.target}\n${request.headers.join("\n")}\n${request.body?.toString("utf8") ?? ""}`;
	// deeper levels may be stored data; at the top it can only be a copy of a polluted prototype
	if (typeof json === "object" && json !== null && "polluted" in json)
		wrong.push(`a polluted prototype's value: ${json.polluted}`);
	if (answer.headers["content-type"]?.[0]?.includes("html") && answer.text.includes(MARKUP))
		wrong.push("markup from the request in a page");
	for (const [what, pattern] of INSIDE) {
		if (pattern.test(answer.text) && !pattern.test(asked))
			wrong.push(`shows ${what}: ${pattern.exec(answer.text)?.[0]}`);
	}
	return wrong;
};

/** As a browser reads it: without tabs and newlines, backslashes as slashes, and relative to our site. */
const staysHere = (address: string, { origin, providerOrigin }: Place): boolean => {
	// an empty URL does not navigate
	if (address === "") return true;
	const url = URL.parse(address, `${origin}/api/auth/somewhere`);
	// an invalid URL does not navigate
	if (!url) return true;
	return url.origin === origin || url.origin === providerOrigin || isAuthorizationRequest(url, origin);
};

/** A provider's sign-in page, configured by an operator, which redirects back to us. */
const isAuthorizationRequest = (url: URL, origin: string): boolean => {
	if (url.protocol !== "https:" || !url.searchParams.get("client_id") || !url.searchParams.get("state")) return false;
	const back = URL.parse(url.searchParams.get("redirect_uri") ?? "");
	return back?.origin === origin;
};

/** Where a JSON response redirects a client: the fields that Better Auth's client follows. */
const addressesIn = (json: unknown): string[] => {
	if (typeof json !== "object" || json === null) return [];
	const { url, redirect, redirectTo, callbackURL } = json as Record<string, unknown>;
	return [url, redirect, redirectTo, callbackURL].filter((value) => typeof value === "string");
};

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
};
