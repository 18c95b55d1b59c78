import { median, round } from "../stage/statistics.ts";
import { FIRST_TENANT, startContestant } from "./contestant.ts";

/** What tenantCache.maxSize is by default; no other cache of the plugin holds more. */
const CACHE_SIZE = 10_000;
const STEPS = 10;

export type BoundedMemory = {
	/** tenants that the cache holds */
	cacheSize: number;
	/** on the heap after garbage collection, over what was there before the first tenant */
	samples: { tenants: number; heapBytes: number }[];
	/** tenants seen from which on growth is looked for */
	settledAt: number;
	/** how the heap grows from there on */
	bytesPerFurtherTenant: number;
};

type Options = { postgres: string; settling: number; further: number; log: (line: string) => void };

/** How many tenants it sees. */
export const tenantsSeen = ({ settling, further }: Pick<Options, "settling" | "further">): number =>
	CACHE_SIZE + settling + further;

/**
 * Signs in at as many tenants as the cache holds, then at further ones: the heap has to stop growing there. V8 makes the
 * table of a full map larger once more, when keys that came and went have filled it; where that may come, it is let come
 * first (`settling`), and what comes after it has to stay flat.
 */
export const measureBoundedMemory = async (options: Options): Promise<BoundedMemory> => {
	const { postgres, settling, further, log } = options;
	const ours = await startContestant("ours", postgres);
	try {
		const samples: BoundedMemory["samples"] = [];
		const see = async (count: number): Promise<void> => {
			const seen = samples.at(-1)?.tenants ?? 0;
			await ours.call(
				"visit",
				Array.from({ length: count }, (_, number) => FIRST_TENANT + seen + number),
			);
			const { heapBytes } = await ours.call("memory");
			samples.push({ tenants: seen + count, heapBytes: heapBytes - ours.empty.heapBytes });
		};
		for (let step = 1; step <= STEPS; step += 1) {
			await see(CACHE_SIZE / STEPS);
			if (step % 2 === 0) log(`${step * (CACHE_SIZE / STEPS)} tenants seen, the cache holds ${CACHE_SIZE}`);
		}
		if (settling > 0) for (let step = 0; step < STEPS; step += 1) await see(settling / STEPS);
		for (let step = 0; step < STEPS; step += 1) await see(further / STEPS);
		log(`${settling + further} tenants more seen`);
		const settledAt = CACHE_SIZE + settling;
		const beyond = samples.filter(({ tenants }) => tenants > settledAt);
		return { cacheSize: CACHE_SIZE, samples, settledAt, bytesPerFurtherTenant: growth(beyond) };
	} finally {
		await ours.kill();
	}
};

/** Bytes a tenant, from the median of the first samples to that of the last: one sample may have garbage in it. */
const growth = (samples: BoundedMemory["samples"]): number => {
	const middle = (some: BoundedMemory["samples"]) => ({
		tenants: median(some.map(({ tenants }) => tenants)),
		heapBytes: median(some.map(({ heapBytes }) => heapBytes)),
	});
	const first = middle(samples.slice(0, 4));
	const last = middle(samples.slice(-4));
	return round((last.heapBytes - first.heapBytes) / (last.tenants - first.tenants), 1);
};
