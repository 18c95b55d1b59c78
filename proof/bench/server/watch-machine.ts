import { cpus } from "node:os";
import { round } from "../stage/statistics.ts";

/** The processor usage of the machine since this call; 1 is all of it. */
export const watchMachine = (): (() => number) => {
	const before = read();
	return () => {
		const after = read();
		return round(1 - (after.idle - before.idle) / Math.max(after.all - before.all, 1), 3);
	};
};

const read = (): { idle: number; all: number } => {
	const times = cpus().map((core) => core.times);
	return {
		idle: times.reduce((sum, { idle }) => sum + idle, 0),
		all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
	};
};
