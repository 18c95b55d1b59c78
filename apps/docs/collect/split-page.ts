import { outsideOfCode } from "./outside-of-code.ts";

export type SplitPage = { title: string; description: string; body: string };

/** Splits a page into its first heading, its first paragraph as a description, and the text below the heading. */
export const splitPage = (source: string, markdown: string): SplitPage => {
	const [, title = "", rest = ""] = /^(?:\s|<!--[^>]*-->)*# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
	if (!title) throw new Error(`${source} does not begin with a heading. Begin it with "# Title"`);
	const body = rest.trim();
	return { title: plain(title), description: shortened(plain(firstParagraph(body))), body };
};

const firstParagraph = (body: string): string =>
	body.split(/\n{2,}/).find((paragraph) => /^[A-Za-z`_*["(]/.test(paragraph.trim())) ?? "";

/** Without the marks of Markdown. */
const plain = (text: string): string =>
	text
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replace(/[`*]|(?<![\w])_|_(?![\w])/g, "")
		.replace(/\s+/g, " ")
		.trim();

/** Search engines show about 160 characters. Ends at a sentence where possible. */
const shortened = (text: string): string => {
	if (text.length <= 160) return text;
	const end = text.slice(0, 160).lastIndexOf(". ");
	return end > 60 ? text.slice(0, end + 1) : `${text.slice(0, text.lastIndexOf(" ", 157))}…`;
};

/**
 * Replaces pictures that follow the system by two images that follow the site's own switch between light and dark. Those after the
 * first are loaded when they come near, so the one that is not shown never is.
 */
export const withThemedPictures = (markdown: string): string => {
	let pictures = 0;
	return outsideOfCode(markdown, (text) =>
		text.replace(
			/<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g,
			(_, dark, before, light, after) => {
				pictures += 1;
				const rest = `${after}${pictures > 1 ? ' loading="lazy" decoding="async"' : ""}`;
				return `<img class="light-only" ${before}src="${light}"${rest}><img class="dark-only" ${before}src="${dark}"${rest}>`;
			},
		),
	);
};
