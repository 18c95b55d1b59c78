import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { Outcome } from "test-kit/results/outcome";
import * as z from "zod";
import type { ServedSite } from "./serve-site.ts";

type Found = { task: string; query: string; page: string; position: number };
type SearchResult = { tasks: Found[] };

const tasks = z.array(z.object({ task: z.string(), query: z.string(), page: z.string() }));
const FILE = join(import.meta.dirname, "../../docs/newcomer-tasks.json");

/** Types each newcomer's words into the search of the site. The page with the answer must be among the results shown at once. */
export const checkSearch = async ({ origin }: ServedSite, browser: Browser): Promise<Outcome<SearchResult>> => {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
	const page = await context.newPage();
	const found: Found[] = [];
	await page.goto(`${origin}/`);
	for (const { task, query, page: wanted } of tasks.parse(JSON.parse(readFileSync(FILE, "utf8")))) {
		// the same index as the search box, which shows the best pages first
		const shown = await page.evaluate(async (words) => {
			const address = "/pagefind/pagefind.js";
			const pagefind = await import(address);
			const { results } = await pagefind.search(words);
			const first = await Promise.all(
				results.slice(0, 3).map((result: { data(): Promise<{ url: string }> }) => result.data()),
			);
			return first.map(({ url }: { url: string }) => url);
		}, query);
		found.push({ task, query, page: wanted, position: shown.indexOf(addressOf(wanted)) + 1 });
	}
	await context.close();
	return {
		result: { tasks: found },
		wrong: found
			.filter(({ position }) => position === 0)
			.map(({ task, query, page: wanted }) => `"${task}": searching for "${query}" does not show ${wanted}`),
		lines: [
			`${found.filter(({ position }) => position > 0).length} of ${found.length} tasks answered by the first three results`,
		],
	};
};

/** `docs/start/hono.md` is `/start/hono/`. */
const addressOf = (source: string): string => `/${source.replace(/^docs\//, "").replace(/(\/README)?\.md$/, "")}/`;
