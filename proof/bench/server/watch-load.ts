import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Pool } from "pg";
import { median, round } from "../stage/statistics.ts";

export type ServerLoad = {
	/** the event loop delay in milliseconds */
	loopDelayMs: { median: number; p99: number; most: number };
	/** the share of time in which the event loop was busy; 1 is all of it */
	loopBusy: number;
	/** processor cores used, including the hashing threads */
	cores: number;
	/** statements and transactions waiting for a connection at the same time */
	waitingForConnection: number;
};

/** The resolution of the event loop measurement. */
const GRAIN_MS = 5;

/** Watches this process, and returns the figures since the last call. */
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
		// a punctual timer counts with its own interval
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

/** The median of several, per figure. */
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
