import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { NEWEST_TESTED } from "../../packages/tenants/src/engine/tested-versions.ts";
import { catalogEngine, catalogOverrides, keptEngines, keptOverrides, lockfileOf, ROOT } from "./catalog.ts";

const lockfile = z.object({
	importers: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.object({ specifier: z.string() })))),
});

/** The dependencies of each package of the workspace, by name. */
const dependenciesIn = (file: string): Record<string, string[]> => {
	const { importers } = lockfile.parse(parse(readFileSync(file, "utf8")));
	return Object.fromEntries(
		Object.entries(importers).map(([folder, kinds]) => [folder, Object.values(kinds).flatMap(Object.keys).sort()]),
	);
};

it.each(keptEngines())("the lockfile for Better Auth %s has the dependencies of the workspace", (version) => {
	// if it fails: node scripts/with-engine.ts VERSION --lock
	expect(dependenciesIn(lockfileOf(version))).toEqual(dependenciesIn(join(ROOT, "pnpm-lock.yaml")));
	expect(keptOverrides(version)["better-auth"]).toBe(version);
});

it("keeps one version besides the catalog's, the oldest that starts", () => {
	expect(keptEngines()).toEqual(["1.7.7"]);
});

it("the package was tested with the catalog's version", () => {
	// a copy of the workspace with another version has that one in its catalog
	expect([NEWEST_TESTED, ...keptEngines()]).toContain(catalogEngine());
	expect(catalogOverrides()["better-auth"]).toBe(catalogEngine());
});
