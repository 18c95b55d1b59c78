import { quantile, round } from "../stage/statistics.ts";
import type { Sample } from "./open-loop.ts";

export type Timing = { count: number; wrong: number; medianMs: number; p99Ms: number; mostMs: number };

/** The durations of requests. */
export const timingOf = (samples: Sample[]): Timing => {
	const times = samples.map(({ ms }) => ms);
	return {
		count: samples.length,
		wrong: samples.filter(({ right }) => !right).length,
		medianMs: round(quantile(times, 0.5), 2),
		p99Ms: round(quantile(times, 0.99), 2),
		mostMs: round(quantile(times, 1), 2),
	};
};

/** Whether its p99 is meaningful: of fewer than a hundred requests it is the slowest one. */
export const saysP99 = ({ count }: Timing): boolean => count >= 100;

/** The number of each response. */
export const countOutcomes = (outcomes: string[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
};
