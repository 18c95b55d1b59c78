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
};

const isPicture = (path: string): boolean => /\.(svg|png|jpg|webp|avif|gif)$/.test(path);

/**
 * Creates a function that points the links of a page at the site: to other pages, to copied pictures, or to the repository for
 * everything else. Throws if a relative link leads nowhere.
 */
export const createLinks = ({ root, pages, repository, onAsset }: LinksWith) => {
	const slugs = new Map(pages.map(({ source, slug }) => [source, slug]));

	const rewrite = (page: Page, target: string): string => {
		if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target)) return target;
		const [, path = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
		const source = normalize(join(dirname(page.source), decodeURI(path))).replace(/\/$/, "");
		const file = [source, join(source, "README.md")].find((candidate) => slugs.has(candidate));
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
					/(\]\()([^)\s]+)((?:\s+"[^"]*")?\))/g,
					(_, open, target, close) => open + rewrite(page, target) + close,
				)
				.replace(/^(\[[^\]]+\]:\s+)(\S+)/gm, (_, open, target) => open + rewrite(page, target))
				.replace(/(\s(?:src|srcset|href)=")([^"]+)(")/g, (_, open, target, end) => open + rewrite(page, target) + end),
		);
};
