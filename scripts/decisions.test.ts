import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../docs/decisions");

const pages = globSync("[0-9]*.md", { cwd: FOLDER }).toSorted();

/** The `# 1. Title` of a page, as the start of its row in the index. */
const rowOf = (page: string): string => {
	const [, number, title] = /^# (\d+)\. (.+)/.exec(readFileSync(join(FOLDER, page), "utf8")) ?? [];
	return `${number} [${title}](${page})`;
};

const rows = readFileSync(join(FOLDER, "README.md"), "utf8")
	.split("\n")
	.filter((line) => /^\| *\d/.test(line))
	.map((line) => line.split("|").map((cell) => cell.trim()));

describe("the index of decisions", () => {
	it("has every page once, in order, under its own title", () => {
		expect(pages.length).toBeGreaterThanOrEqual(20);
		expect(rows.map(([, number, link]) => `${number} ${link}`)).toEqual(pages.map(rowOf));
	});

	it("has a summary of each decision", () => {
		expect(rows.filter(([, , , decided = ""]) => decided.length < 20)).toEqual([]);
	});

	it("has pages numbered without gaps, like their files", () => {
		expect(pages.map((page) => Number(page.slice(0, 4)))).toEqual(pages.map((_, index) => index + 1));
		expect(pages.map((page) => Number(rowOf(page).split(" ", 1)[0]))).toEqual(pages.map((_, index) => index + 1));
	});
});
