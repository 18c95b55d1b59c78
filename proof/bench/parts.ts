import { runAgainstBare } from "./against-bare/run-against-bare.ts";
import { runAlternatives } from "./alternatives/run-alternatives.ts";
import { runBulk } from "./bulk/run-bulk.ts";
import { runGrowth } from "./growth/run-growth.ts";
import { runNeighbours } from "./neighbours/run-neighbours.ts";
import type { Part } from "./part.ts";
import { runSizes } from "./sizes/run-sizes.ts";

/** What is measured, in the order in which it makes sense to read. */
export const PARTS: Part[] = [
	{
		name: "against-bare",
		sentence: "the engine with tenants and without, turn by turn",
		guards: true,
		run: runAgainstBare,
	},
	{
		name: "alternatives",
		sentence: "tenants in one engine, in an engine each, and by better-auth-multi-tenant",
		guards: false,
		run: runAlternatives,
	},
	{ name: "growth", sentence: "the same requests with few tenants and with many", guards: false, run: runGrowth },
	{ name: "neighbours", sentence: "one tenant at ten times the load of the others", guards: false, run: runNeighbours },
	{ name: "bulk", sentence: "importing, exporting and deleting a large tenant", guards: false, run: runBulk },
	{
		name: "sizes",
		sentence: "what is downloaded and installed, and cold starts on Node and in workerd",
		guards: false,
		run: runSizes,
	},
];
