import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PUBLISHED = fileURLToPath(new URL("../../../docs/upstream/published/", import.meta.url));

/** One patch per idea. Each applies without the others. */
export const PATCHES = ["keep-router", "keep-tables", "keep-options"] as const;
export type PatchName = (typeof PATCHES)[number];

/** The folder of the installed Better Auth, without symbolic links. */
export const ENGINE = dirname(dirname(fileURLToPath(import.meta.resolve("better-auth"))));

const manifest = JSON.parse(readFileSync(join(ENGINE, "package.json"), "utf8")) as { version: string };
export const ENGINE_VERSION = manifest.version;

/** The patch for the published files of the installed version. */
export const patchFile = (name: PatchName): string => {
	const file = join(PUBLISHED, ENGINE_VERSION, `${name}.patch`);
	if (!existsSync(file))
		throw new Error(`${file} is missing. Write the patches for Better Auth ${ENGINE_VERSION}, as docs/upstream says.`);
	return file;
};

/** The published files that a patch changes, such as `better-auth/dist/auth/base.mjs`. */
export const patchedFiles = (name: PatchName): string[] =>
	[...readFileSync(patchFile(name), "utf8").matchAll(/^--- a\/(\S+)$/gm)].map(([, file = ""]) => file);
