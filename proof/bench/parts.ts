import { guardStatements } from "./against-bare/guard-statements.ts";
import { runAgainstBare } from "./against-bare/run-against-bare.ts";
import { runAlternatives } from "./alternatives/run-alternatives.ts";
import { runBulk } from "./bulk/run-bulk.ts";
import { guardAllocations, runAllocations } from "./cpu/guard-allocations.ts";
import { profileFlow } from "./cpu/profile-flow.ts";
import { runCpu } from "./cpu/run-cpu.ts";
import { runDeletion, runDeletionKeys } from "./deletion/run-deletion.ts";
import { runGrowth } from "./growth/run-growth.ts";
import { runNeighbors } from "./neighbors/run-neighbors.ts";
import type { Part } from "./part.ts";
import { runSearch } from "./search/run-search.ts";
import { runSizes } from "./sizes/run-sizes.ts";
import { runTenantSearch } from "./tenant-search/run-tenant-search.ts";
import { runUpstream } from "./upstream/run-upstream.ts";

/** The parts, in reading order. */
export const PARTS: Part[] = [
	{
		name: "cpu",
		sentence: "CPU time and allocations of requests, with and without tenants",
		profile: profileFlow,
		run: runCpu,
	},
	{
		name: "allocations",
		sentence: "memory that requests allocate, with and without tenants",
		guard: guardAllocations,
		run: runAllocations,
	},
	{
		name: "against-bare",
		sentence: "Better Auth with and without tenants, in turns",
		guard: guardStatements,
		run: runAgainstBare,
	},
	{
		name: "alternatives",
		sentence: "tenants in one instance, in one instance each, and with better-auth-multi-tenant",
		run: runAlternatives,
	},
	{ name: "growth", sentence: "the same requests with few tenants and with many", run: runGrowth },
	{ name: "neighbors", sentence: "one tenant at ten times the load of the others", run: runNeighbors },
	{ name: "bulk", sentence: "importing, exporting and deleting a large tenant", run: runBulk },
	{ name: "deletion", sentence: "deleting a tenant that has just grown", run: runDeletion },
	{ name: "deletion-keys", sentence: "deleting a tenant among many keys in Redis", run: runDeletionKeys },
	{ name: "search", sentence: "searching the users of a large tenant", run: runSearch },
	{ name: "tenant-search", sentence: "searching one of many tenants, as operators do", run: runTenantSearch },
	{
		name: "sizes",
		sentence: "what is downloaded and installed, and cold starts on Node and in workerd",
		run: runSizes,
	},
	{
		name: "upstream",
		sentence: "Better Auth as published and with the patches of docs/upstream, in turns",
		run: runUpstream,
	},
];
