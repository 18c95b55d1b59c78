import { copySources, plantMutant } from "../mutants/plant-mutant.ts";
import { RIGHTS_DEFENSES } from "../mutants/rights-defenses.ts";
import type { PlayInProcess } from "./store-process.ts";
import { STORES, type Store } from "./stores.ts";

/** Defenses that are taken out, to see that the model can fail, and the store on which it must notice. */
const PLANTED: [string, Pick<Store, "database" | "sessions">][] = [
	["ways-in-by-held-requests", { database: "sqlite", sessions: "database" }],
	["changes-by-held-requests", { database: "sqlite", sessions: "database" }],
	["administrators-under-way", { database: "sqlite", sessions: "database" }],
	["sessions-of-the-database", { database: "postgres", sessions: "database" }],
	["sessions-of-the-storage", { database: "postgres", sessions: "redis" }],
	["api-keys-of-banned-users", { database: "mysql", sessions: "database" }],
	["api-keys-of-demoted-users", { database: "sqlite", sessions: "both" }],
];

/** A mistake that so many operations do not show would need a better model, not more of them. */
const MOST = 5_000;

export type PlantedResult = {
	id: string;
	name: string;
	store: string;
	/** after how many operations it was found; null if it was not */
	foundAfter: number | null;
	finding: string;
};

/** Takes one defense out at a time, and plays until the model notices. */
export const playPlanted = async (
	play: PlayInProcess,
	seed: number,
	most: number,
	log: (line: string) => void,
): Promise<PlantedResult[]> => {
	const results: PlantedResult[] = [];
	const project = await copySources();
	try {
		for (const [id, where] of PLANTED.slice(0, most)) {
			const defense = RIGHTS_DEFENSES.find((one) => one.id === id);
			const store = STORES.find((one) => one.database === where.database && one.sessions === where.sessions);
			if (!defense || !store) throw new Error(`There is no defense "${id}", or no store for it`);
			const { source } = await plantMutant(project, defense);
			const { operations, violations } = await play({ store, operations: MOST, seed, source, enough: 1 });
			const [first] = violations;
			const foundAfter = first ? operations : null;
			results.push({ id, name: defense.name, store: store.name, foundAfter, finding: first?.message ?? "" });
			log(`${id}: ${first ? `found after ${operations} operations` : "not found"}`);
		}
	} finally {
		await project.remove();
	}
	return results;
};
