import { readFileSync } from "node:fs";

const INTERVAL = 50;

/** What keeps a machine from its work: how long it stood still at most, and how much of its time its host gave to others. */
export type Disturbance = { standstillMs: number; stolen: number };

/** Watches what happens to this machine until it is asked. */
export const watchDisturbance = (): (() => Disturbance) => {
	const before = readTimes();
	let longest = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		longest = Math.max(longest, now - last - INTERVAL);
		last = now;
	}, INTERVAL);
	return () => {
		clearInterval(timer);
		const after = readTimes();
		const passed = after.all - before.all;
		const stolen = passed > 0 ? (after.stolen - before.stolen) / passed : 0;
		return { standstillMs: Math.round(longest), stolen: Math.round(stolen * 1000) / 1000 };
	};
};

/** Linux tells how long its cores wanted to run and were not let (proc_stat(5)); elsewhere nobody does. */
const readTimes = (): { all: number; stolen: number } => {
	try {
		const [, ...times] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
		const ticks = times.slice(0, 8).map(Number);
		return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
	} catch {
		return { all: 0, stolen: 0 };
	}
};
