import assert from "node:assert/strict";
import { installScript } from "test-kit/install-script";
import { packPackage } from "test-kit/packed-packages";
import { freePort } from "test-kit/servers/free-port";
import { byBrowser } from "./by-browser.ts";
import { createFolder, type Running } from "./folder.ts";
import { type StartPage, sameTerminal } from "./start-page.ts";
import { twoTenants } from "./two-tenants.ts";
import { secondsSince, untilReady } from "./until-ready.ts";

/** A page that was followed to its end, with the time of each part. */
export type Followed = {
	install: number;
	start: number;
	use: number;
	/** From the first command to the last one of the development server. */
	total: number;
	/** Building and starting for production. */
	production: number;
	seen: string[];
};

/** Follows a page literally in an empty folder. Only the package's tarball and the port differ. Throws if anything fails. */
export const followPage = async (page: StartPage): Promise<Followed> => {
	const folder = await createFolder({ npm_config_prefer_offline: "true", npm_config_fetch_retries: "5" });
	let server: (Running & { ended: Promise<void> }) | undefined;
	try {
		const tarball = await packPackage("tenants", folder.path);
		const port = await freePort();
		const onPort = (text: string) => text.replaceAll("3000", String(port));
		const began = performance.now();
		await folder.shell(await installScript(page.install, tarball));
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
		const seen = [await twoTenants(port, "grace@example.com")];
		if (hasForm(page)) seen.push(await byBrowser(port, "ada@example.com"));
		if (/\btypescript@/.test(page.install)) {
			await folder.shell("npx tsc --noEmit");
			seen.push("the application compiles under the framework's own compiler options");
		}
		await server.stop();
		const built = performance.now();
		const inTerminal = (script: string) => onPort(sameTerminal(page, script));
		if (page.build) {
			await folder.shell(inTerminal(page.build));
			seen.push("builds for production");
		}
		if (page.start) {
			server = folder.open(inTerminal(page.start));
			await untilReady(port, server);
		}
		const production = secondsSince(built);
		if (page.start) {
			seen.push(`in production: ${await twoTenants(port, "linus@example.com")}`);
			if (hasForm(page)) seen.push(`in production, ${await byBrowser(port, "edsger@example.com")}`);
		}
		return { install, start, use, total, production, seen };
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

/** Two users with one email, a refusal, and a host of nobody. */
const checkPrinted = (printed: string): void => {
	const message = `The commands of the page printed:\n${printed}`;
	const lines = printed.split("\n").filter((line) => line.includes("ada@example.com"));
	assert.equal(new Set(lines).size, 2, message);
	assert.match(printed, /INVALID_EMAIL_OR_PASSWORD/, message);
	assert.match(printed, /Not found: there is no such tenant.*\(404\)/, message);
};
