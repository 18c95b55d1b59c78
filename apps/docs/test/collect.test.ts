import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../collect/collect.ts";
import { findPages } from "../collect/pages.ts";
import { checkSidebar } from "../sidebar.ts";

const folder = mkdtempSync(join(tmpdir(), "docs-"));
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

beforeAll(() => collect({ content: join(folder, "content"), served: join(folder, "served") }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every page is in the sidebar, or listed by one that is, and every entry is a page", () => {
	expect(checkSidebar(findPages().map(({ slug }) => slug))).toEqual([]);
});

test("a page that no group names is reported, and so is an entry without a page", () => {
	const slugs = findPages().map(({ slug }) => slug);
	expect(checkSidebar([...slugs, "new-guide"])).toEqual([expect.stringContaining("new-guide is in no group")]);
	expect(checkSidebar(slugs.filter((slug) => slug !== "hosts"))).toEqual([expect.stringContaining("hosts")]);
});

test("a page has its title, its description and a link to its source", () => {
	const page = read("content/hosts.md");
	expect(page).toMatch(
		/^---\ntitle: "Subdomains, custom domains and paths"\ndescription: ".{40,}"\neditUrl: ".+docs\/hosts\.md"\n/,
	);
	expect(page).not.toMatch(/^# /m);
});

test("assistants find every page, and its Markdown", () => {
	const index = read("served/llms.txt");
	for (const { slug } of findPages()) {
		expect(index).toContain(`/${slug}.md)`);
		expect(read(`served/${slug}.md`)).toMatch(/^# .+\n\n/);
	}
	expect(read("served/llms-full.txt").length).toBeGreaterThan(index.length);
});
