import type { Browser } from "playwright-core";
import { openContext } from "./visitor.ts";
import type { World } from "./world.ts";

/** Lighthouse's slow 4G, and a processor that is four times slower than this machine's. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const SLOW_CPU = 4;
const LOADS = 9;

/** Milliseconds from the navigation to the first text, and to a page whose script has run. Medians. */
export type Load = { firstPaint: number; usable: number };

/** Loads the sign-in page on a slow phone, each time with an empty cache. */
export const measureLoad = async ({ acme }: World, browser: Browser, wrong: string[]): Promise<Load> => {
	const loads: Load[] = [];
	for (let at = 0; at < LOADS; at += 1) {
		const context = await openContext(browser, acme, { viewport: { width: 390, height: 844 } }, wrong);
		const page = await context.newPage();
		const devtools = await context.newCDPSession(page);
		await devtools.send("Network.enable");
		await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
		await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
		await page.goto(`${acme.origin}/sign-in`);
		await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
		loads.push(
			await page.evaluate(() => {
				const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
				const [paint] = performance.getEntriesByName("first-contentful-paint");
				// deferred scripts run before this event
				return { firstPaint: paint?.startTime ?? 0, usable: navigation?.domContentLoadedEventEnd ?? 0 };
			}),
		);
		await context.close();
	}
	const median = (figures: number[]): number =>
		Math.round(figures.sort((one, other) => one - other)[(LOADS - 1) / 2] ?? 0);
	return {
		firstPaint: median(loads.map(({ firstPaint }) => firstPaint)),
		usable: median(loads.map(({ usable }) => usable)),
	};
};
