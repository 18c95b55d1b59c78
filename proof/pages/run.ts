import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { lookAtPage } from "test-kit/chromium/look-at-page";
import { startLocalChromium } from "test-kit/chromium/start";
import { resultsIn } from "test-kit/results/results-in";
import { walkErrors } from "./error-states.ts";
import { walkInvitations } from "./invitation-states.ts";
import { checkJourneys } from "./journeys.ts";
import { type Load, measureLoad } from "./load.ts";
import { walkPolicies } from "./policy-states.ts";
import { emailOf, walk } from "./states.ts";
import { createVisitor, openContext } from "./visitor.ts";
import { liveThroughTheWeek } from "./week.ts";
import { startWorld, type Tenant, type World } from "./world.ts";

const help = `Looks at the service's sign-in pages in Chromium. Build the service first: pnpm build

  pnpm pages

  --part NAME      only this part: journeys, week or states. Can be given several times
  --record         records the result in proof/pages/results, and the pictures of docs/sign-in-pages.md
  --pictures DIR   writes a picture of every page and state, in light and dark, to a folder`;

const { values: flags } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		record: { type: "boolean", default: false },
		part: { type: "string", multiple: true, default: ["journeys", "week", "states"] },
		pictures: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

const DOCS = new URL("../../docs/screenshots/", import.meta.url);
/** Bytes of the sign-in page with everything that it loads, compressed. */
const BUDGET = 15_000;
const { write: writeResult } = resultsIn(new URL("./results/", import.meta.url));

const VIEWS = [
	{ name: "light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
	{ name: "dark", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

type Seen = { views: number; rules: number; states: Set<string> };

const lookAround = async (world: World, browser: Browser, tenant: Tenant, wrong: string[], seen: Seen) => {
	for (const view of VIEWS) {
		const { name: viewName, ...options } = view;
		const context = await openContext(browser, tenant, { ...options, locale: "en-US" }, wrong);
		const page = await context.newPage();
		const visitor = createVisitor(page, context, tenant, world);
		const look = async (name: string): Promise<void> => {
			const where = `${tenant.name} ${name} (${viewName})`;
			const looked = await lookAtPage(page);
			seen.views += 1;
			seen.states.add(name);
			seen.rules = Math.max(seen.rules, looked.rules);
			wrong.push(...looked.wrong.map((what) => `${where}: ${what}`));
			await savePictures(page, tenant, name, view);
		};
		const given = { visitor, tenant, world, look, email: emailOf(viewName) };
		await walkInvitations(given);
		await walk(given);
		await walkPolicies(given);
		await walkErrors(given);
		await context.close();
	}
};

/** The pictures of docs/sign-in-pages.md. */
const IN_DOCS = ["Acme sign-in", "Globex consent", "Globex accept-invitation"];

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

type Week = { seconds: number; steps: string[]; wrong: string[] };

const timeTheWeek = async (world: World, browser: Browser): Promise<Week> => {
	const [started, wrong]: [number, string[]] = [performance.now(), []];
	const steps = await liveThroughTheWeek(world, browser, wrong).catch((error: unknown) => {
		wrong.push(`week: ${String(error)}`);
		return [];
	});
	return { seconds: Math.round((performance.now() - started) / 1000), steps, wrong };
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
	let load: Load | null = null;
	let week: Week = { seconds: 0, steps: [], wrong: [] };
	try {
		sizes = await weigh(world, wrong);
		// a figure of a machine with nothing else to do, so no other run measures it
		if (flags.record) load = await measureLoad(world, browser, wrong);
		if (flags.part.includes("journeys")) journeys = await checkJourneys(world, browser, wrong);
		if (flags.part.includes("week")) week = await timeTheWeek(world, browser);
		wrong.push(...week.wrong);
		if (flags.part.includes("states"))
			for (const tenant of [world.acme, world.globex]) await lookAround(world, browser, tenant, wrong, seen);
	} finally {
		await browser.close();
		await world.close();
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	const lines = [
		`${seen.states.size} pages and states in 2 tenants, in light and dark: ${seen.views} views, ${seen.rules} rules of axe-core`,
		`journeys: ${journeys.join(", ")}`,
		`a tenant owner's week: ${week.steps.length} steps in ${week.seconds} s`,
		`the sign-in page has ${sizes.total} bytes, compressed`,
		...(load
			? [`on a slow phone, it shows text after ${load.firstPaint} ms and is usable after ${load.usable} ms`]
			: []),
	];
	for (const line of lines) console.log(line);
	for (const line of wrong) console.log(`  WRONG: ${line}`);
	console.log(`${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
	if (wrong.length > 0) process.exitCode = 1;
	if (flags.record && week.steps.length > 0)
		await writeResult("week", { full: true, seconds: week.seconds, wrong: week.wrong, lines: week.steps, result: {} });
	if (flags.record && seen.views > 0) {
		const result = { states: [...seen.states], views: seen.views, rules: seen.rules, sizes, load, journeys };
		await writeResult("pages", { full: true, seconds, wrong, lines, result });
	}
};

await main();
