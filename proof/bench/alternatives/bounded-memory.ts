import { median, round } from "../stage/statistics.ts";
import { FIRST_TENANT, startContestant } from "./contestant.ts";

/** The default of tenantCache.maxSize. No other cache of the plugin is larger. */
const CACHE_SIZE = 10_000;
const STEPS = 10;

export type BoundedMemory = {
	/** tenants in the cache */
	cacheSize: number;
	/** heap after garbage collection, minus the heap before the first tenant */
	samples: { tenants: number; heapBytes: number }[];
	/** tenants after which growth is measured */
	settledAt: number;
	/** heap growth after that */
	bytesPerFurtherTenant: number;
};

type Options = { postgres: string; settling: number; further: number; log: (line: string) => void };

/** The number of tenants. */
export const tenantsSeen = ({ settling, further }: Pick<Options, "settling" | "further">): number =>
	CACHE_SIZE + settling + further;

/**
 * Signs in at as many tenants as fit into the cache, then at more: the heap must stop growing. V8 enlarges the table of
 * a full map once more after added and removed keys have filled it. That step comes first (`settling`), and the heap
 * must stay flat afterwards.
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

/**
 * Bytes per tenant, from the median of the first samples to that of the last, because single samples may contain
 * garbage.
 */
const growth = (samples: BoundedMemory["samples"]): number => {
	const middle = (some: BoundedMemory["samples"]) => ({
		tenants: median(some.map(({ tenants }) => tenants)),
		heapBytes: median(some.map(({ heapBytes }) => heapBytes)),
	});
	const first = middle(samples.slice(0, 4));
	const last = middle(samples.slice(-4));
	return round((last.heapBytes - first.heapBytes) / (last.tenants - first.tenants), 1);
};
