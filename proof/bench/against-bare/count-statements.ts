import { setTimeout as wait } from "node:timers/promises";
import { TENANTS } from "../stage/sides.ts";
import { SIDES, type SideName } from "./side-names.ts";
import type { Threads } from "./start-threads.ts";

/** Statements of one request: warm, and in a tenant that is not cached. */
export type Counted = { warm: Record<SideName, number>; cold: number };

/** Longer than a tenant is cached. */
const FORGOTTEN_AFTER_MS = 5_500;
/** Numbers that no measured request uses. */
const FIRST = 1_000_000;
/** Which of a tenant's requests are counted while it is cached, and which after it expired. */
const WARM_TURNS = [1, 2, 3];
const COLD_TURN = 4;

/** Counts the statements of flows that share their sides, each in its own tenant. */
export const countStatements = async (sides: Threads["sides"], flows: { name: string }[]): Promise<Counted[]> => {
	const warm: Counted["warm"][] = [];
	for (const [at, flow] of flows.entries()) {
		const counted = { bare: 0, endpoints: 0, tenants: 0 };
		for (const name of SIDES) {
			const first = FIRST + at;
			// the first caches the tenant, the last waits until it expires
			for (const turn of [0, ...WARM_TURNS, COLD_TURN]) await sides[name].prepare(flow.name, first + turn * TENANTS, 1);
			await sides[name].countStatements(flow.name, first);
			const counts: number[] = [];
			for (const turn of WARM_TURNS) counts.push(await sides[name].countStatements(flow.name, first + turn * TENANTS));
			// a machine that stalls for seconds drops the tenant from the cache in between; a real extra statement is there
			// each time
			counted[name] = Math.min(...counts);
		}
		warm.push(counted);
	}
	await wait(FORGOTTEN_AFTER_MS);
	const cold: number[] = [];
	for (const [at, { name }] of flows.entries())
		cold.push(await sides.tenants.countStatements(name, FIRST + at + COLD_TURN * TENANTS));
	return warm.map((counted, at) => ({ warm: counted, cold: cold[at] ?? 0 }));
};
