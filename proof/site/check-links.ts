import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "test-kit/results/outcome";
import { type ServedSite, SITE_FOLDER } from "./serve-site.ts";

type LinksResult = { pages: number; links: number };

/** Follows every link of every page on the site, with its anchor. Other sites are not asked: they are not ours to test. */
export const checkLinks = async ({ pages }: ServedSite): Promise<Outcome<LinksResult>> => {
	const ids = new Map<string, Set<string>>();
	const idsOf = (file: string): Set<string> => {
		const known =
			ids.get(file) ?? new Set([...readFileSync(file, "utf8").matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
		ids.set(file, known);
		return known;
	};
	const wrong: string[] = [];
	let links = 0;
	for (const page of pages) {
		const html = readFileSync(fileOf(page), "utf8");
		for (const [, target = ""] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
			const url = URL.parse(target.replaceAll("&amp;", "&"), `http://site${page}`);
			if (url?.host !== "site") continue;
			links += 1;
			const file = fileOf(decodeURI(url.pathname));
			if (!existsSync(file)) wrong.push(`${page} links to ${target}, which does not exist`);
			else if (url.hash && !idsOf(file).has(decodeURIComponent(url.hash.slice(1))))
				wrong.push(`${page} links to ${target}, but that page has no such heading`);
		}
	}
	return { result: { pages: pages.length, links }, wrong, lines: [`${pages.length} pages, ${links} links`] };
};

const fileOf = (path: string): string => join(SITE_FOLDER, path.endsWith("/") ? `${path}index.html` : path);
