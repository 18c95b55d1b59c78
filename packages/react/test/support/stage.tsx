import { createServer } from "node:http";
import { toNodeHandler } from "better-auth/node";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { renderToString } from "react-dom/server";
import { lookAtPage } from "test-kit/chromium/look-at-page";
import { startLocalChromium } from "test-kit/chromium/start";
import { openWatched } from "test-kit/chromium/watched";
import { freePort } from "test-kit/servers/free-port";
import { expect } from "vitest";
import { Application, type Given } from "./application.tsx";
import { startWorld } from "./world.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The application in Chromium, at a real server with two tenants. `/ssr/…` is rendered on the server first. */
export const openStage = async () => {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const closings: (() => Promise<unknown>)[] = [];
	const world = await startWorld(origin, (close) => closings.push(close));
	const script = await bundle();
	const engine = toNodeHandler(world.auth.handler);
	const server = createServer(async (request, response) => {
		const { pathname, search, searchParams } = new URL(request.url ?? "/", origin);
		if (pathname.startsWith("/api/auth/")) return engine(request, response);
		if (pathname === "/app.js") return response.setHeader("content-type", "text/javascript").end(script);
		const isRendered = pathname.startsWith("/ssr/");
		const query = { tenantId: searchParams.get("tenant") ?? "" };
		const given: Given = {
			path: isRendered ? pathname.slice(4) : pathname,
			query: search,
			...(isRendered ? { initialMethods: await world.auth.api.getTenantSignInMethods({ query }) } : {}),
		};
		const content = isRendered ? renderToString(<Application {...given} />) : "";
		response.setHeader("content-type", "text/html").end(pageOf(content, given));
	});
	await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
	const browser = await startLocalChromium();
	return {
		...world,
		origin,
		browser,
		open: (path: string, query: Query) => openPage(browser, `${origin}${path}?${new URLSearchParams(query)}`),
		close: async (): Promise<void> => {
			await browser.close();
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
			for (const close of closings) await close();
		},
	};
};

type Query = Record<string, string>;

const bundle = async (): Promise<string> => {
	const { outputFiles } = await build({
		entryPoints: [new URL("browser-entry.tsx", import.meta.url).pathname],
		bundle: true,
		format: "esm",
		jsx: "automatic",
		write: false,
		// React's development build complains about mistakes, and mounts everything twice in strict mode
		define: { "process.env.NODE_ENV": '"development"' },
	});
	return outputFiles[0]?.text ?? "";
};

/** The components have no styles: what an application adds for fingers (WCAG 2.5.8). */
const STYLES = "button, a { display: inline-block; min-height: 24px }";

const pageOf = (content: string, given: Given): string =>
	`<!doctype html><html lang="en"><title>Test</title><link rel="icon" href="data:,"><style>${STYLES}</style><body><div id="root">${content}</div>
<script>window.given = ${JSON.stringify(given).replaceAll("<", "\\u003c")}</script><script type="module" src="/app.js"></script>`;

export type Visitor = Awaited<ReturnType<typeof openPage>>;

/** A visitor with a browser profile of their own. `wrong` collects what React and scripts complain about. */
const openPage = async (browser: Browser, url: string) => {
	const wrong: string[] = [];
	const context = await openWatched(browser, new URL(url).origin, wrong);
	const page = await context.newPage();
	await page.goto(url);
	const submit = async (name: string, fields: Record<string, string>): Promise<void> => {
		const form = page.locator(`[data-form="${name}"]`);
		for (const [field, value] of Object.entries(fields)) await form.locator(`input[name="${field}"]`).fill(value);
		await form.locator('[data-part="submit"]').click();
	};
	return {
		page,
		context,
		wrong,
		part: (name: string) => page.locator(`[data-part="${name}"]`),
		method: (name: string) => page.locator(`[data-method="${name}"]`),
		submit,
		signIn: (email: string, password: string) => submit("password", { email, password }),
		/** who the page says is signed in */
		who: page.locator("output"),
		/** waits until somebody is signed in, and returns the id of the user */
		userId: async (): Promise<string> => (await page.locator("output[data-user]").getAttribute("data-user")) ?? "",
		/** a complete round trip, after which earlier responses have been handled */
		settle: () => page.evaluate(async () => void (await fetch("/api/auth/ok"))),
		switchTo: async (tenantId: string): Promise<void> => {
			// React may not have run its effects yet
			await page.waitForFunction(() => "switchTo" in window);
			await page.evaluate((id) => window.switchTo(id), tenantId);
		},
		called: () => page.evaluate(() => window.called),
		expectAccessible: async (): Promise<void> => {
			expect((await lookAtPage(page)).wrong).toEqual([]);
		},
		close: () => context.close(),
	};
};
