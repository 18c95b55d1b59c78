import type { Outcome } from "test-kit/results/outcome";
import type { Run } from "test-kit/results/recorded-run";
import { readResult } from "../results.ts";
import { describeAllocations, type FlowAllocations, judgeAllocations } from "./judge-allocations.ts";
import { measureAllocations } from "./measure-allocations.ts";
import type { CpuResult } from "./result.ts";

/** Compares what requests allocate with the recorded run. Measures no time. */
export const guardAllocations = async (): Promise<Outcome<{ flows: FlowAllocations[] }>> => {
	const recorded = await readResult<Run<CpuResult>>("cpu");
	if (!recorded)
		return { result: { flows: [] }, wrong: [], lines: ["not compared: no run of `pnpm bench --part cpu` is recorded"] };
	const flows = await measureAllocations();
	return {
		result: { flows },
		wrong: flows.flatMap((flow) => judgeAllocations(flow, recorded.result)),
		lines: flows.map(describeAllocations),
	};
};
