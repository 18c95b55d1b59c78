import { APIError } from "better-auth/api";
import { NotObservable } from "../check.ts";
import { type Answer, type Ask, answerOf, type Open } from "../http.ts";
import { cookieHeader, keepCookies } from "./cookie-jar.ts";
import { queryIn } from "./query.ts";

type Endpoint = ((input: object) => Promise<Response>) & { path: string; options: { method: string | string[] } };

/**
 * Calls `auth.api` in the process of the server, with the headers of a request but without one, as server code does that
 * forwards the headers of its caller.
 */
export const callApi =
	(api: object): Open =>
	(base, standing = {}) => {
		const cookies = new Map<string, string>();
		const endpoints = Object.values(api).filter(isEndpoint);
		const send = async (method: "GET" | "POST", url: URL, ask: Ask): Promise<Answer> => {
			if (ask.form || ask.text !== undefined) throw new NotObservable("auth.api takes values, not bodies of requests");
			const prefix = new URL(base).pathname;
			const path = url.href.startsWith(`${base}/`) ? url.pathname.slice(prefix.length) : null;
			const found = path && endpoints.find((one) => takes(one, method) && paramsIn(one.path, path));
			if (!found) throw new NotObservable("auth.api has functions, not paths");
			for (const [name, value] of Object.entries(ask.query ?? {})) url.searchParams.append(name, value);
			const response = await found({
				...(ask.body === undefined ? {} : { body: JSON.parse(JSON.stringify(ask.body)) }),
				...(ask.query || url.searchParams.size > 0 ? { query: queryIn(url) } : {}),
				params: paramsIn(found.path, path) ?? {},
				headers: new Headers({ ...standing, ...ask.headers, ...cookieHeader(cookies) }),
				asResponse: true,
			}).catch(toResponse);
			const answer = await answerOf(`auth.api ${method} ${path}`, response);
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

/** Errors of hooks before an endpoint are thrown, also with `asResponse`. */
const toResponse = (error: unknown): Response => {
	if (!(error instanceof APIError)) throw error;
	return Response.json(error.body, { status: error.statusCode, headers: new Headers(error.headers) });
};

const isEndpoint = (value: unknown): value is Endpoint =>
	typeof value === "function" && "path" in value && typeof value.path === "string" && "options" in value;

const takes = ({ options: { method } }: Endpoint, wanted: string): boolean => [method].flat().includes(wanted);

/** The parameters of a path such as `/tenant/callback/:id`; null if the path is another one. */
const paramsIn = (pattern: string, path: string): Record<string, string> | null => {
	const [names, values] = [pattern.split("/"), path.split("/")];
	if (names.length !== values.length) return null;
	const params: Record<string, string> = {};
	for (const [at, name] of names.entries()) {
		const value = decodeURIComponent(values[at] ?? "");
		if (name.startsWith(":")) params[name.slice(1)] = value;
		else if (name !== value) return null;
	}
	return params;
};
