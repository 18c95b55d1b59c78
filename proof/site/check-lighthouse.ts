import lighthouse, { desktopConfig } from "lighthouse";
import type { Outcome } from "test-kit/results/outcome";
import type { ServedSite } from "./serve-site.ts";

type Score = { page: string; device: string; scores: Record<string, number> };
type LighthouseResult = { pages: Score[] };

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const GOAL = 95;
/** A landing page, a guide, a page with pictures, long lists and tables, and the reference. */
const CHOSEN =
	/^\/(|quick-start|hosts|performance|threat-model|threats\/oauth-flows|start\/hono|reference\/options)\/?$/;

/** Runs Lighthouse on pages of every kind, as a phone and as a desktop. A score depends on the machine, so CI does not run it. */
export const checkLighthouse = async (
	{ origin, pages }: ServedSite,
	debuggingPort: number,
): Promise<Outcome<LighthouseResult>> => {
	const measured: Score[] = [];
	for (const page of pages.filter((path) => CHOSEN.test(path))) {
		for (const device of ["phone", "desktop"]) {
			const flags = { port: debuggingPort, onlyCategories: CATEGORIES, logLevel: "error" as const };
			const run = await lighthouse(origin + page, flags, device === "desktop" ? desktopConfig : undefined);
			const scores = CATEGORIES.map((name) => [name, Math.round((run?.lhr.categories[name]?.score ?? 0) * 100)]);
			measured.push({ page, device, scores: Object.fromEntries(scores) });
		}
	}
	return {
		result: { pages: measured },
		wrong: measured.flatMap(({ page, device, scores }) =>
			Object.entries(scores)
				.filter(([, score]) => score < GOAL)
				.map(([name, score]) => `${page} (${device}): ${name} is ${score}`),
		),
		lines: [
			`${measured.length} runs of Lighthouse, lowest score ${Math.min(...measured.flatMap(({ scores }) => Object.values(scores)))}`,
		],
	};
};
