import { setTimeout as sleep } from "node:timers/promises";

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

export type Browser = ReturnType<typeof openBrowser>;

/** A client that keeps cookies, sends its origin, and does not follow redirects. */
export const openBrowser = (base: string, standing: Record<string, string> = {}) => {
	const cookies = new Map<string, string>();

	const send = async (method: "GET" | "POST", url: URL, ask: Ask): Promise<Answer> => {
		for (const [name, value] of Object.entries(ask.query ?? {})) url.searchParams.append(name, value);
		const headers = new Headers({ ...standing, ...ask.headers });
		if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
		if (method === "POST") headers.set("origin", new URL(base).origin);
		if (ask.body !== undefined) headers.set("content-type", "application/json");
		const json = ask.body === undefined ? null : JSON.stringify(ask.body);
		const body = ask.form ? new URLSearchParams(ask.form) : (ask.text ?? json);
		const response = await patiently(() => fetch(url, { method, headers, body, redirect: "manual" }));
		const text = await response.text();
		const setCookies = response.headers.getSetCookie();
		for (const cookie of setCookies) keep(cookies, cookie);
		const request = `${method} ${url.pathname}`;
		return { request, status: response.status, headers: response.headers, text, json: parsed(text), setCookies };
	};

	return {
		get: (path: string, ask: Ask = {}) => send("GET", new URL(base + path), ask),
		post: (path: string, ask: Ask = {}) => send("POST", new URL(base + path), ask),
		/** Opens a URL from a redirect or a mail. */
		visit: (url: string) => send("GET", new URL(url, base), {}),
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

const keep = (cookies: Map<string, string>, setCookie: string) => {
	const [pair = "", ...attributes] = setCookie.split(";");
	const at = pair.indexOf("=");
	const name = pair.slice(0, at).trim();
	if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name);
	else cookies.set(name, pair.slice(at + 1));
};

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};
