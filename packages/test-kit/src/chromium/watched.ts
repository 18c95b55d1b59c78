import type { Browser, BrowserContext, Page, Route } from "playwright-core";

/** A busy machine stands still for seconds. */
const PATIENCE_MS = 60_000;

type Fulfilled = NonNullable<Parameters<Route["fulfill"]>[0]>;

export type Watched = NonNullable<Parameters<Browser["newContext"]>[0]> & {
	/** what another site answers; undefined where nothing may be asked */
	elsewhere?: ((url: string) => Fulfilled | undefined | Promise<Fulfilled | undefined>) | undefined;
};

/** A new browser context that keeps what goes wrong in its pages: errors of scripts and policies, and requests to other sites. */
export const openWatched = async (
	browser: Browser,
	origin: string,
	wrong: string[],
	{ elsewhere, ...options }: Watched = {},
): Promise<BrowserContext> => {
	const context = await browser.newContext({ reducedMotion: "reduce", ...options });
	context.setDefaultTimeout(PATIENCE_MS);
	await context.route("**/*", async (route) => {
		const url = route.request().url();
		if (url.startsWith(origin)) return route.continue();
		const answer = await elsewhere?.(url);
		if (answer) return route.fulfill(answer);
		wrong.push(`a request to ${url}`);
		return route.abort();
	});
	context.on("page", (page) => watch(page, wrong));
	return context;
};

/** A refusal of the API, or a page that says one, is an error to the console; so is a request that a test or the above stops. */
const EXPECTED = ["the server responded with a status of 4", "net::ERR_FAILED"];

const watch = (page: Page, wrong: string[]): void => {
	const note = (text: string) => wrong.push(`${new URL(page.url()).pathname}: ${text}`);
	page.on("console", (message) => {
		if (message.type() === "error" && !EXPECTED.some((part) => message.text().includes(part))) note(message.text());
	});
	page.on("pageerror", ({ message }) => note(message));
};
