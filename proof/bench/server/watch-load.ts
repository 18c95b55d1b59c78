import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Pool } from "pg";
import { median, round } from "../stage/statistics.ts";

export type ServerLoad = {
	/** by how many milliseconds the event loop was late */
	loopDelayMs: { median: number; p99: number; most: number };
	/** of the time, that of the event loop in which it did something; 1 is all of it */
	loopBusy: number;
	/** processor cores that the process used, its threads for hashing among them */
	cores: number;
	/** statements and transactions that waited for a connection at the same time */
	waitingForConnection: number;
};

/** How often the event loop is looked at. */
const GRAIN_MS = 5;

/** Watches this process, and says what it saw since it was last asked. */
export const watchLoad = (pool: Pool) => {
	const delay = monitorEventLoopDelay({ resolution: GRAIN_MS });
	delay.enable();
	let waiting = 0;
	setInterval(() => {
		waiting = Math.max(waiting, pool.waitingCount);
	}, GRAIN_MS).unref();
	let since = { at: performance.now(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() };
	return (): ServerLoad => {
		const loop = performance.eventLoopUtilization();
		const { user, system } = process.cpuUsage(since.cpu);
		const elapsedMs = performance.now() - since.at;
		// a timer that is on time is counted with its own interval
		const late = (nanoseconds: number): number => round(Math.max(nanoseconds / 1e6 - GRAIN_MS, 0), 2);
		const load: ServerLoad = {
			loopDelayMs: { median: late(delay.percentile(50)), p99: late(delay.percentile(99)), most: late(delay.max) },
			loopBusy: round(performance.eventLoopUtilization(loop, since.loop).utilization, 3),
			cores: round((user + system) / 1000 / elapsedMs, 3),
			waitingForConnection: waiting,
		};
		delay.reset();
		waiting = 0;
		since = { at: performance.now(), cpu: process.cpuUsage(), loop };
		return load;
	};
};

/** The middle of several, figure by figure. */
export const medianLoad = (loads: ServerLoad[]): ServerLoad => {
	const of = (pick: (load: ServerLoad) => number): number => round(median(loads.map(pick)), 2);
	return {
		loopDelayMs: {
			median: of(({ loopDelayMs }) => loopDelayMs.median),
			p99: of(({ loopDelayMs }) => loopDelayMs.p99),
			most: of(({ loopDelayMs }) => loopDelayMs.most),
		},
		loopBusy: of(({ loopBusy }) => loopBusy),
		cores: of(({ cores }) => cores),
		waitingForConnection: of(({ waitingForConnection }) => waitingForConnection),
	};
};
