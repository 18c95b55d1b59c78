import { round, type Spread, spreadOf } from "../stage/statistics.ts";
import { compareSpeeds, type Load, type Speed, type Visited } from "./compare-speeds.ts";
import { FIRST_TENANT, type RunningContestant } from "./contestant.ts";
import type { Kind } from "./contestant-process.ts";

/** A contestant with this many tenants. Memory is measured after garbage collection. */
export type AtSize = {
	tenants: number;
	/** a sign-in at a new tenant, and one at a known tenant */
	firstMs: Spread;
	againMs: Spread;
	/** until all tenants had a sign-in, one after the other */
	allSeconds: number;
	/** minus the value without tenants */
	heapBytes: number;
	/** of the whole process */
	rssBytes: number;
	heapBytesPerTenant: number;
	speeds: Record<Kind, Speed>;
};

/** The limits at which a contestant is stopped. */
export type Limits = { heapBytes: number; seconds: number };

type Racer = Visited & {
	visitSeconds: number;
	/** why it was stopped */
	stopped: string | null;
	bySize: AtSize[];
};

type Race = { sizes: number[]; load: Load; limits: Limits; log: (line: string) => void };

/** The number of tenants per turn. */
const CHUNK = 100;

/** All contestants serve more and more tenants in turns, and at each size the same load over all tenants so far. */
export const race = async (contestants: RunningContestant[], { sizes, load, limits, log }: Race): Promise<Racer[]> => {
	const racers = contestants.map(
		(contestant): Racer => ({ contestant, cookies: [], visitSeconds: 0, stopped: null, bySize: [] }),
	);
	const running = () => racers.filter(({ stopped }) => stopped === null);
	for (const [index, tenants] of sizes.entries()) {
		const firstMs = new Map<Racer, number[]>(racers.map((racer) => [racer, []]));
		for (let seen = sizes[index - 1] ?? 0; seen < tenants; seen += CHUNK) {
			const next = tenantsBetween(seen, Math.min(seen + CHUNK, tenants));
			for (const racer of running()) firstMs.get(racer)?.push(...(await visit(racer, next, limits)));
			if (seen > 0 && seen % (10 * CHUNK) === 0) log(`${seen} of ${tenants} tenants seen`);
		}
		const left = running();
		const rested = new Map<Racer, Pick<AtSize, "againMs" | "heapBytes" | "rssBytes">>();
		for (const racer of left) rested.set(racer, await rest(racer, tenants));
		const getSession = await compareSpeeds("get-session", left, load);
		const signIn = await compareSpeeds("sign-in", left, load);
		for (const racer of left) {
			const { name } = racer.contestant;
			const [seen, speed, signInSpeed] = [rested.get(racer), getSession.get(name), signIn.get(name)];
			if (!seen || !speed || !signInSpeed) continue;
			racer.bySize.push({
				tenants,
				firstMs: spreadOf(firstMs.get(racer) ?? [], 2),
				allSeconds: round(racer.visitSeconds, 2),
				...seen,
				heapBytesPerTenant: Math.round(seen.heapBytes / tenants),
				speeds: { "get-session": speed, "sign-in": signInSpeed },
			});
		}
		log(`${tenants} tenants: ${left.map(({ contestant }) => contestant.name).join(", ")} compared`);
	}
	return racers;
};

/** The duration of each first sign-in. A contestant beyond a limit is stopped. */
const visit = async (racer: Racer, tenants: number[], limits: Limits): Promise<number[]> => {
	const { contestant } = racer;
	const { ms, cookies, heapBytes } = await contestant.call("visit", tenants);
	racer.cookies.push(...cookies);
	racer.visitSeconds += ms.reduce((sum, one) => sum + one, 0) / 1000;
	// without garbage
	const tooLarge = heapBytes > limits.heapBytes && (await contestant.call("memory")).heapBytes > limits.heapBytes;
	if (tooLarge || racer.visitSeconds > limits.seconds) {
		const limit = tooLarge ? `${round(limits.heapBytes / 2 ** 30, 1)} GB of heap` : `${limits.seconds} s`;
		racer.stopped = `stopped at ${racer.cookies.length} tenants: more than ${limit}`;
		await contestant.kill();
	}
	return ms;
};

/** The idle memory, and the duration of a sign-in at a known tenant. */
const rest = async ({ contestant }: Racer, tenants: number) => {
	const { ms } = await contestant.call("visit", tenantsBetween(Math.max(0, tenants - CHUNK), tenants));
	const { heapBytes, rssBytes } = await contestant.call("memory");
	return {
		againMs: spreadOf(ms, 2),
		heapBytes: heapBytes - contestant.empty.heapBytes,
		rssBytes,
	};
};

const tenantsBetween = (from: number, to: number): number[] =>
	Array.from({ length: to - from }, (_, number) => FIRST_TENANT + from + number);
