import { readFile, writeFile } from "node:fs/promises";
import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { readResult } from "./results.ts";

const FILE = new URL("../../docs/site.md", import.meta.url);

type Scores = { pages: { page: string; device: string; scores: Record<string, number> }[] };
type Tasks = { tasks: { task: string; query: string; page: string; position: number }[] };

/** The page about the site, from the recorded runs. */
export const composeSiteDocs = async (): Promise<string> => {
	const [links, accessibility, search, scores] = await Promise.all([
		readResult<Run<object>>("links"),
		readResult<Run<object>>("accessibility"),
		readResult<Run<Tasks>>("search"),
		readResult<Run<Scores>>("lighthouse"),
	]);
	return `# The documentation site

<!-- Written by \`pnpm site --record\` from proof/site/results. Do not edit. -->

How this documentation is built and checked. Every Markdown file in \`docs/\` is a page. \`pnpm docs:site\` builds the site into
\`apps/docs/dist\`, as static files with search. \`pnpm --filter docs dev\` shows it while you write. The sidebar is
\`apps/docs/sidebar.ts\`: a page that it does not name fails the tests. Code blocks in TypeScript are compiled, and the
reference is generated from the code.

## Links

${verdict(links, "pnpm site --part links")}

## Accessibility

axe-core, with the rules of WCAG 2.2 AA and its best practices, on a desktop in light and on a phone in dark. A page that
scrolls sideways counts as wrong.

${verdict(accessibility, "pnpm site --part accessibility --full")}

## Lighthouse

The goal is 95 in each category.

${verdict(scores, "pnpm site --part lighthouse --full")}

${table(
	["Page", "Device", "Performance", "Accessibility", "Best practices", "SEO"],
	(scores?.result.pages ?? []).map(({ page, device, scores: by }) => [page, device, ...Object.values(by)]),
)}

## Search

Tasks of newcomers, from public issues about tenants in authentication frameworks. For each, someone types the words into the
search box. The page with the answer must be among the first three.

${verdict(search, "pnpm site --part search")}

${table(
	["Task", "Words", "Page", "Position"],
	(search?.result.tasks ?? []).map(({ task, query, page, position }) => [task, query, page, position || "not shown"]),
)}
`;
};

export const readSiteDocs = (): Promise<string> => readFile(FILE, "utf8");

export const writeSiteDocs = async (): Promise<void> => writeFile(FILE, await composeSiteDocs());

if (import.meta.main) await writeSiteDocs();
