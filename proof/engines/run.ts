import { parseArgs } from "node:util";
import { catalogEngine, keptEngines } from "../../scripts/engines/catalog.ts";
import { chooseParts, PARTS } from "./parts.ts";
import { resultName, writeResult } from "./results.ts";
import { runPart } from "./run-part.ts";
import { writeEngineDocs } from "./write-docs.ts";

const help = `Runs the suites with a version of Better Auth.

  pnpm engines                       with the catalog's version
  pnpm engines --engine ${keptEngines().join("|")}        with another one; any published version will do
  pnpm engines --part NAME           one of ${PARTS.map(({ name }) => name).join(", ")}; may be repeated
  pnpm engines --record              records the results in proof/engines/results and writes docs/engine-versions.md`;

const { values: flags } = parseArgs({
	// some package managers hand the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		engine: { type: "string", default: catalogEngine() },
		part: { type: "string", multiple: true, default: [] },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	for (const part of chooseParts(flags.part)) {
		const result = runPart(part, flags.engine);
		console.log(`${flags.engine} ${part.name}: ${result.passed} passed, ${result.failed} failed`);
		if (result.failed > 0) process.exitCode = 1;
		if (!flags.record) continue;
		await writeResult(resultName(flags.engine, part.name), result);
		await writeEngineDocs();
	}
};

await main();
