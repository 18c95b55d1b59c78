import { parseArgs } from "node:util";
import { startLocalChromium } from "test-kit/chromium/start";
import type { Outcome } from "test-kit/results/outcome";
import { freePort } from "test-kit/servers/free-port";
import { checkAccessibility } from "./check-accessibility.ts";
import { checkLighthouse } from "./check-lighthouse.ts";
import { checkLinks } from "./check-links.ts";
import { checkSearch } from "./check-search.ts";
import { writeResult } from "./results.ts";
import { serveSite } from "./serve-site.ts";
import { writeSiteDocs } from "./write-docs.ts";

const NAMES = ["links", "accessibility", "search", "lighthouse"] as const;
/** Lighthouse depends on the speed of the machine. */
const IN_CI = NAMES.filter((name) => name !== "lighthouse");

const help = `Serves the built documentation on loopback and looks at it in Chromium. Build it first: pnpm docs:site

  pnpm site                 links, accessibility of some pages, search, as in CI
  pnpm site --part NAME     one of ${NAMES.join(", ")}; may be repeated

  --full      every page and Lighthouse
  --record    records the result in proof/site/results and writes docs/site.md`;

const { values: flags } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		part: { type: "string", multiple: true, default: [] },
		full: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const unknown = flags.part.find((name) => !NAMES.some((known) => known === name));
	if (unknown) throw new Error(`There is no part "${unknown}". Use one of ${NAMES.join(", ")}`);
	const chosen = flags.part.length > 0 ? NAMES.filter((name) => flags.part.includes(name)) : flags.full ? NAMES : IN_CI;
	const site = await serveSite();
	const debuggingPort = await freePort();
	const browser = await startLocalChromium([], [`--remote-debugging-port=${debuggingPort}`]);
	const parts: Record<(typeof NAMES)[number], () => Promise<Outcome>> = {
		links: () => checkLinks(site),
		accessibility: () => checkAccessibility(site, browser, flags.full),
		search: () => checkSearch(site, browser),
		lighthouse: () => checkLighthouse(site, debuggingPort),
	};
	try {
		for (const name of chosen) {
			const started = performance.now();
			const { result, wrong, lines } = await parts[name]();
			const seconds = Math.round((performance.now() - started) / 1000);
			console.log(`\n${name}: ${lines.join(". ")}`);
			for (const line of wrong) console.log(`  WRONG: ${line}`);
			console.log(`  ${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
			if (wrong.length > 0) process.exitCode = 1;
			if (flags.record) await writeResult(name, { full: flags.full, seconds, wrong, lines, result });
		}
	} finally {
		await browser.close();
		await site.close();
	}
	if (flags.record) await writeSiteDocs();
};

await main();
