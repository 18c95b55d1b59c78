import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkSidebar, GROUPS, isInSearch, listOf, withListed } from "../sidebar.ts";
import { REPOSITORY, SITE } from "../site.ts";
import { type ReadPage, writeAll, writeCopy, writeIndex } from "./assistants.ts";
import { createLinks } from "./links.ts";
import { findPages, ROOT } from "./pages.ts";
import { withScrollingTables } from "./scrolling-tables.ts";
import { splitPage, withThemedPictures } from "./split-page.ts";

type CollectInto = {
	/** the content of the site */
	content: string;
	/** files that the site serves as they are */
	served: string;
};

/**
 * Writes every page of the repository as content of the site, with its pictures, and as Markdown for assistants. Throws if a
 * link leads nowhere or a page is not in the sidebar. Returns the number of pages.
 */
export const collect = ({ content, served }: CollectInto): number => {
	const pages = findPages();
	const problems = checkSidebar(pages.map(({ slug }) => slug));
	if (problems.length > 0) throw new Error(problems.join("\n"));
	rmSync(content, { recursive: true, force: true });
	rmSync(served, { recursive: true, force: true });

	const onAsset = (source: string): void => copy(join(ROOT, source), join(served, "assets", source));
	for (const theme of ["light", "dark"]) onAsset(`docs/pictures/idea-${theme}.svg`); // the landing page shows it
	const splits = new Map(
		pages.map(({ source }) => [source, splitPage(source, readFileSync(join(ROOT, source), "utf8"))]),
	);
	const titleOf = (source: string): string => splits.get(source)?.title ?? source;
	const withLinks = createLinks({ root: ROOT, pages, repository: REPOSITORY, onAsset, titleOf });
	const read = new Map<string, ReadPage>();
	for (const page of pages) {
		const split = splits.get(page.source);
		if (!split) continue;
		const body = withLinks(page, split.body);
		read.set(page.slug, { ...split, body, slug: page.slug });
		const frontmatter = {
			title: split.title,
			description: split.description,
			editUrl: `${REPOSITORY}/edit/main/${page.source}`,
		};
		const search = isInSearch(page.slug) ? "" : "pagefind: false\n";
		write(
			join(content, `${page.slug}.md`),
			`---\n${yaml(frontmatter)}${search}${outline(split.body)}---\n\n${withScrollingTables(split.title, withThemedPictures(body))}\n`,
		);
	}

	const unlisted = [...read.keys()].filter((slug) => {
		const list = read.get(listOf(slug) ?? "");
		return list && !list.body.includes(`](/${slug}/`);
	});
	if (unlisted.length > 0)
		throw new Error(unlisted.map((slug) => `The page ${listOf(slug)} has no link to ${slug}. Add one`).join("\n"));

	const groups = GROUPS.map(({ label, slugs }) => ({
		label,
		pages: slugs.flatMap((slug) => withListed(slug, [...read.keys()])).flatMap((slug) => read.get(slug) ?? []),
	}));
	for (const page of read.values()) write(join(served, `${page.slug}.md`), writeCopy(page, SITE));
	write(join(served, "llms.txt"), writeIndex(groups, SITE));
	write(join(served, "llms-full.txt"), writeAll(groups, SITE));
	return pages.length;
};

/** A page with very many headings lists only the higher ones beside it: each entry costs a phone time. */
const outline = (body: string): string =>
	(body.match(/^#{2,3} /gm)?.length ?? 0) > MOST_HEADINGS ? "tableOfContents:\n  maxHeadingLevel: 2\n" : "";

const MOST_HEADINGS = 60;

/** JSON strings are YAML strings. */
const yaml = (fields: Record<string, string>): string =>
	Object.entries(fields)
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
		.join("");

const write = (file: string, text: string): void => {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
};

const copy = (from: string, to: string): void => {
	mkdirSync(dirname(to), { recursive: true });
	cpSync(from, to);
};
