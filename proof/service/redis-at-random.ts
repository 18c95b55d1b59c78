import { setTimeout as wait } from "node:timers/promises";
import { seeded } from "test-kit/load/seeded";
import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { startCuttableProxy } from "test-kit/servers/cuttable-proxy";
import { startRedis } from "test-kit/servers/redis-server";
import type { RunOptions } from "./part.ts";
import { type Measured, measure, type Stage, tell, wrongIn } from "./redis-away.ts";

/** Milliseconds that a fault lasts, and that Redis works between two of them. */
const LASTS = { least: 50, most: 6_000 };

export type RedisAtRandomResult = { seed: number; struck: Record<string, number>; measured: Measured };

type Fault = { begin: () => unknown; end: () => unknown };

/** One Redis, which one of two processes reaches through a proxy, and what happens to it. */
const open = async (seed: number, struck: Record<string, number>): Promise<Stage> => {
	const redis = await startRedis();
	const proxy = await startCuttableProxy(redis.port);
	const faults: Record<string, Fault> = {
		"stopped, and empty afterwards": { begin: redis.stop, end: redis.start },
		hanging: { begin: redis.freeze, end: redis.thaw },
		emptied: { begin: redis.flush, end: () => undefined },
		full: { begin: () => redis.configure("maxmemory", "1"), end: () => redis.configure("maxmemory", "0") },
		// what it held back arrives afterwards: writes that are older than what happened since
		"cut off from one process": { begin: proxy.cut, end: proxy.mend },
	};
	const { whole } = seeded(seed);
	const over = new AbortController();
	const pause = () => wait(whole(LASTS.least, LASTS.most), undefined, { signal: over.signal }).catch(() => {});
	const strike = async (): Promise<void> => {
		const names = Object.keys(faults);
		while (!over.signal.aborted) {
			const name = names[whole(0, names.length - 1)] ?? "";
			await faults[name]?.begin();
			struck[name] = (struck[name] ?? 0) + 1;
			await pause();
			await faults[name]?.end();
			await pause();
		}
	};
	let striking = Promise.resolve();
	const end = async (): Promise<void> => {
		over.abort();
		await striking;
	};
	return {
		// for the migration
		shared: { REDIS_URL: redis.url },
		alone: [{ REDIS_URL: redis.url }, { REDIS_URL: `redis://127.0.0.1:${proxy.port}` }],
		begin: async () => {
			striking = strike();
		},
		end,
		close: async () => {
			await end();
			proxy.close();
			await redis.close();
		},
	};
};

/** Lets Redis fail in one way after the other, chosen by a seed, while users are changed and sign up, in and out. */
export const runRedisAtRandom = async ({ full, log }: RunOptions): Promise<Outcome<RedisAtRandomResult>> => {
	const seed = full ? Date.now() % 2 ** 31 : 20_261_120;
	const struck: Record<string, number> = {};
	const measured = await measure("Redis fails at random", () => open(seed, struck), full ? 7_200 : 30);
	const faults = Object.entries(struck).map(([name, count]) => `${showCount(count)} × ${name}`);
	const line = `${tell(measured)}; seed ${seed}: ${faults.join(", ")}`;
	log(line);
	return { result: { seed, struck, measured }, wrong: wrongIn(measured), lines: [line] };
};
