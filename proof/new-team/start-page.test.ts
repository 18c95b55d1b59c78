import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readGuide, readStartPage, startPages } from "./start-page.ts";

type Recorded = { page: string; digest: string };
const record: { pages: Recorded[] } = JSON.parse(
	readFileSync(new URL("./results/start-pages.json", import.meta.url), "utf8"),
);

describe("the B2B guide", () => {
	it("was followed as it is now: run `pnpm new-team b2b --record` after a change", () => {
		const { path, digest } = readGuide();
		const guide: Recorded = JSON.parse(readFileSync(new URL("./results/b2b.json", import.meta.url), "utf8"));
		expect(guide).toMatchObject({ page: path, digest });
	});
});

describe("the pages of docs/start", () => {
	it.each(startPages())("%s was followed as it is now: run `pnpm new-team <page> --record` after a change", (name) => {
		const { path, digest } = readStartPage(name);
		expect(record.pages.find(({ page }) => page === path)?.digest).toBe(digest);
	});

	it("are the only ones with a record", () => {
		expect(record.pages.map(({ page }) => page).sort()).toEqual(
			startPages()
				.map((name) => readStartPage(name).path)
				.sort(),
		);
	});

	it.each(startPages())("%s says how to run it in production", (name) => {
		const { build, start } = readStartPage(name);
		expect(build ?? start).toBeDefined();
	});

	it.each(startPages())("%s shows both tenants", (name) => {
		const { files, install } = readStartPage(name);
		expect(install).toMatch(/better-auth-tenants\n/);
		expect(Object.values(files).join("\n")).toMatch(/"acme"[\s\S]*"globex"/);
	});
});
