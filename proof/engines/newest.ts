import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { catalogEngine } from "../../scripts/engines/catalog.ts";
import { newerThan, overridesOf } from "../../scripts/engines/overrides.ts";
import { npmRegistry } from "../../scripts/engines/registry.ts";
import { chooseParts } from "./parts.ts";
import { composeReport } from "./report.ts";
import { type PartResult, runPart } from "./run-part.ts";

const help = `Looks for a release of Better Auth 1 that is newer than the catalog's, and runs the suites with it.

  pnpm newest-engine
  --than VERSION   instead of the catalog's
  --part NAME      only this suite; may be repeated
  --report FILE    writes what was found as Markdown

Fails if there is a newer release, so that somebody reads the report and updates the catalog.`;

const { values: flags } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		than: { type: "string", default: catalogEngine() },
		part: { type: "string", multiple: true, default: ["test", "test-slow", "conformance", "surface"] },
		report: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

/** Runs the suites with a release, and reports after each of them. */
const judge = (newer: string): string => {
	const overrides = overridesOf(newer, npmRegistry);
	const parts = chooseParts(flags.part);
	const results: PartResult[] = [];
	const report = (): string => {
		const text = composeReport({ newer, catalog: flags.than, overrides, results, asked: parts.length });
		if (flags.report) writeFileSync(flags.report, text);
		return text;
	};
	// now, so that a run that is interrupted has reported it
	report();
	for (const part of parts) {
		results.push(runPart(part, newer, flags.than));
		report();
	}
	return report();
};

const main = (): void => {
	if (flags.help) {
		console.log(help);
		return;
	}
	const newer = newerThan(flags.than, npmRegistry.versions("better-auth"));
	if (!newer) {
		console.log(`Better Auth ${flags.than} is the newest release of Better Auth 1.`);
		return;
	}
	console.log(`Better Auth ${newer} is newer than ${flags.than}.`);
	const report = judge(newer);
	console.log(report);
	if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, report);
	process.exitCode = 1;
};

main();
