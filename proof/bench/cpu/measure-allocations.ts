import { eachSetting } from "../stage/each-setting.ts";
import { FLOWS, type Flow, orderOf } from "../stage/flows.ts";
import { spreadOf } from "../stage/statistics.ts";
import { FLAGS } from "./allocated-bytes.ts";
import type { FlowAllocations } from "./judge-allocations.ts";
import type { Allocated } from "./result.ts";
import { SIDES, type SideName } from "./sides.ts";
import { type RunningSides, startSides } from "./start-sides.ts";

const ROUNDS = 5;
/** The most requests of a round. */
const REQUESTS = 10;
/** Rounds that are not counted: V8 keeps what it learns about a function that runs for the first times. */
const WARM_UPS = 3;

/** What a request of each flow allocates, on each side. One request at a time, so that all of it belongs to that one. */
export const measureAllocations = async (measured: Flow[] = FLOWS): Promise<FlowAllocations[]> => {
	const flows: FlowAllocations[] = [];
	await eachSetting(
		measured,
		(setting, servers) => startSides(setting, servers, FLAGS),
		async ({ sides, flows: chosen }) => {
			for (const flow of chosen) {
				const allocated: Allocated[] = [];
				for (const { name } of SIDES) allocated.push(await measureSide(sides, name, flow));
				flows.push({ name: flow.name, allocated });
			}
		},
	);
	return flows.sort((one, other) => orderOf(one) - orderOf(other));
};

const measureSide = async (sides: RunningSides, side: SideName, flow: Flow): Promise<Allocated> => {
	const count = Math.min(REQUESTS, flow.requests);
	const seen: number[] = [];
	for (let number = 0; number < WARM_UPS + ROUNDS; number += 1) {
		const bytes = await sides[side].call("allocate", { flow: flow.name, first: number * count, count, parallel: 1 });
		if (number >= WARM_UPS && bytes !== null) seen.push(bytes);
	}
	if (seen.length === 0) throw new Error(`${flow.name}, ${side}: garbage was collected in every round`);
	return { side, bytes: spreadOf(seen, 0) };
};
