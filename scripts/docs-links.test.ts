import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = ["faq.md", "troubleshooting.md", ...globSync("{start,concepts,guides}/*.md", { cwd: join(ROOT, "docs") })]
	.map((page) => join("docs", page))
	.sort();

const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "");

/** The anchors of a page's headings, as GitHub names them. */
const anchorsOf = (page: string): string[] =>
	[...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_\- ]/gu, "")
			.replaceAll(" ", "-"),
	);

const brokenLinks = (page: string): string[] =>
	[...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
		.map(([, link, image]) => link ?? image ?? "")
		.filter((link) => {
			const [path = "", anchor] = link.split("#");
			if (/^https?:/.test(link)) return false;
			const target = path === "" ? page : join(dirname(page), path);
			if (!existsSync(join(ROOT, target))) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});

describe("the guides", () => {
	it.each(PAGES)("%s has only links to pages and headings that exist", (page) => {
		expect(brokenLinks(page)).toEqual([]);
	});

	it.each(PAGES)("%s begins with a title and a paragraph", (page) => {
		expect(read(page)).toMatch(/^# .+\n\n[A-Z]/);
	});
});

describe("the tasks of newcomers", () => {
	const tasks: { task: string; query: string; page: string }[] = JSON.parse(read("docs/newcomer-tasks.json"));

	it("are thirty-eight, and each has a page", () => {
		expect(tasks).toHaveLength(38);
		expect(tasks.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
	});
});
