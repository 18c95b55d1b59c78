import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLinks } from "../collect/links.ts";

const root = mkdtempSync(join(tmpdir(), "links-"));
const pages = [
	{ source: "docs/hosts.md", slug: "hosts" },
	{ source: "docs/start/hono.md", slug: "start/hono" },
	{ source: "docs/reference/README.md", slug: "reference" },
];
const [hosts = { source: "", slug: "" }, hono = { source: "", slug: "" }] = pages;
const assets: string[] = [];
const withLinks = createLinks({
	root,
	pages,
	repository: "https://git.test/us/repo",
	onAsset: (source) => assets.push(source),
	titleOf: (source) => `Title of ${source}`,
});

beforeAll(() => {
	for (const file of [
		"docs/hosts.md",
		"docs/start/hono.md",
		"docs/reference/README.md",
		"docs/pictures/a.svg",
		"src/a.ts",
	]) {
		mkdirSync(join(root, file, ".."), { recursive: true });
		writeFileSync(join(root, file), "");
	}
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("links to other pages lead to their addresses on the site, with their anchors", () => {
	expect(withLinks(hono, "[Hosts](../hosts.md#paths)")).toBe("[Hosts](/hosts/#paths)");
	expect(withLinks(hosts, "[`code` and words](start/hono.md)")).toBe("[`code` and words](/start/hono/)");
	expect(withLinks(hosts, "[a folder](reference/)")).toBe("[a folder](/reference/)");
	expect(withLinks(hosts, "[start/hono.md](start/hono.md)")).toBe("[Title of docs/start/hono.md](/start/hono/)");
	expect(withLinks(hosts, "[here][1]\n\n[1]: start/hono.md")).toBe("[here][1]\n\n[1]: /start/hono/");
});

test("pictures are copied, and other files are shown in the repository", () => {
	expect(withLinks(hono, '<img alt="a" src="../pictures/a.svg">')).toBe(
		'<img alt="a" src="/assets/docs/pictures/a.svg">',
	);
	expect(assets).toEqual(["docs/pictures/a.svg"]);
	expect(withLinks(hosts, "[source](../src/a.ts) [folder](../src)")).toBe(
		"[source](https://git.test/us/repo/blob/main/src/a.ts) [folder](https://git.test/us/repo/tree/main/src)",
	);
});

test("addresses, anchors and code stay as they are", () => {
	const text = "[a](https://example.com/x.md) [b](#below) `[c](missing.md)`\n\n```md\n[d](missing.md)\n```";
	expect(withLinks(hosts, text)).toBe(text);
});

test("a link that leads nowhere stops the build and names the page", () => {
	expect(() => withLinks(hosts, "[gone](gone.md)")).toThrow("docs/hosts.md links to gone.md");
	expect(() => withLinks(hosts, "[out](../../secret.md)")).toThrow("does not exist");
});
