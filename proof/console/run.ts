import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { lookAtPage } from "test-kit/chromium/look-at-page";
import { startLocalChromium } from "test-kit/chromium/start";
import { openWatched } from "test-kit/chromium/watched";
import { resultsIn } from "test-kit/results/results-in";
import type { Walk } from "./journey.ts";
import { JOURNEYS } from "./journeys.ts";
import { BUDGET, weigh } from "./sizes.ts";
import { startWorld } from "./world.ts";

const help = `Uses the console in Chromium, with two tenants. Build the service first: pnpm build

  pnpm console

  --journey NAME   only this journey; can be repeated
  --record         records the result in proof/console/results, and the pictures of docs/console.md
  --pictures DIR   writes a picture of every page and state to a folder: light and dark, desktop and phone`;

const { values: flags } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		journey: { type: "string", multiple: true, default: [] },
		record: { type: "boolean", default: false },
		pictures: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

const { write: writeResult } = resultsIn(new URL("./results/", import.meta.url));

/** Every page is looked at in these, without loading it again. */
const VIEWS = [
	{ name: "light-desktop", colorScheme: "light", viewport: { width: 1280, height: 860 } },
	{ name: "dark-desktop", colorScheme: "dark", viewport: { width: 1280, height: 860 } },
	{ name: "light-phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
	{ name: "dark-phone", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

type Seen = { views: number; rules: number; states: Set<string> };

/** The pictures of docs/console.md, from a desktop. */
const IN_DOCS = ["operator-tenants", "tenant-overview", "tenant-provider", "tenant-branding"];
const DOCS = new URL("../../docs/screenshots/", import.meta.url).pathname;

const savePicture = async (page: Page, name: string, view: (typeof VIEWS)[number]["name"]): Promise<void> => {
	if (flags.pictures) {
		mkdirSync(flags.pictures, { recursive: true });
		await page.screenshot({ path: `${flags.pictures}/${name}.${view}.png` });
	}
	const [theme, device] = view.split("-");
	if (flags.record && device === "desktop" && IN_DOCS.includes(name))
		await page.screenshot({ path: `${DOCS}console-${name}-${theme}.png` });
};

const looking = (wrong: string[], seen: Seen) => async (page: Page, name: string) => {
	seen.states.add(name);
	// away from what was clicked last, which would be shown as hovered
	await page.mouse.move(0, 0);
	for (const { name: view, colorScheme, viewport } of VIEWS) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		await page.setViewportSize(viewport);
		const looked = await lookAtPage(page);
		seen.views += 1;
		seen.rules = Math.max(seen.rules, looked.rules);
		wrong.push(...looked.wrong.map((what) => `${name} (${view}): ${what}`));
		await savePicture(page, name.replaceAll(" ", "-"), view);
	}
	await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
	await page.setViewportSize(VIEWS[0].viewport);
};

const opening =
	(browser: Browser, wrong: string[]): Walk["open"] =>
	async (origin, visitElsewhere) => {
		const context = await openWatched(browser, origin, wrong, {
			viewport: VIEWS[0].viewport,
			permissions: ["clipboard-write"],
			elsewhere: async (url) => {
				const location = await visitElsewhere?.(url);
				return location ? { status: 302, headers: { location } } : undefined;
			},
		});
		return context.newPage();
	};

/** What every open page shows, to find out why a journey did not go on. */
const pictureAll = async (browser: Browser, path: string): Promise<void> => {
	const pages = browser.contexts().flatMap((context) => context.pages());
	for (const [index, page] of pages.entries()) {
		await page.screenshot({ path: `${path}-${index}.png` });
		console.log(`  page ${index} of the failed journey: ${page.url()}`);
	}
};

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const started = performance.now();
	const wrong: string[] = [];
	const seen: Seen = { views: 0, rules: 0, states: new Set() };
	const journeys = JOURNEYS.filter(({ name }) => flags.journey.length === 0 || flags.journey.includes(name));
	if (journeys.length === 0)
		throw new Error(`No journey has this name. Use ${JOURNEYS.map(({ name }) => name).join(", ")}`);
	const world = await startWorld();
	const browser = await startLocalChromium();
	let sizes: Record<string, number> = {};
	try {
		sizes = await weigh(world);
		if ((sizes.total ?? 0) > BUDGET) wrong.push(`the first page loads ${sizes.total} bytes, more than ${BUDGET}`);
		const walk: Walk = {
			world,
			open: opening(browser, wrong),
			look: looking(wrong, seen),
			wrong: (what) => wrong.push(what),
		};
		for (const { name, walk: go } of journeys) {
			const began = performance.now();
			await go(walk).catch(async (error: unknown) => {
				wrong.push(`${name}: ${String(error)}`);
				if (flags.pictures) await pictureAll(browser, `${flags.pictures}/failed-${name.replaceAll(" ", "-")}`);
			});
			for (const context of browser.contexts()) await context.close();
			console.log(`  ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
		}
	} finally {
		await browser.close();
		await world.close();
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	const lines = [
		`${seen.states.size} pages and states in light and dark, on a desktop and a phone: ${seen.views} views, ${seen.rules} rules of axe-core`,
		`journeys: ${journeys.map(({ name }) => name).join(", ")}`,
		`the first page loads ${sizes.total} bytes, compressed`,
	];
	for (const line of lines) console.log(line);
	for (const line of wrong) console.log(`  WRONG: ${line}`);
	console.log(`${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
	if (wrong.length > 0) process.exitCode = 1;
	if (flags.record) {
		const result = { states: [...seen.states], views: seen.views, rules: seen.rules, sizes, journeys: journeys.length };
		await writeResult("console", { full: true, seconds, wrong, lines, result });
	}
};

await main();
