import type { Outcome } from "test-kit/results/outcome";
import type { Run } from "test-kit/results/recorded-run";
import { readResult } from "../results.ts";
import { FLOWS } from "../stage/flows.ts";
import { describeAllocations, type FlowAllocations, judgeAllocations } from "./judge-allocations.ts";
import { measureAllocations } from "./measure-allocations.ts";
import type { CpuResult } from "./result.ts";

/** A read, a write in a transaction, and a request that another endpoint serves. They share the setup, which takes longest. */
const GUARDED = ["session from PostgreSQL", "sign-up", "sign-in by /tenant/sign-in/email"];

/** Compares what requests allocate with the recorded run. Measures no time. */
export const guardAllocations = async (): Promise<Outcome<{ flows: FlowAllocations[] }>> => {
	const recorded = await readResult<Run<CpuResult>>("cpu");
	if (!recorded)
		return { result: { flows: [] }, wrong: [], lines: ["not compared: no run of `pnpm bench --part cpu` is recorded"] };
	const flows = await measureAllocations(FLOWS.filter(({ name }) => GUARDED.includes(name)));
	return {
		result: { flows },
		wrong: flows.flatMap((flow) => judgeAllocations(flow, recorded.result)),
		lines: flows.map(describeAllocations),
	};
};
