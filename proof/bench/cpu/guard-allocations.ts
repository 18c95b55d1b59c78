import type { Outcome } from "test-kit/results/outcome";
import type { Run } from "test-kit/results/recorded-run";
import type { RunOptions } from "../part.ts";
import { readResult } from "../results.ts";
import { FLOWS } from "../stage/flows.ts";
import { describeAllocations, type FlowAllocations, judgeAllocations } from "./judge-allocations.ts";
import { measureAllocations } from "./measure-allocations.ts";

/** A read, a write in a transaction, and a request that another endpoint serves. They share the setup, which takes longest. */
const GUARDED = ["session from PostgreSQL", "sign-up", "sign-in by /tenant/sign-in/email"];

export type AllocationsResult = { flows: FlowAllocations[] };

/** What requests allocate. Bytes do not depend on the machine's speed or load, so they are recorded apart from times. */
export const runAllocations = async ({ log }: RunOptions): Promise<Outcome<AllocationsResult>> => {
	const flows = await measureAllocations();
	for (const flow of flows) log(describeAllocations(flow));
	return { result: { flows }, wrong: [], lines: flows.map(describeAllocations) };
};

/** Compares what requests allocate with the recorded run. Measures no time. */
export const guardAllocations = async (): Promise<Outcome<AllocationsResult>> => {
	const recorded = await readResult<Run<AllocationsResult>>("allocations");
	if (!recorded)
		return {
			result: { flows: [] },
			wrong: [],
			lines: ["not compared: no run of `pnpm bench --part allocations` is recorded"],
		};
	const flows = await measureAllocations(FLOWS.filter(({ name }) => GUARDED.includes(name)));
	return {
		result: { flows },
		wrong: flows.flatMap((flow) => judgeAllocations(flow, recorded.result)),
		lines: flows.map(describeAllocations),
	};
};
