import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The widths of a desktop at 200 and 400 % (WCAG 1.4.10). */
const NARROW = [640, 320];

type Looked = { rules: number; wrong: string[] };

/** Looks for what axe-core complains about, and whether the page scrolls sideways when it is narrow. */
export const lookAtPage = async (page: Page): Promise<Looked> => {
	// with its stylesheets
	await page.waitForLoadState("load");
	// not by a script element, which a page's policy may forbid
	await page.evaluate(AXE);
	const { passes, violations } = await page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), TAGS);
	const wrong = violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
	);
	const size = page.viewportSize() ?? { width: 1280, height: 900 };
	for (const width of NARROW) {
		await page.setViewportSize({ width, height: 700 });
		const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
		if (overflow > 0) wrong.push(`scrolls sideways by ${overflow} px at ${width} px`);
	}
	await page.setViewportSize(size);
	return { rules: passes.length + violations.length, wrong };
};

declare global {
	interface Window {
		axe: typeof axe;
	}
}
