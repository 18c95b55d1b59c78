import type { Run } from "test-kit/results/recorded-run";
import type { Plot } from "../plots/plot.ts";
import { ratioPlot } from "../plots/ratio-plot.ts";
import type { CpuResult } from "./result.ts";

/** The relative CPU time of each flow, one picture for each number of requests at once. */
export const cpuPlots = ({ result: { sides, flows } }: Run<CpuResult>): Plot[] => {
	// the judged one has the first color
	const compared = sides.slice(1).toReversed();
	const numbers = flows[0]?.atOnce.map(({ parallel }) => parallel) ?? [];
	return numbers.map((parallel) => {
		const values = compared.flatMap(({ name, title }) =>
			flows.flatMap((flow) => {
				const found = flow.atOnce.find((at) => at.parallel === parallel)?.sides.find(({ side }) => side === name);
				return found ? [{ flow: flow.name, side: title.replaceAll("`", ""), ...found.ratio }] : [];
			}),
		);
		const said = values.map(({ flow, side, median }) => `${flow} ${side} ${median.toFixed(2)}`).join("; ");
		return ratioPlot({
			name: `cpu-${parallel}`,
			alt: `CPU time of Better Auth alone, divided by that of each side, ${parallel} at once: ${said}`,
			title: `CPU time relative to Better Auth alone, ${parallel} at once`,
			subtitle: "Median of the undisturbed rounds with quartiles; right of 1 is faster; ticks are the goals",
			axis: "CPU time of Better Auth alone, divided by that of each side",
			values,
			goals: flows.map(({ name, goal }) => ({ flow: name, goal })),
		});
	});
};
