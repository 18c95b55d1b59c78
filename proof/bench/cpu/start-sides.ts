import { type RunningProcess, startProcess } from "test-kit/processes";
import type { Servers, Setting } from "../stage/sides.ts";
import type { SideProcess } from "./side-process.ts";
import { SIDES, type SideName } from "./sides.ts";

/**
 * Longer than a run. Under constant load, a tenant is looked up once in thousands of requests. Here a side waits while the
 * others take their turns, and the slower the machine, the more of its requests would look a tenant up.
 */
const TENANT_CACHE = { maxAge: 24 * 3_600 };

export type RunningSides = Record<SideName, RunningProcess<SideProcess>>;

/** Starts and fills all sides, each in its own process. */
export const startSides = async (setting: Setting, servers: Servers, flags: string[] = []) => {
	const started = SIDES.map((side) => ({
		...side,
		process: startProcess<SideProcess>(new URL("./side-process.ts", import.meta.url), flags),
	}));
	const close = async (): Promise<void> => {
		for (const { process } of started) await process.stop();
	};
	try {
		for (const { name, kind, handler, process } of started)
			await process.call("start", { name, kind, handler, setting, servers, tenantCache: TENANT_CACHE });
	} catch (error) {
		await close();
		throw error;
	}
	return { sides: Object.fromEntries(started.map(({ name, process }) => [name, process])) as RunningSides, close };
};
