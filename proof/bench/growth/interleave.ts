import type { Act } from "../stage/rounds.ts";
import { median, quantile, round, type Spread, spreadOf } from "../stage/statistics.ts";

/** The figures of one operation at one size. */
export type Figure = {
	medianMs: number;
	p99Ms: number;
	/** of each round: its median over that of the first size */
	overFirst: Spread;
};

type Rounds = { rounds: number; requests: number; warmUp: number };

/**
 * Sends each request to every size before the next one, so that other load on the machine affects all of them. The
 * order changes with every request.
 */
export const interleave = async (acts: Act[], { rounds, requests, warmUp }: Rounds): Promise<Figure[]> => {
	const all: number[][] = acts.map(() => []);
	const medians: number[][] = acts.map(() => []);
	let sent = 0;
	const runRound = async (count: number): Promise<number[][]> => {
		const times: number[][] = acts.map(() => []);
		globalThis.gc?.();
		// the first requests include PostgreSQL's cleanup
		for (const act of acts) await act(sent);
		for (let request = 0; request < count; request += 1, sent += 1) {
			for (const which of orderOf(sent, acts.length)) {
				const began = performance.now();
				await acts[which]?.(sent);
				times[which]?.push(performance.now() - began);
			}
		}
		return times;
	};
	await runRound(warmUp);
	for (let number = 0; number < rounds; number += 1) {
		for (const [which, times] of (await runRound(requests)).entries()) {
			all[which]?.push(...times);
			medians[which]?.push(median(times));
		}
	}
	return all.map((times, which) => ({
		medianMs: round(median(times), 4),
		p99Ms: round(quantile(times, 0.99), 4),
		overFirst: spreadOf(medians[which]?.map((value, number) => value / (medians[0]?.[number] ?? Number.NaN)) ?? [], 4),
	}));
};

/** Starts with another one each time, and alternates the direction. */
const orderOf = (number: number, length: number): number[] => {
	const order = Array.from({ length }, (_, turn) => (Math.floor(number / 2) + turn) % length);
	return number % 2 === 0 ? order : order.reverse();
};
