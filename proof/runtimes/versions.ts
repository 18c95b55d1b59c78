import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import * as z from "zod";

const shape = z.object({ version: z.string() });
const versionIn = async (file: string | URL) => shape.parse(JSON.parse(await readFile(file, "utf8"))).version;

export const engineVersion = () => versionIn(new URL("node_modules/better-auth/package.json", import.meta.url));

/** workerd is a dependency of miniflare. */
export const workerdVersion = () => {
	const miniflare = createRequire(import.meta.url).resolve("miniflare");
	return versionIn(createRequire(miniflare).resolve("workerd/package.json"));
};
