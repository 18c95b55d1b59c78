import type { Outcome } from "test-kit/results/outcome";
import type { Run } from "test-kit/results/recorded-run";
import { readResult } from "../results.ts";
import { describeAllocations, type FlowAllocations, judgeAllocations } from "./judge-allocations.ts";
import { measureAllocations } from "./measure-allocations.ts";
import type { CpuResult } from "./result.ts";

/** Compares what requests allocate with the recorded run. Measures no time. */
export const guardAllocations = async (): Promise<Outcome<{ flows: FlowAllocations[] }>> => {
	const flows = await measureAllocations();
	const recorded = await readResult<Run<CpuResult>>("cpu");
	const lines = flows.map(describeAllocations);
	// a record of a disturbed machine would be compared with for months
	if (!recorded)
		return {
			result: { flows },
			wrong: [],
			lines: [...lines, "nothing to compare with: no run of cpu is recorded yet"],
		};
	return { result: { flows }, wrong: flows.flatMap((flow) => judgeAllocations(flow, recorded.result)), lines };
};
