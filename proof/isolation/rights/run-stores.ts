import { type PlantedResult, playPlanted } from "./planted.ts";
import { playStore, type StoreResult } from "./run-rights.ts";
import { STORES, type Store } from "./stores.ts";

export type RightsResult = { seed: number; stores: StoreResult[]; planted: PlantedResult[] };

/** MariaDB writes every commit to disk here, and takes many times as long as the others. */
const SHARES: Record<Store["database"], number> = { sqlite: 5, postgres: 4, mysql: 1 };

type RunOptions = {
	operations: number;
	seed: number;
	/** how many mistakes to plant */
	planted: number;
	/** repeats one round on one store */
	replay?: { store: string; round: number } | undefined;
	log: (line: string) => void;
};

/** Plays on every store, and with planted mistakes on some. */
export const runRights = async ({ operations, seed, planted, replay, log }: RunOptions): Promise<RightsResult> => {
	const total = STORES.reduce((sum, { database }) => sum + SHARES[database], 0);
	const chosen = STORES.filter(({ name }) => !replay || name === replay.store);
	const stores: StoreResult[] = [];
	for (const store of chosen) {
		const result = await playStore({
			store,
			operations: replay ? operations : Math.ceil((operations * SHARES[store.database]) / total),
			seed,
			round: replay?.round,
			log: (line) => log(`${store.name}: ${line}`),
			trace: replay ? log : () => {},
		});
		for (const violation of result.violations) log(describe(violation, store, seed));
		stores.push(result);
	}
	return { seed, stores, planted: replay ? [] : await playPlanted(seed, planted, log) };
};

const describe = (
	{ request, message, round, operation }: StoreResult["violations"][number],
	{ name }: Store,
	seed: number,
) =>
	[
		`${name}: ${request}: ${message}`,
		`  replay: pnpm isolation --part rights --seed ${seed} --store "${name}" --round ${round} --size ${operation}`,
	].join("\n");
