import { readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf } from "./markdown.ts";
import { ROOT } from "./program.ts";

/** A heading of a page, with what stands below it. The name is the heading without its code font. */
export type Section = { level: number; name: string; text: string };

/** Reads a committed page of the reference. */
export const readPage = (file: string): string => readFileSync(join(ROOT, "docs/reference", file), "utf8");

/** The sections of a page. Code blocks have no headings. */
export const sectionsOf = (page: string): Section[] => {
	const sections: Section[] = [];
	let isCode = false;
	for (const line of page.split("\n")) {
		if (line.startsWith("```")) isCode = !isCode;
		const [, marks = "", heading = ""] = (isCode ? null : /^(#+) (.*)$/.exec(line)) ?? [];
		if (marks) sections.push({ level: marks.length, name: heading.replaceAll("`", ""), text: "" });
		const last = sections.at(-1);
		if (last) last.text += `${line}\n`;
	}
	return sections;
};

/** The sections below a section of level 2, by its name. */
export const sectionsBelow = (page: string, name: string): Section[] => {
	const all = sectionsOf(page);
	const start = all.findIndex((one) => one.level === 2 && one.name === name);
	if (start < 0) throw new Error(`The page has no section ${name}.`);
	const end = all.findIndex((one, index) => index > start && one.level <= 2);
	return all.slice(start + 1, end < 0 ? undefined : end);
};

/** The first cells of all rows of the tables in a text, without code font, links and anchors. */
export const firstCells = (text: string): string[] =>
	[...text.matchAll(/^\| (?!---)(.*?) \|/gm)]
		.map(([, cell = ""]) => cell.replaceAll(/<\/?a\b[^>]*>|`|\[|\]\([^)]*\)/g, ""))
		.filter(
			(cell) => !/^(Column|Columns|Variable|Metric|Option|Field|Status|Property|Code|Argument|Command)$/.test(cell),
		);

/** The places that links can point to. */
export const anchorsOf = (page: string): Set<string> =>
	new Set([
		...sectionsOf(page).map(({ name }) => anchorOf(name)),
		...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
	]);
