import { setTimeout as wait } from "node:timers/promises";
import type { RunningServer } from "../server/start-server.ts";
import { median, round } from "../stage/statistics.ts";

export type MemorySample = {
	/** since the step started */
	seconds: number;
	/** the heap after a collection */
	heapMB: number;
	/** the resident memory of the process */
	residentMB: number;
};

export type Memory = {
	samples: MemorySample[];
	/** medians of the first and of the last quarter of the samples */
	firstQuarterMB: number;
	lastQuarterMB: number;
	mostMB: number;
	mostResidentMB: number;
};

/** A collection pauses the server; requests during it are not counted. */
export type Pause = { from: number; to: number };

/** Polls a server's memory until stopped. */
export const watchMemory = (server: RunningServer, everyMs: number) => {
	const began = performance.now();
	const samples: MemorySample[] = [];
	const pauses: Pause[] = [];
	const ending = new AbortController();
	const look = async (): Promise<void> => {
		const from = performance.now();
		const { heapUsed, external, rss } = await server.call("memory");
		pauses.push({ from, to: performance.now() });
		samples.push({
			seconds: round((from - began) / 1000, 2),
			heapMB: inMB(heapUsed + external),
			residentMB: inMB(rss),
		});
	};
	const run = async (): Promise<void> => {
		while (!ending.signal.aborted) {
			await look();
			await wait(everyMs, undefined, { signal: ending.signal }).catch(() => {});
		}
		await look();
	};
	const running = run();
	return async (): Promise<{ memory: Memory; pauses: Pause[] }> => {
		ending.abort();
		await running;
		const quarter = Math.ceil(samples.length / 4);
		const medianOf = (some: MemorySample[]): number => round(median(some.map(({ heapMB }) => heapMB)), 1);
		return {
			memory: {
				samples,
				firstQuarterMB: medianOf(samples.slice(0, quarter)),
				lastQuarterMB: medianOf(samples.slice(-quarter)),
				mostMB: Math.max(...samples.map(({ heapMB }) => heapMB)),
				mostResidentMB: Math.max(...samples.map(({ residentMB }) => residentMB)),
			},
			pauses,
		};
	};
};

const inMB = (bytes: number): number => round(bytes / 2 ** 20, 1);
