import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** The built site. */
export const SITE_FOLDER = join(import.meta.dirname, "../../apps/docs/dist");

const TYPES: Record<string, string> = {
	".html": "text/html; charset=utf-8",
	".css": "text/css",
	".js": "text/javascript",
	".svg": "image/svg+xml",
	".json": "application/json",
	".md": "text/markdown; charset=utf-8",
	".txt": "text/plain; charset=utf-8",
	".xml": "application/xml",
	".png": "image/png",
	".wasm": "application/wasm",
};

export type ServedSite = {
	origin: string;
	/** the paths of all pages, such as /hosts/ */
	pages: string[];
	close(): Promise<void>;
};

/** Serves the built site on loopback, compressed, as a static host does. */
export const serveSite = async (): Promise<ServedSite> => {
	const files = globSync("**/*.*", { cwd: SITE_FOLDER });
	if (!files.includes("index.html")) throw new Error("The site is not built. Run `pnpm docs:site`");
	const known = new Set(files.map((file) => `/${file}`));
	const server = createServer((request, response) => {
		const path = decodeURI(new URL(request.url ?? "/", "http://site").pathname);
		const file = path.endsWith("/") ? `${path}index.html` : path;
		if (!known.has(file)) return response.writeHead(404).end("Not found");
		const type = TYPES[extname(file)] ?? "application/octet-stream";
		const caching = file.startsWith("/_astro/") ? "public, max-age=31536000, immutable" : "no-cache";
		response.writeHead(200, { "content-type": type, "content-encoding": "gzip", "cache-control": caching });
		response.end(gzipSync(readFileSync(join(SITE_FOLDER, file))));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const pages = files
		.filter((file) => file.endsWith("index.html"))
		.map((file) => `/${file.slice(0, -"index.html".length)}`);
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		pages: pages.toSorted(),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
};
