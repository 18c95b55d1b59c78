import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { outsideOfCode } from "./outside-of-code.ts";
import type { Page } from "./pages.ts";

type LinksWith = {
	root: string;
	pages: Page[];
	/** where files that are no page are shown, such as https://github.com/owner/name */
	repository: string;
	/** called with each file that a page shows, such as a picture */
	onAsset: (source: string) => void;
	/** the title of a page; a link whose text is a file name shows it instead */
	titleOf: (source: string) => string;
};

const isPicture = (path: string): boolean => /\.(svg|png|jpg|webp|avif|gif)$/.test(path);

/**
 * Creates a function that points the links of a page at the site: to other pages, to copied pictures, or to the repository for
 * everything else. Throws if a relative link leads nowhere.
 */
export const createLinks = ({ root, pages, repository, onAsset, titleOf }: LinksWith) => {
	const slugs = new Map(pages.map(({ source, slug }) => [source, slug]));

	const pageAt = (source: string): string | undefined =>
		[source, join(source, "README.md")].find((candidate) => slugs.has(candidate));

	const nameOf = (page: Page, target: string, text: string): string => {
		const file = pageAt(normalize(join(dirname(page.source), target.replace(/#.*$/, ""))));
		return file !== undefined && /^[\w./-]+\.md$/.test(text) ? titleOf(file) : text;
	};

	const rewrite = (page: Page, target: string): string => {
		if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return target;
		const [, path = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
		const source = normalize(join(dirname(page.source), decodeURI(path))).replace(/\/$/, "");
		const file = pageAt(source);
		if (file !== undefined) return `/${slugs.get(file)}/${anchor}`;
		if (source.startsWith("..") || !existsSync(join(root, source)))
			throw new Error(`${page.source} links to ${target}, which does not exist. Correct the link`);
		if (isPicture(source)) {
			onAsset(source);
			return `/assets/${source}`;
		}
		const kind = statSync(join(root, source)).isDirectory() ? "tree" : "blob";
		return `${repository}/${kind}/main/${source === "." ? "" : source}${anchor}`;
	};

	return (page: Page, markdown: string): string =>
		outsideOfCode(markdown, (text) =>
			text
				.replace(
					/\[([\w./-]+\.md)\]\(([^)\s]+)\)/g,
					(_, words, target) => `[${nameOf(page, target, words)}](${target})`,
				)
				.replace(
					/(\]\()([^)\s]+)((?:\s+"[^"]*")?\))/g,
					(_, open, target, close) => open + rewrite(page, target) + close,
				)
				.replace(/^(\[[^\]]+\]:\s+)(\S+)/gm, (_, open, target) => open + rewrite(page, target))
				.replace(/(\s(?:src|srcset|href)=")([^"]+)(")/g, (_, open, target, end) => open + rewrite(page, target) + end),
		);
};
