import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { ENGINES } from "./engines.ts";

const ROOT = join(import.meta.dirname, "..");
const lockfile = z.object({
	importers: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.object({ specifier: z.string() })))),
});

/** The dependencies of each package of the workspace, by name. */
const dependenciesIn = (file: string): Record<string, string[]> => {
	const { importers } = lockfile.parse(parse(readFileSync(join(ROOT, file), "utf8")));
	return Object.fromEntries(
		Object.entries(importers).map(([folder, kinds]) => [folder, Object.values(kinds).flatMap(Object.keys).sort()]),
	);
};

it.each(Object.keys(ENGINES))("the lockfile for Better Auth %s has the dependencies of the workspace", (version) => {
	// if it fails: node scripts/with-engine.ts VERSION --lock
	expect(dependenciesIn(`.ci/engines/${version}.yaml`)).toEqual(dependenciesIn("pnpm-lock.yaml"));
});

it("the package was tested with the newest of them", () => {
	const source = readFileSync(join(ROOT, "packages/tenants/src/engine/tested-versions.ts"), "utf8");
	expect(/NEWEST_TESTED = "(.+)"/.exec(source)?.[1]).toBe(Object.keys(ENGINES).at(-1));
});
