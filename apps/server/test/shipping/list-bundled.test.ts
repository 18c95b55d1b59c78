import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { expect, it, onTestFinished } from "vitest";
import { listBundled, readBundled } from "../../list-bundled.ts";

/** Builds a module that contains zod and imports pg. */
const buildWith = async (dependencies: string[]): Promise<string> => {
	// inside of the service, where its packages are found
	const results = join(import.meta.dirname, "../../test-results");
	mkdirSync(results, { recursive: true });
	const folder = mkdtempSync(join(results, "bundled-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, "main.ts"), 'import pg from "pg"; import * as z from "zod"; console.log(pg, z.string());');
	writeFileSync(join(folder, "others.json"), '[{"name":"of-the-console","version":"1.0.0"}]');
	const others = join(folder, "others.json");
	await build({
		config: false,
		cwd: folder,
		entry: ["main.ts"],
		format: "esm",
		dts: false,
		logLevel: "silent",
		deps: { alwaysBundle: ["zod"], neverBundle: ["pg"], onlyBundle: false },
		plugins: [listBundled({ others, dependencies, unused: [] })],
	});
	return join(folder, "dist/bundled.json");
};

it("lists what a build contains, with what another build contains", async () => {
	const listed = readBundled(await buildWith(["pg"]));
	expect(listed.map(({ name }) => name)).toEqual(["of-the-console", "zod"]);
	expect(listed[1]).toMatchObject({
		version: expect.stringMatching(/^\d/),
		identifier: "MIT",
		text: expect.stringContaining("MIT License"),
	});
});

it("fails for an import without a dependency, and for a dependency that is bundled", async () => {
	await expect(buildWith([])).rejects.toThrow("The build imports pg: add it to dependencies.");
	await expect(buildWith(["pg", "zod"])).rejects.toThrow("The build contains zod: move it to devDependencies.");
});
