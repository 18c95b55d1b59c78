import assert from "node:assert/strict";
import { freePort } from "test-kit/servers/free-port";
import { byBrowser } from "./by-browser.ts";
import { createFolder, type Running } from "./folder.ts";
import { packInto } from "./pack.ts";
import { createBrowser } from "./requests.ts";
import type { StartPage } from "./start-page.ts";
import { twoTenants } from "./two-tenants.ts";

/** A page that was followed to its end, with the time of each part. */
export type Followed = { install: number; start: number; use: number; total: number; seen: string[] };

/** The longest that a development server may take to compile its first page. */
const PATIENCE = 180_000;

/** Follows a page literally in an empty folder. Only the package's tarball and the port differ. Throws if anything fails. */
export const followPage = async (page: StartPage): Promise<Followed> => {
	const folder = await createFolder({ npm_config_prefer_offline: "true", npm_config_fetch_retries: "5" });
	let server: (Running & { ended: Promise<void> }) | undefined;
	try {
		const tarball = await packInto(folder.path);
		const port = await freePort();
		const onPort = (text: string) => text.replaceAll("3000", String(port));
		const began = performance.now();
		assert.match(page.install, /\bbetter-auth-tenants\b(?![-\w])/, "The page does not install the package.");
		await folder.shell(page.install.replace(/\bbetter-auth-tenants\b(?![-\w])/, `./${tarball}`));
		const install = secondsSince(began);
		await folder.write(Object.fromEntries(Object.entries(page.files).map(([name, text]) => [name, onPort(text)])));
		const started = performance.now();
		server = folder.open(onPort(page.run));
		await untilReady(port, server);
		const start = secondsSince(started);
		const used = performance.now();
		if (page.use) checkPrinted(await folder.shell(onPort(page.use)));
		const use = secondsSince(used);
		const total = secondsSince(began);
		const seen = [await twoTenants(port)];
		if (hasForm(page)) seen.push(await byBrowser(port));
		if (/\btypescript@/.test(page.install)) {
			await folder.shell("npx tsc --noEmit");
			seen.push("the application compiles under the framework's own compiler options");
		}
		return { install, start, use, total, seen };
	} catch (error) {
		console.error(server?.output() ?? "The server was not started.");
		throw error;
	} finally {
		await server?.stop();
		await folder.remove();
	}
};

/** Such a page ends in the browser, not with commands. */
const hasForm = ({ files }: StartPage): boolean => Object.values(files).some((text) => text.includes("<form"));

const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10;

/** Waits until the platform's host serves Better Auth. */
const untilReady = async (port: number, server: Running & { ended: Promise<void> }): Promise<void> => {
	const visit = createBrowser(port);
	let isOver = false;
	void server.ended.then(() => {
		isOver = true;
	});
	for (const until = performance.now() + PATIENCE; performance.now() < until && !isOver; ) {
		const answer = await visit("localhost", "/ok").catch(() => null);
		if (answer?.status === 200) return;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	throw new Error(isOver ? "The server ended." : "The server does not serve /api/auth/ok.");
};

/** Two users with one email, and a refusal. */
const checkPrinted = (printed: string): void => {
	const message = `The commands of the page printed:\n${printed}`;
	const lines = printed.split("\n").filter((line) => line.includes("ada@example.com"));
	assert.equal(new Set(lines).size, 2, message);
	assert.match(printed, /INVALID_EMAIL_OR_PASSWORD/, message);
};
