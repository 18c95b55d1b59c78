import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installScript } from "test-kit/install-script";
import { packPackage } from "test-kit/packed-packages";
import { freePort } from "test-kit/servers/free-port";
import { workspaceVersions } from "test-kit/workspace-versions";
import { createFolder, type Running } from "./folder.ts";
import { openOwner } from "./owner.ts";
import { readGuide, readStartPage, sameTerminal } from "./start-page.ts";
import { secondsSince, untilReady } from "./until-ready.ts";

/** The guide, followed to its end. */
export type FollowedGuide = { page: string; digest: string; install: number; follow: number; seen: string[] };

const SERVER_FILES = ["auth.js", "migrate.js", "customer.js", "auth-client.js"];

/** Follows docs/guides/b2b.md literally, in the application of docs/start/hono.md. Throws if anything fails. */
export const followGuide = async (): Promise<FollowedGuide> => {
	const { path, block, digest } = readGuide();
	const page = readStartPage("hono");
	const folder = await createFolder({ npm_config_prefer_offline: "true", npm_config_fetch_retries: "5" });
	let server: (Running & { ended: Promise<void> }) | undefined;
	try {
		const port = await freePort();
		const onPort = (text: string) => text.replaceAll("3000", String(port));
		const write = (files: Record<string, string>) =>
			folder.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, onPort(text)])));
		const began = performance.now();
		await folder.shell(await installScript(page.install, await packPackage("tenants", folder.path)));
		const install = secondsSince(began);
		const followed = performance.now();
		await write(page.files);
		await folder.shell(sameTerminal(page, "node setup.js"));

		await write(Object.fromEntries(SERVER_FILES.map((name) => [name, block(name)])));
		server = folder.open(sameTerminal(page, block("run")));
		await untilReady(port, server);
		const sent = server;
		const linkOf = (email: string): string => {
			const link = new RegExp(`To ${email}: join Initech at (\\S+)`).exec(sent.output())?.[1];
			assert.ok(link, `Nothing was sent to ${email}.`);
			return link;
		};

		// what runs in the browser is bundled, as any application does it
		const { catalog } = await workspaceVersions();
		await folder.shell(`npm install --no-save --no-audit --no-fund esbuild@${catalog.esbuild}`);
		const bundle = async (mark: string): Promise<string> => {
			await folder.write({
				"page.js": `import { authClient } from "./auth-client.js";\n${block(mark)}\ndocument.title = "done";\n`,
			});
			await folder.shell("npx esbuild page.js --bundle --format=esm --outfile=bundle.js");
			return readFile(join(folder.path, "bundle.js"), "utf8");
		};
		const seen = await openOwner({ port, linkOf, accept: await bundle("accept"), rule: await bundle("owner") });
		return { page: path, digest, install, follow: secondsSince(followed), seen };
	} catch (error) {
		console.error(server?.output() ?? "The server was not started.");
		throw error;
	} finally {
		await server?.stop();
		await folder.remove();
	}
};
