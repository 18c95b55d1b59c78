import type { Defense } from "../mutants/defense.ts";
import { DEFENSES } from "../mutants/defenses.ts";
import { copySources, plantMutant } from "../mutants/plant-mutant.ts";
import type { PlayInProcess } from "./store-process.ts";
import { STORES, type Store } from "./stores.ts";

type Planted = [id: string, where: Pick<Store, "database" | "sessions">, besides?: string[]];

/** Defenses that are taken out, to see that the model can fail, and the store on which it must notice. */
const PLANTED: Planted[] = [
	["ways-in-by-held-requests", { database: "sqlite", sessions: "database" }],
	["changes-by-held-requests", { database: "sqlite", sessions: "database" }],
	["administrators-under-way", { database: "sqlite", sessions: "database" }],
	["sessions-of-the-database", { database: "postgres", sessions: "database" }],
	// three defend against a session that a list has lost: lists are whole, the epoch, and the time of the end, with which newer
	// versions of Better Auth compare sessions. That time alone would hide that the epoch is not compared
	[
		"sessions-of-the-storage",
		{ database: "postgres", sessions: "redis" },
		["lists-keep-sessions-of-others", "storage-revokes-unlisted-sessions"],
	],
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

const defenseOf = (id: string): Defense => {
	const found = DEFENSES.find((one) => one.id === id);
	if (!found) throw new Error(`There is no defense "${id}"`);
	return found;
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
		for (const [id, where, besides = []] of PLANTED.slice(0, most)) {
			const defense = defenseOf(id);
			const store = STORES.find((one) => one.database === where.database && one.sessions === where.sessions);
			if (!store) throw new Error(`There is no store for the defense "${id}"`);
			const { source } = await plantMutant(project, defense, besides.map(defenseOf));
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
