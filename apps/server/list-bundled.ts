import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { Rolldown } from "tsdown";
import * as z from "zod";

/** A package whose modules are in a build, in the shape of Vite's `build.license`. */
export type Bundled = { name: string; version: string; identifier: string | null; text: string | null };

const manifest = z.looseObject({
	name: z.string(),
	version: z.string(),
	license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).nullish(),
});
const bundled = z.array(
	z.object({
		name: z.string(),
		version: z.string(),
		identifier: z.string().nullish().default(null),
		text: z.string().nullish().default(null),
	}),
);

export const BUNDLED_FILE = "bundled.json";

type Given = {
	/** such a list of what the build contains besides */
	others: string;
	/** packages that are installed with the build */
	dependencies: string[];
	/** imported in a case that never occurs */
	unused: string[];
};

/**
 * Writes which packages a build contains, with their licenses: nothing else in an image says so. Fails unless exactly the packages
 * that it does not contain are dependencies: one that is missing would stop the service, and one too many is in the image twice.
 */
export const listBundled = ({ others, dependencies, unused }: Given): Rolldown.Plugin => ({
	name: "list-bundled",
	generateBundle(_options, output) {
		const chunks = Object.values(output).filter((part) => part.type === "chunk");
		const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
		const needed = new Set(
			imported.filter((name) => !(name in output) && !isBuiltin(name)).map((name) => PACKAGE.exec(name)?.[0] ?? name),
		);
		for (const name of unused) needed.delete(name);
		const missing = [...needed].filter((name) => !dependencies.includes(name));
		const bundledToo = dependencies.filter((name) => !needed.has(name));
		if (missing.length > 0) this.error(`The build imports ${missing.join(", ")}: add it to dependencies.`);
		if (bundledToo.length > 0) this.error(`The build contains ${bundledToo.join(", ")}: move it to devDependencies.`);
		const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => folderOf(id) ?? [])));
		const found = [...[...folders].map(describe), ...readBundled(others)];
		const unique = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
		const sorted = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
		this.emitFile({ type: "asset", fileName: BUNDLED_FILE, source: `${JSON.stringify(sorted, null, "\t")}\n` });
	},
});

const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;

/** Reads such a list. */
export const readBundled = (file: string): Bundled[] => bundled.parse(JSON.parse(readFileSync(file, "utf8")));

/** What a package says of itself. */
export const readManifest = (folder: string): Omit<Bundled, "text"> => {
	const { name, version, license } = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
	return { name, version, identifier: license ?? null };
};

/** The folder of the package that a module belongs to, if it is installed. */
const folderOf = (module: string): string | null =>
	/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module.replace(/^\0/, ""))?.[0] ?? null;

const LICENSE_FILES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "License.md", "license.md", "LICENSE-MIT"];

const describe = (folder: string): Bundled => ({ ...readManifest(folder), text: textOf(folder) });

const textOf = (folder: string): string | null => {
	for (const file of LICENSE_FILES) {
		try {
			return readFileSync(join(folder, file), "utf8").trim();
		} catch {
			// by another name, or none
		}
	}
	return null;
};
