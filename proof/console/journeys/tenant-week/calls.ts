import type { Page } from "playwright-core";

/** A call of the console to the service. */
export type Call = { method: string; path: string; body: string | null };

/** Keeps every call that the console makes, once. */
export const collectCalls = (page: Page): Map<string, Call> => {
	const calls = new Map<string, Call>();
	page.on("request", (request) => {
		const { pathname, search } = new URL(request.url());
		if (!pathname.startsWith("/api/auth/")) return;
		const path = `${pathname.slice("/api/auth".length)}${search}`;
		const call = { method: request.method(), path, body: request.postData() };
		calls.set(`${call.method} ${call.path} ${call.body}`, call);
	});
	return calls;
};

/** The path of the endpoint. */
export const pathOf = ({ path }: Call): string => path.split("?", 1)[0] ?? path;
