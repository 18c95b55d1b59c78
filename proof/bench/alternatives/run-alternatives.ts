import { Pool } from "pg";
import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { startPostgres } from "test-kit/servers/postgres-server";
import type { RunOptions } from "../part.ts";
import { type BoundedMemory, measureBoundedMemory, tenantsSeen } from "./bounded-memory.ts";
import type { Load } from "./compare-speeds.ts";
import { FIRST_TENANT, type RunningContestant, startContestant } from "./contestant.ts";
import { CONTESTANTS, type ContestantName, NAMES } from "./contestants.ts";
import { fillTenants } from "./fill-tenants.ts";
import { measureNewTenants, type NewTenants } from "./new-tenants.ts";
import { type AtSize, type Limits, race } from "./race.ts";

export type AlternativesResult = {
	load: Load;
	limits: Limits;
	contestants: { name: ContestantName; title: string; stopped: string | null; bySize: AtSize[] }[];
	newTenants: NewTenants;
	bounded: BoundedMemory;
};

const LIMITS: Limits = { heapBytes: 4 * 2 ** 30, seconds: 300 };
/** Bytes per tenant. A cached id and its map entry take more, so less means that nothing is kept. */
const ABOUT_NOTHING = 64;

/** Tenants in one engine with this plugin, in one engine each, and with the package that uses host names. */
export const runAlternatives = async ({ full, log }: RunOptions): Promise<Outcome<AlternativesResult>> => {
	const sizes = full ? [10, 100, 1_000, 10_000] : [10, 100];
	// the short form ends before the caches' tables grow for the last time
	const beyond = full ? { settling: 10_000, further: 10_000 } : { settling: 0, further: 6_000 };
	const load = full ? { rounds: 9, requests: 1_000, parallel: 8 } : { rounds: 5, requests: 150, parallel: 8 };
	const postgres = await startPostgres({ settings: { synchronous_commit: "off", shared_buffers: "1GB" } });
	const running: RunningContestant[] = [];
	try {
		const databases = await prepare(postgres.url, FIRST_TENANT + tenantsSeen(beyond));
		const newTenants = await measureNewTenants(postgres.url, full ? 20 : 5);
		for (const name of NAMES) running.push(await startContestant(name, databases[name]));
		const racers = await race(running, { sizes, load, limits: LIMITS, log });
		for (const contestant of running) await contestant.kill();
		const bounded = await measureBoundedMemory({ postgres: databases.ours, ...beyond, log });
		const contestants = racers.map(({ contestant: { name }, stopped, bySize }) => ({
			name,
			title: CONTESTANTS[name].title,
			stopped,
			bySize,
		}));
		const result = { load, limits: LIMITS, contestants, newTenants, bounded };
		return { result, wrong: judge(result), lines: describe(result) };
	} finally {
		for (const contestant of running) await contestant.kill();
		await postgres.close();
	}
};

/** A database per contestant, with the maximum number of tenants and a user in each. */
const prepare = async (postgres: string, tenants: number): Promise<Record<ContestantName, string>> => {
	const urls = { ours: "", instances: "", package: "" };
	const server = new Pool({ connectionString: postgres, max: 1 });
	try {
		for (const name of NAMES) {
			await server.query(`create database "${name}"`);
			const url = new URL(postgres);
			url.pathname = `/${name}`;
			urls[name] = url.toString();
			const pool = new Pool({ connectionString: urls[name], max: 4 });
			try {
				await fillTenants(pool, await CONTESTANTS[name].prepare(pool), tenants);
			} finally {
				await pool.end();
			}
		}
	} finally {
		await server.end();
	}
	return urls;
};

const judge = ({ bounded, contestants }: AlternativesResult): string[] => {
	const stopped = contestants.find(({ name }) => name === "ours")?.stopped;
	const wrong = stopped ? [`our own engine was ${stopped}`] : [];
	if (bounded.bytesPerFurtherTenant > ABOUT_NOTHING)
		wrong.push(
			`no memory per tenant beyond a bounded cache: the heap grew by ${bounded.bytesPerFurtherTenant} bytes for each tenant beyond the first ${showCount(bounded.settledAt)}, of which the cache holds ${showCount(bounded.cacheSize)}; the goal is at most ${ABOUT_NOTHING}`,
		);
	return wrong;
};

const describe = ({ contestants, newTenants, bounded }: AlternativesResult): string[] => {
	const ofEach = (figure: (at: AtSize) => string): string =>
		contestants
			.map(({ title, bySize }) => ({ title, at: bySize.at(-1) }))
			.map(({ title, at }) => (at ? `${title} ${figure(at)} with ${showCount(at.tenants)} tenants` : `${title} none`))
			.join(", ");
	return [
		...contestants.flatMap(({ title, stopped }) => (stopped ? [`${title}: ${stopped}`] : [])),
		`Heap: ${ofEach(({ heapBytes }) => `${(heapBytes / 2 ** 20).toFixed(1)} MB`)}`,
		`Session checks over ours: ${ofEach(({ speeds }) => String(speeds["get-session"].overOurs.median))}`,
		`Sign-ins over ours: ${ofEach(({ speeds }) => String(speeds["sign-in"].overOurs.median))}`,
		`A new tenant takes ${newTenants.rowMs.median} ms as a row, ${newTenants.schemaMs.median} ms as a schema`,
		`With a cache of ${showCount(bounded.cacheSize)} tenants the heap grows by ${bounded.bytesPerFurtherTenant} bytes a tenant from ${showCount(bounded.settledAt)} on`,
	];
};
