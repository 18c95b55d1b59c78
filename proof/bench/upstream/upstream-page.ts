import { readFile, writeFile } from "node:fs/promises";
import type { Run } from "test-kit/results/recorded-run";
import { readResult } from "../results.ts";
import { documentUpstream } from "./document.ts";
import type { UpstreamResult } from "./result.ts";

const PAGE = new URL("../../../docs/upstream/README.md", import.meta.url);
const BEGIN = "<!-- Figures of `pnpm bench --part upstream`. Do not edit. -->";
const END = "<!-- End of the figures. -->";

export const readUpstreamPage = (): Promise<string> => readFile(PAGE, "utf8");

/** The page with the figures of the last recorded run. */
export const composeUpstreamPage = async (): Promise<string> => {
	const page = await readUpstreamPage();
	const [before, rest] = page.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error(`docs/upstream/README.md needs the lines "${BEGIN}" and "${END}"`);
	const run: Run<UpstreamResult> | null = await readResult("upstream");
	return `${before}${BEGIN}\n\n${documentUpstream(run)}\n\n${END}${after}`;
};

export const writeUpstreamPage = async (): Promise<void> => writeFile(PAGE, await composeUpstreamPage());
