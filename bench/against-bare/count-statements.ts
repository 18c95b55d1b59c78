import { setTimeout as wait } from "node:timers/promises";
import { SIDES, type SideName, TENANTS } from "./sides.ts";
import type { Threads } from "./start-threads.ts";

/** Statements of one request: with everything known, and in a tenant that was not asked for lately. */
export type Counted = { warm: Record<SideName, number>; cold: number };

/** Longer than a tenant is remembered. */
const FORGOTTEN_AFTER_MS = 5_500;
/** Numbers that no measured request has had. */
const FIRST = 1_000_000;

/** Counts the statements of flows that share their sides, each in a tenant of its own. */
export const countStatements = async (sides: Threads["sides"], flows: { name: string }[]): Promise<Counted[]> => {
	const warm: Counted["warm"][] = [];
	for (const [at, flow] of flows.entries()) {
		const counted = { bare: 0, endpoints: 0, tenants: 0 };
		for (const name of SIDES) {
			const first = FIRST + at;
			// the first makes the tenant known, the last waits until it is not
			for (const number of [first, first + TENANTS, first + 2 * TENANTS])
				await sides[name].prepare(flow.name, number, 1);
			await sides[name].countStatements(flow.name, first);
			counted[name] = await sides[name].countStatements(flow.name, first + TENANTS);
		}
		warm.push(counted);
	}
	await wait(FORGOTTEN_AFTER_MS);
	const cold: number[] = [];
	for (const [at, { name }] of flows.entries())
		cold.push(await sides.tenants.countStatements(name, FIRST + at + 2 * TENANTS));
	return warm.map((counted, at) => ({ warm: counted, cold: cold[at] ?? 0 }));
};
