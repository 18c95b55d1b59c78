import { Pool } from "undici";
import { type Message, OUTBOX_HEADER } from "../app/settings.ts";

/** One request to the application, like a browser or a program sends. */
export type Request = {
	method: "GET" | "POST";
	/** below /api/auth; a whole URL if the application provided it */
	path: string;
	query?: Record<string, string> | undefined;
	body?: Record<string, unknown> | undefined;
	cookies?: Cookies | undefined;
	bearer?: string | undefined;
	/** x-tenant-id */
	tenant?: string | undefined;
};

export type Cookies = ReadonlyMap<string, string>;

export type Answer = {
	status: number;
	/** the body; null if it is not JSON */
	json: unknown;
	/** everything the caller receives: body, headers, cookies */
	text: string;
	location: string | null;
	/** cookies that were set, without deleted ones */
	cookies: Cookies;
	/** mails and text messages caused by this request */
	outbox: Message[];
};

/** Sends requests over persistent connections. */
export const createHttp = (origin: string, connections: number) => {
	const pool = new Pool(origin.replace("localhost", "127.0.0.1"), { connections, pipelining: 1 });
	return {
		send: async (request: Request): Promise<Answer> => {
			const response = await pool.request({
				method: request.method,
				path: pathOf(request),
				headers: headersOf(request, origin),
				body: request.method === "POST" ? JSON.stringify(request.body ?? {}) : null,
			});
			return readAnswer(response.statusCode, response.headers, await response.body.text());
		},
		close: () => pool.destroy(),
	};
};

const pathOf = ({ path, query }: Request): string => {
	const url = URL.parse(path);
	if (url) return `${url.pathname}${url.search}`;
	const search = query ? `?${new URLSearchParams(query)}` : "";
	return `/api/auth${path}${search}`;
};

const headersOf = ({ method, cookies, bearer, tenant }: Request, origin: string): Record<string, string> => ({
	host: origin.slice("http://".length),
	origin,
	...(method === "POST" ? { "content-type": "application/json" } : {}),
	...(cookies && cookies.size > 0
		? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
		: {}),
	...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
	...(tenant ? { "x-tenant-id": tenant } : {}),
});

type Headers = Record<string, string | string[] | undefined>;

const readAnswer = (status: number, headers: Headers, body: string): Answer => {
	const outbox = headers[OUTBOX_HEADER];
	const location = headers.location;
	const lines = headers["set-cookie"] ?? [];
	const shown = Object.entries(headers).filter(([name]) => name !== OUTBOX_HEADER);
	return {
		status,
		json: readJson(body),
		text: `${body}\n${shown.map(([name, value]) => `${name}: ${value}`).join("\n")}`,
		location: typeof location === "string" ? location : null,
		cookies: readCookies(typeof lines === "string" ? [lines] : lines),
		outbox: typeof outbox === "string" ? (JSON.parse(Buffer.from(outbox, "base64").toString()) as Message[]) : [],
	};
};

const readJson = (body: string): unknown => {
	try {
		return JSON.parse(body);
	} catch {
		return null;
	}
};

const readCookies = (lines: string[]): Cookies => {
	const cookies = new Map<string, string>();
	for (const line of lines) {
		const [pair = "", ...attributes] = line.split(/;\s*/);
		const at = pair.indexOf("=");
		if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(pair.slice(0, at));
		else cookies.set(pair.slice(0, at), pair.slice(at + 1));
	}
	return cookies;
};

/** A value in a JSON response by its path; undefined if missing. */
export const valueAt = (json: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>(
		(value, name) =>
			typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
		json,
	);

export const textAt = (json: unknown, ...path: string[]): string => {
	const value = valueAt(json, ...path);
	return typeof value === "string" ? value : "";
};
