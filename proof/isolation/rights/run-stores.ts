import { startProcess } from "test-kit/processes";
import { startTestServers } from "test-kit/servers/test-servers";
import { type PlantedResult, playPlanted } from "./planted.ts";
import { ROUND, type StoreResult } from "./run-rights.ts";
import type { PlayInProcess, StoreCalls } from "./store-process.ts";
import { STORES, type Store } from "./stores.ts";

export type RightsResult = { seed: number; stores: StoreResult[]; planted: PlantedResult[] };

/** MariaDB takes longer than the others, and only one process uses it. */
const SHARES: Record<Store["database"], number> = { sqlite: 5, postgres: 4, mysql: 2 };

/** What one process plays at a time. New tables keep statements fast, and a long run shows its progress. */
const PORTION = 10 * ROUND;
/** So many violations of one store are enough to look at. */
const ENOUGH = 10;

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
	const stopServers = await startTestServers();
	// a long run uses another core, too
	const processes = Array.from({ length: operations < 10_000 ? 1 : 2 }, startStoreProcess);
	try {
		const stores = replay
			? [await repeat(processes, replay, operations, seed, log)]
			: await playAll(processes, operations, seed, log);
		const [first] = processes;
		const found = replay || !first ? [] : await playPlanted(first.play, seed, planted, log);
		return { seed, stores, planted: found };
	} finally {
		await Promise.all(processes.map(({ stop }) => stop()));
		await stopServers();
	}
};

type StoreProcess = { play: PlayInProcess; stop: () => Promise<void> };

/** The addresses of the servers are in the environment, and read when modules load: so a process that starts after them. */
const startStoreProcess = (): StoreProcess => {
	const servers = Object.entries(process.env).filter(([name]) => name.startsWith("TEST_"));
	const { call, stop } = startProcess<StoreCalls>(
		new URL("./store-process.ts", import.meta.url),
		["--no-warnings"],
		Object.fromEntries(servers),
	);
	return { play: (play) => call("play", play), stop };
};

const repeat = async (
	[first]: StoreProcess[],
	{ store: name, round }: NonNullable<RunOptions["replay"]>,
	operations: number,
	seed: number,
	log: RunOptions["log"],
): Promise<StoreResult> => {
	const store = STORES.find((one) => one.name === name);
	if (!store || !first) throw new Error(`There is no store "${name}"; take one of ${STORES.map((one) => one.name)}`);
	const { trace, ...result } = await first.play({ store, operations, seed, round, isTraced: true });
	for (const line of trace) log(line);
	return result;
};

const playAll = async (
	processes: StoreProcess[],
	operations: number,
	seed: number,
	log: RunOptions["log"],
): Promise<StoreResult[]> => {
	const total = STORES.reduce((sum, { database }) => sum + SHARES[database], 0);
	const portions = STORES.flatMap((store) =>
		portionsOf(store, Math.ceil((operations * SHARES[store.database]) / total)),
	);
	const results = new Map(STORES.map(({ name }) => [name, emptyResult(name)]));
	let played = 0;
	/** Only the first process uses MariaDB, and begins with it: see locks.ts. */
	const nextFor = (process: StoreProcess): Portion | undefined => {
		const isFirst = process === processes[0];
		const index = portions.findIndex(({ store }) => (store.database === "mysql") === isFirst);
		return index < 0 && isFirst ? portions.shift() : portions.splice(index, index < 0 ? 0 : 1)[0];
	};
	const work = async (process: StoreProcess): Promise<void> => {
		for (let portion = nextFor(process); portion; portion = nextFor(process)) {
			const { store } = portion;
			const result = results.get(store.name);
			if (!result || result.violations.length >= ENOUGH) continue;
			const { trace: _, ...more } = await process.play({ ...portion, seed, enough: ENOUGH });
			addTo(result, more);
			played += more.operations;
			for (const violation of more.violations) log(describe(violation, store, seed));
			if (operations >= PORTION) log(`${played} of ${operations} operations`);
		}
	};
	await Promise.all(processes.map(work));
	return [...results.values()];
};

type Portion = { store: Store; operations: number; round: number };

const portionsOf = (store: Store, operations: number): Portion[] =>
	Array.from({ length: Math.ceil(operations / PORTION) }, (_, index) => ({
		store,
		operations: Math.min(PORTION, operations - index * PORTION),
		round: (index * PORTION) / ROUND,
	}));

const emptyResult = (name: string): StoreResult => ({
	name,
	operations: 0,
	held: 0,
	violations: [],
	counts: {},
	gaps: { suspension: 0, policy: 0, read: 0 },
});

const addTo = (sum: StoreResult, more: StoreResult): void => {
	sum.operations += more.operations;
	sum.held += more.held;
	sum.violations.push(...more.violations);
	for (const gap of ["suspension", "policy", "read"] as const) sum.gaps[gap] += more.gaps[gap];
	for (const [name, { sent, succeeded, held }] of Object.entries(more.counts)) {
		const count = sum.counts[name] ?? { sent: 0, succeeded: 0, held: 0 };
		sum.counts[name] = {
			sent: count.sent + sent,
			succeeded: count.succeeded + succeeded,
			held: count.held + held,
		};
	}
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
