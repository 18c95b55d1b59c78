import { setTimeout as sleep } from "node:timers/promises";
import { cookieHeader, keepCookies } from "./callers/cookie-jar.ts";

export type Answer = {
	request: string;
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body, or undefined if it is not JSON. */
	json: unknown;
	setCookies: string[];
};

export type Ask = {
	body?: unknown;
	/** Sends a plain HTML form instead of JSON. */
	form?: Record<string, string>;
	/** Sends this text unchanged; the caller sets its content type. */
	text?: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
};

/** A caller that keeps cookies. */
export type Browser = {
	get(path: string, ask?: Ask): Promise<Answer>;
	post(path: string, ask?: Ask): Promise<Answer>;
	/** Opens a URL from a redirect or a mail. */
	visit(url: string): Promise<Answer>;
	cookies: Map<string, string>;
};

/** Opens a caller of the endpoints below a base URL. It sends the standing headers with every call. */
export type Open = (base: string, standing?: Record<string, string>) => Browser;

/** A client that keeps cookies, sends its origin, and does not follow redirects. */
export const openBrowser: Open = (base, standing = {}) => {
	const cookies = new Map<string, string>();

	const send = async (method: "GET" | "POST", url: URL, ask: Ask): Promise<Answer> => {
		for (const [name, value] of Object.entries(ask.query ?? {})) url.searchParams.append(name, value);
		const headers = new Headers({ ...standing, ...ask.headers, ...cookieHeader(cookies) });
		if (method === "POST") headers.set("origin", new URL(base).origin);
		if (ask.body !== undefined) headers.set("content-type", "application/json");
		const json = ask.body === undefined ? null : JSON.stringify(ask.body);
		const body = ask.form ? new URLSearchParams(ask.form) : (ask.text ?? json);
		const response = await patiently(() => fetch(url, { method, headers, body, redirect: "manual" }));
		const answer = await answerOf(`${method} ${url.pathname}`, response);
		keepCookies(cookies, answer.setCookies);
		return answer;
	};

	return {
		get: (path, ask = {}) => send("GET", new URL(base + path), ask),
		post: (path, ask = {}) => send("POST", new URL(base + path), ask),
		visit: (url) => send("GET", new URL(url, base), {}),
		cookies,
	};
};

/** A shared deployment may have rate limits: wait as long as it asks, then retry once. */
const patiently = async (ask: () => Promise<Response>): Promise<Response> => {
	for (let attempt = 0; ; attempt++) {
		const response = await ask();
		if (response.status !== 429 || attempt === 5) return response;
		const seconds = Number(response.headers.get("retry-after") ?? response.headers.get("x-retry-after") ?? 1);
		await sleep(Math.min(Math.max(seconds, 1), 60) * 1000);
	}
};

export const answerOf = async (request: string, response: Response): Promise<Answer> => {
	const text = await response.text();
	const { status, headers } = response;
	return { request, status, headers, text, json: parsed(text), setCookies: headers.getSetCookie() };
};

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};
