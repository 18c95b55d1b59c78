import { existsSync, readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const TYPES: Record<string, string> = {
	css: "text/css; charset=utf-8",
	html: "text/html; charset=utf-8",
	json: "application/json",
	js: "text/javascript; charset=utf-8",
	svg: "image/svg+xml",
};

export type ConsoleFile = { type: string; body: Buffer; zipped: () => Promise<Buffer> };

/** Where the build of the service copies that of apps/console, and where it is if the service runs from its sources. */
const FOLDERS = ["./console/", "../../../../console/dist/"].map((path) => new URL(path, import.meta.url));

/** Reads the build of apps/console. Empty if there is none. */
export const openFiles = (
	folder = FOLDERS.find((one) => existsSync(new URL("index.html", one))),
): Map<string, ConsoleFile> => {
	if (!folder) return new Map();
	const names = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.pathname.length).replace(/^\//, ""));
	return new Map(names.map((name) => [name, open(new URL(name, folder), name)]));
};

const compress = promisify(gzip);

const open = (url: URL, name: string): ConsoleFile => {
	const body = readFileSync(url);
	const extension = name.split(".").at(-1) ?? "";
	let zipped: Promise<Buffer> | null = null;
	return {
		type: TYPES[extension] ?? "application/octet-stream",
		body,
		// compressed when first asked for, and once
		zipped: () => {
			zipped ??= compress(body, { level: 9 });
			return zipped;
		},
	};
};
