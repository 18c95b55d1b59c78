import type { Flow } from "../stage/flows.ts";
import { round } from "../stage/statistics.ts";
import type { ReadProfile } from "./read-profile.ts";
import type { Cpu } from "./result.ts";
import { SIDES, type SideName } from "./sides.ts";
import type { RunningSides } from "./start-sides.ts";

export type Profiled = { side: SideName } & Record<keyof ReadProfile, Record<string, number>>;

/** Numbers that no other requests have. */
const FIRST = 500_000_000;

/**
 * Microseconds per request, by owner and by function. The profile says only how the main thread's time is divided,
 * because the profiler slows it down; the CPU times are those that were measured without it.
 */
export const profileSides = async (
	sides: RunningSides,
	{ name, volleys, requests }: Flow,
	{ parallel, measured }: { parallel: number; measured: Cpu[] },
): Promise<Profiled[]> => {
	const count = 2 * volleys * requests;
	const profiled: Profiled[] = [];
	for (const [at, { name: side }] of SIDES.entries()) {
		const cpu = measured[at];
		if (!cpu) throw new Error(`${name} was not measured`);
		const shares = await sides[side].call("profile", { flow: name, first: FIRST + at * count, count, parallel });
		const scaled = (of: Record<string, number>) =>
			Object.fromEntries(Object.entries(of).map(([key, share]) => [key, round(share * cpu.mainThreadUs, 1)]));
		// hashing, garbage collection and compilation
		const others = round(Math.max(0, cpu.us.median - cpu.mainThreadUs), 1);
		profiled.push({
			side,
			owners: { ...scaled(shares.owners), "other threads": others },
			functions: scaled(shares.functions),
		});
	}
	return profiled;
};
