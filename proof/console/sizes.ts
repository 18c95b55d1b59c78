import { gzipSync } from "node:zlib";
import type { World } from "./world.ts";

/** Bytes that the first page of the console loads, compressed. */
export const BUDGET = 200_000;

/** The page and what it names. Other files are loaded with the page that needs them. */
export const weigh = async ({ platform }: World): Promise<Record<string, number>> => {
	const { port, host } = new URL(platform);
	const load = async (path: string): Promise<ArrayBuffer> => {
		const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-host": host } });
		return answer.arrayBuffer();
	};
	const page = await load("/console");
	const sizes: Record<string, number> = { "/console": gzipSync(page).byteLength };
	for (const [, path = ""] of new TextDecoder().decode(page).matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g))
		sizes[path.replace(/-[\w-]{8}\./, ".")] = gzipSync(await load(path)).byteLength;
	sizes.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
	return sizes;
};
