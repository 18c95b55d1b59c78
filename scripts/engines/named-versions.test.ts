import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NEWEST_TESTED } from "../../packages/tenants/src/engine/tested-versions.ts";
import { catalogEngine, ROOT } from "./catalog.ts";

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

it("the pages that a reader follows install the catalog's version, and nothing else", () => {
	const pages = [...globSync("docs/start/*.md", { cwd: ROOT }), "packages/tenants/README.md", "README.md"];
	const named = pages.flatMap((page) =>
		[...read(page).matchAll(/(?:^|\s)(?:better-auth|@better-auth\/core)@(\S+)/gm)].map(([, version]) => version),
	);
	expect(named.length).toBeGreaterThanOrEqual(18);
	expect(new Set(named)).toEqual(new Set([catalogEngine()]));
	for (const page of pages) expect([page, /\boverrides\b/.test(read(page))]).toEqual([page, false]);
});

it("the templates have the catalog's version, and no overrides", () => {
	const files = globSync("examples/*/package.json", { cwd: ROOT });
	expect(files.length).toBeGreaterThanOrEqual(5);
	for (const file of files) {
		const { dependencies, overrides } = JSON.parse(read(file));
		if (!dependencies?.["better-auth"]) continue;
		expect([file, dependencies["better-auth"], dependencies["@better-auth/core"], overrides]).toEqual([
			file,
			catalogEngine(),
			catalogEngine(),
			undefined,
		]);
	}
});

it("the security policy and the page of versions recommend the newest version that was tested", () => {
	for (const file of ["SECURITY.md", "docs/engine-versions.md", ".github/ISSUE_TEMPLATE/bug.yml"])
		expect([file, read(file).includes(NEWEST_TESTED)]).toEqual([file, true]);
});
