import type { Run } from "test-kit/results/recorded-run";
import { documentAgainstBare } from "./against-bare/document.ts";
import { againstBarePlots } from "./against-bare/plot.ts";
import { documentAlternatives } from "./alternatives/document.ts";
import { alternativesPlots } from "./alternatives/plot.ts";
import { documentBulk } from "./bulk/document.ts";
import { bulkPlots } from "./bulk/plot.ts";
import { documentCpu } from "./cpu/document.ts";
import { cpuPlots } from "./cpu/plot.ts";
import { documentDeletion, documentDeletionKeys } from "./deletion/document.ts";
import { documentGrowth } from "./growth/document.ts";
import { growthPlots } from "./growth/plot.ts";
import { documentNeighbors } from "./neighbors/document.ts";
import { neighborsPlots } from "./neighbors/plot.ts";
import type { Plot } from "./plots/plot.ts";
import { readResult } from "./results.ts";
import { documentSearch } from "./search/document.ts";
import { documentSizes } from "./sizes/document.ts";
import { sizesPlots } from "./sizes/plot.ts";
import { documentTenantSearch } from "./tenant-search/document.ts";

/** A part's section of docs/performance.md. */
type PartDocument = { part: string; read: () => Promise<{ text: string; plots: Plot[] }> };

const section = <Result>(
	part: string,
	document: (run: Run<Result> | null) => string,
	plots: (run: Run<Result>) => Plot[] = () => [],
): PartDocument => ({
	part,
	read: async () => {
		const run: Run<Result> | null = await readResult(part);
		return { text: document(run), plots: run ? plots(run) : [] };
	},
});

/** The sections of docs/performance.md, in order. */
export const DOCUMENTS: PartDocument[] = [
	section("cpu", documentCpu, cpuPlots),
	section("against-bare", documentAgainstBare, againstBarePlots),
	section("alternatives", documentAlternatives, alternativesPlots),
	section("growth", documentGrowth, growthPlots),
	section("neighbors", documentNeighbors, neighborsPlots),
	section("bulk", documentBulk, bulkPlots),
	section("deletion", documentDeletion),
	section("deletion-keys", documentDeletionKeys),
	section("search", documentSearch),
	section("tenant-search", documentTenantSearch),
	section("sizes", documentSizes, sizesPlots),
];
