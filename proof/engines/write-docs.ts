import { readFile, writeFile } from "node:fs/promises";
import { alignedTable } from "test-kit/results/recorded-run";
import type { Recorded } from "test-kit/results/results-in";
import { showCount } from "test-kit/results/show-count";
import { catalogEngine, keptEngines } from "../../scripts/engines/catalog.ts";
import { PARTS } from "./parts.ts";
import { readResult, resultName } from "./results.ts";
import type { PartResult } from "./run-part.ts";

const DOCUMENT = new URL("../../docs/engine-versions.md", import.meta.url);
const BEGIN = "<!-- recorded-runs -->";
const END = "<!-- /recorded-runs -->";

const cellOf = (run: Recorded<PartResult> | null): string =>
	run
		? `${showCount(run.passed)} passed, ${showCount(run.failed)} failed (${run.at.slice(0, 10)}, ${showCount(run.cpuSeconds)} s of CPU)`
		: "not recorded yet";

/** A table with the last recorded run of each part, for each tested version. */
const composeRuns = async (): Promise<string> => {
	const engines = [catalogEngine(), ...keptEngines()];
	const rows = await Promise.all(
		PARTS.map(async ({ name, title }) => [
			title,
			...(await Promise.all(
				engines.map(async (engine) => cellOf(await readResult<PartResult>(resultName(engine, name)))),
			)),
		]),
	);
	const head = ["Suite", ...engines.map((engine) => `Better Auth ${engine}`)];
	return `The last recorded runs (\`pnpm engines --record\`). A night runs every suite with both versions.\n\n${alignedTable(head, rows)}`;
};

/** The page with the current runs in it. */
export const composeEngineDocs = async (): Promise<string> => {
	const page = await readEngineDocs();
	const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
	if (before < 0 || after < before) throw new Error(`docs/engine-versions.md has no ${BEGIN} … ${END}.`);
	return `${page.slice(0, before + BEGIN.length)}\n\n${await composeRuns()}\n\n${page.slice(after)}`;
};

export const readEngineDocs = (): Promise<string> => readFile(DOCUMENT, "utf8");

export const writeEngineDocs = async (): Promise<void> => writeFile(DOCUMENT, await composeEngineDocs());

if (import.meta.main) await writeEngineDocs();
