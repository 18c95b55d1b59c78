import { readFileSync } from "node:fs";

const INTERVAL = 50;

/** Disturbances of a machine: its longest stall, and the share of its time that the host gave to others. */
export type Disturbance = { standstillMs: number; stolen: number };

/** Watches this machine until the result is read. */
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

/** Linux reports stolen time (proc_stat(5)); other systems do not. */
const readTimes = (): { all: number; stolen: number } => {
	try {
		const [, ...times] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
		const ticks = times.slice(0, 8).map(Number);
		return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
	} catch {
		return { all: 0, stolen: 0 };
	}
};
