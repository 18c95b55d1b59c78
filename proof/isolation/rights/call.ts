import type { AnswerJson } from "test-kit/answer-json";
import type { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { ORIGIN } from "./build-auth.ts";

export type Call = {
	body?: object;
	query?: Record<string, string>;
	tenant?: string;
	browser?: Browser;
	key?: string;
	token?: string;
	isOperator?: boolean;
};

/** `json` is null if the response has none. */
export type Answer = { status: number; json: AnswerJson; text: string };

export type SendCall = (path: string, call?: Call) => Promise<Answer>;

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Sends requests to a handler in this process. */
export const createCall =
	(handler: (request: Request) => Promise<Response>): SendCall =>
	async (path, { body, query = {}, tenant, browser, key, token, isOperator } = {}) => {
		const url = new URL(`${ORIGIN}/api/auth${path}`);
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
		const headers = new Headers({ origin: ORIGIN });
		if (body) headers.set("content-type", "application/json");
		if (tenant) headers.set("x-tenant-id", tenant);
		if (key) headers.set("x-api-key", key);
		if (isOperator) headers.set("authorization", `Bearer ${MANAGEMENT_KEY}`);
		if (token) headers.set("authorization", `Bearer ${token}`);
		if (browser && browser.cookies.size > 0) headers.set("cookie", browser.header());
		const method = body ? "POST" : "GET";
		const response = await handler(new Request(url, { method, headers, body: body ? JSON.stringify(body) : null }));
		browser?.take(response);
		const text = await response.text();
		return { status: response.status, json: parse(text), text };
	};

const parse = (text: string): AnswerJson => {
	try {
		return JSON.parse(text);
	} catch {
		// typed as present, like each of its fields
		return null as unknown as AnswerJson;
	}
};
