import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import type { Outcome } from "test-kit/results/outcome";
import type { ServedSite } from "./serve-site.ts";

type AccessibilityResult = { pages: number; views: number; rules: number };

const SOURCE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
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
		const context = await browser.newContext({ ...view, reducedMotion: "reduce" });
		const page = await context.newPage();
		for (const path of chosen) {
			await page.goto(origin + path);
			const { passes, violations } = await analyze(page);
			rules = Math.max(rules, passes.length + violations.length);
			for (const { id, help, nodes } of violations)
				wrong.push(`${path} (${view.colorScheme}): ${id}: ${help}: ${nodes[0]?.target.join(" ")} (${nodes.length})`);
			const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
			if (overflow > 0) wrong.push(`${path} (${view.viewport.width} px): scrolls sideways by ${overflow} px`);
		}
		await context.close();
	}
	return {
		result: { pages: chosen.length, views: VIEWS.length, rules },
		wrong,
		lines: [`${chosen.length} pages, each in ${VIEWS.length} views, ${rules} rules of axe-core`],
	};
};

const analyze = async (page: Page): Promise<axe.AxeResults> => {
	await page.addScriptTag({ path: SOURCE });
	return page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), TAGS);
};

declare global {
	interface Window {
		axe: typeof axe;
	}
}
