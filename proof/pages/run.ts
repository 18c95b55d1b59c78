import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { startLocalChromium } from "test-kit/chromium";
import { resultsIn } from "test-kit/results/results-in";
import { checkJourneys } from "./journeys.ts";
import { emailOf, walk } from "./states.ts";
import { createVisitor, openContext } from "./visitor.ts";
import { startWorld, type Tenant, type World } from "./world.ts";

const help = `Looks at the service's sign-in pages in Chromium. Build the service first: pnpm build

  pnpm pages

  --record         records the result in proof/pages/results, and the pictures of docs/sign-in-pages.md
  --pictures DIR   writes a picture of every page and state, in light and dark, to a folder`;

const { values: flags } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		record: { type: "boolean", default: false },
		pictures: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const DOCS = new URL("../../docs/screenshots/", import.meta.url);
/** Bytes of the sign-in page with everything that it loads, compressed. */
const BUDGET = 15_000;
const { write: writeResult } = resultsIn(new URL("./results/", import.meta.url));

/** Both are also narrowed to 640 and 320 pixels, which is a desktop at 200 and 400 % (WCAG 1.4.10). */
const VIEWS = [
	{ name: "light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
	{ name: "dark", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

const analyze = async (page: Page): Promise<axe.AxeResults> => {
	// not by a script element, which the pages' policy forbids
	await page.evaluate(AXE);
	return page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), TAGS);
};

type Seen = { views: number; rules: number; states: Set<string> };

const lookAround = async (world: World, browser: Browser, tenant: Tenant, wrong: string[], seen: Seen) => {
	for (const view of VIEWS) {
		const { name: viewName, ...options } = view;
		const context = await openContext(browser, tenant, { ...options, locale: "en-US" }, wrong);
		const page = await context.newPage();
		const visitor = createVisitor(page, context, tenant, world);
		const look = async (name: string): Promise<void> => {
			const where = `${tenant.name} ${name} (${viewName})`;
			const { passes, violations } = await analyze(page);
			seen.views += 1;
			seen.states.add(name);
			seen.rules = Math.max(seen.rules, passes.length + violations.length);
			for (const { id, nodes } of violations)
				wrong.push(`${where}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ""}`);
			await savePictures(page, tenant, name, view);
			for (const width of [320, 640]) {
				await page.setViewportSize({ width, height: 700 });
				const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
				if (overflow > 0) wrong.push(`${where}: scrolls sideways by ${overflow} px at ${width} px`);
			}
			await page.setViewportSize(view.viewport);
		};
		await walk({ visitor, tenant, world, look, email: emailOf(viewName) });
		await context.close();
	}
};

/** The pictures of docs/sign-in-pages.md. */
const IN_DOCS = ["Acme sign-in", "Globex consent"];

const savePictures = async (page: Page, tenant: Tenant, name: string, view: (typeof VIEWS)[number]): Promise<void> => {
	const [who] = tenant.name.split(" ");
	if (flags.pictures) {
		mkdirSync(flags.pictures, { recursive: true });
		await page.screenshot({ path: `${flags.pictures}/${who}-${name}-${view.name}.png` });
	}
	if (!flags.record || !IN_DOCS.includes(`${who} ${name}`)) return;
	// the same size in light and dark
	await page.setViewportSize({ width: 720, height: name === "consent" ? 600 : 900 });
	await page.screenshot({ path: new URL(`pages-${name}-${view.name}.png`, DOCS).pathname });
	await page.setViewportSize(view.viewport);
};

/** The sign-in page and all that it loads, in compressed bytes. */
const weigh = async ({ acme }: World, wrong: string[]): Promise<Record<string, number>> => {
	const { host } = new URL(acme.origin);
	const load = async (path: string): Promise<string> => {
		const answer = await fetch(`http://127.0.0.1:${host.split(":")[1]}${path}`, {
			headers: { "x-forwarded-host": host },
		});
		return answer.text();
	};
	const page = await load("/sign-in");
	const sizes: Record<string, number> = { "/sign-in": gzipSync(page).byteLength };
	for (const [, path = ""] of page.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g))
		sizes[path.replace(/\.[0-9a-f]{12}\./, ".").replace(/brand\..*\.css/, "brand.css")] = gzipSync(
			await load(path),
		).byteLength;
	sizes.total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
	if (sizes.total > BUDGET) wrong.push(`the sign-in page has ${sizes.total} bytes, more than ${BUDGET}`);
	return sizes;
};

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const started = performance.now();
	const wrong: string[] = [];
	const seen: Seen = { views: 0, rules: 0, states: new Set() };
	const world = await startWorld();
	const browser = await startLocalChromium();
	let sizes: Record<string, number> = {};
	let journeys: string[] = [];
	try {
		sizes = await weigh(world, wrong);
		journeys = await checkJourneys(world, browser, wrong);
		for (const tenant of [world.acme, world.globex]) await lookAround(world, browser, tenant, wrong, seen);
	} finally {
		await browser.close();
		await world.close();
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	const lines = [
		`${seen.states.size} pages and states in 2 tenants, in light and dark: ${seen.views} views, ${seen.rules} rules of axe-core`,
		`journeys: ${journeys.join(", ")}`,
		`the sign-in page has ${sizes.total} bytes, compressed`,
	];
	for (const line of lines) console.log(line);
	for (const line of wrong) console.log(`  WRONG: ${line}`);
	console.log(`${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
	if (wrong.length > 0) process.exitCode = 1;
	if (flags.record) {
		const result = { states: [...seen.states], views: seen.views, rules: seen.rules, sizes, journeys };
		await writeResult("pages", { full: true, seconds, wrong, lines, result });
	}
};

declare global {
	interface Window {
		axe: typeof axe;
	}
}

await main();
