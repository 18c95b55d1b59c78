import type { Browser } from "./browser.ts";

/** Sends requests like one browser: with its cookies, which it updates. */
export const visit = (auth: { handler: (request: Request) => Promise<Response> }, browser: Browser, origin: string) => {
	return async (url: string, body?: unknown): Promise<Response> => {
		const headers = new Headers({ origin, "content-type": "application/json" });
		if (browser.cookies.size > 0) headers.set("cookie", browser.header());
		const response = await auth.handler(
			new Request(url, { method: body ? "POST" : "GET", headers, body: body ? JSON.stringify(body) : null }),
		);
		browser.take(response);
		return response;
	};
};
