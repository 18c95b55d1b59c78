import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const manifest = z.looseObject({ name: z.string(), version: z.string(), private: z.boolean().optional() });

/** A package that is published. `folder` is relative to the root. */
export type PublicPackage = { name: string; version: string; folder: string };

/** The packages of a workspace that are published. */
export const publicPackages = (root: string): PublicPackage[] =>
	globSync("packages/*/package.json", { cwd: root })
		.toSorted()
		.map((file) => ({ folder: dirname(file), ...manifest.parse(JSON.parse(readFileSync(join(root, file), "utf8"))) }))
		.filter((found) => found.private !== true)
		.map(({ name, version, folder }) => ({ name, version, folder }));
