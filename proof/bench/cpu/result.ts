import type { Spread } from "../stage/statistics.ts";
import type { SideName } from "./sides.ts";

/** The CPU time of a side's requests. */
export type Cpu = {
	side: SideName;
	/** microseconds per request of all threads, user and system */
	us: Spread;
	/** microseconds per request of the main thread, which is the one that is profiled */
	mainThreadUs: number;
	/** per round: the CPU time of the engine alone, divided by this side's. 1 is the engine alone, more is faster */
	ratio: Spread;
};

/** The bytes that a request allocates. Rounds hardly differ, and the median leaves out those that do. */
export type Allocated = { side: SideName; bytes: Spread };

/** Microseconds per request of a side, by whose code it is. They add up to its CPU time. */
export type Owners = { side: SideName; us: Record<string, number> };

/** A flow's figures. Lists of sides have the order of `CpuResult.sides`. */
export type CpuFlow = {
	name: string;
	setting: string;
	goal: number;
	atOnce: { parallel: number; sides: Cpu[] }[];
	allocated: Allocated[];
	/** with the largest number of requests at once */
	owners: Owners[];
};

export type CpuResult = {
	rounds: number;
	/** how many of them count */
	undisturbed: number;
	/** the first is the engine alone, the last is judged */
	sides: { name: SideName; title: string }[];
	flows: CpuFlow[];
};
