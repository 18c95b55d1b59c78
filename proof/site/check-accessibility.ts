import type { Browser } from "playwright-core";
import { lookAtPage } from "test-kit/chromium/look-at-page";
import { openWatched } from "test-kit/chromium/watched";
import type { Outcome } from "test-kit/results/outcome";
import type { ServedSite } from "./serve-site.ts";

type AccessibilityResult = { pages: number; views: number; rules: number };

const VIEWS = [
	{ colorScheme: "light", viewport: { width: 1280, height: 900 } },
	{ colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

/** Pages of every kind: a landing page, a guide with code, long tables, pictures, and the reference. */
const SHORT = /^\/(|quick-start|hosts|threat-model|performance|reference|start\/hono)\/?$/;

/** Runs axe-core on pages, on a desktop in light and on a phone in dark. */
export const checkAccessibility = async (
	{ origin, pages }: ServedSite,
	browser: Browser,
	full: boolean,
): Promise<Outcome<AccessibilityResult>> => {
	const chosen = full ? pages : pages.filter((page) => SHORT.test(page));
	const wrong: string[] = [];
	let rules = 0;
	for (const view of VIEWS) {
		const context = await openWatched(browser, origin, wrong, view);
		const page = await context.newPage();
		for (const path of chosen) {
			await page.goto(origin + path);
			const looked = await lookAtPage(page);
			rules = Math.max(rules, looked.rules);
			wrong.push(...looked.wrong.map((what) => `${path} (${view.colorScheme}): ${what}`));
		}
		await context.close();
	}
	return {
		result: { pages: chosen.length, views: VIEWS.length, rules },
		wrong,
		lines: [`${chosen.length} pages, each in ${VIEWS.length} views, ${rules} rules of axe-core`],
	};
};
