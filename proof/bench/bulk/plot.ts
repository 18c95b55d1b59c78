import type { Run } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { Plot } from "../plots/plot.ts";
import type { BulkResult } from "./result.ts";

/** The server's memory while a tenant is imported, exported and deleted. */
export const bulkPlots = ({ result: { users, moves } }: Run<BulkResult>): Plot[] => {
	const values = moves.flatMap(({ sessionsIn, steps }) =>
		steps.flatMap(({ step, seconds, memory }) =>
			memory.samples.map((sample) => ({
				sessions: `sessions in ${sessionsIn}`,
				step,
				part: Math.min(sample.seconds / seconds, 1),
				heapMB: sample.heapMB,
			})),
		),
	);
	const ends = moves.flatMap(({ sessionsIn, steps }) =>
		steps.map(
			({ step, memory }) =>
				`${step} with sessions in ${sessionsIn}: ${memory.firstQuarterMB} MB in the first quarter, ${memory.lastQuarterMB} MB in the last`,
		),
	);
	return [
		{
			name: "bulk-memory",
			alt: `Server memory during each step with ${showCount(users)} users. ${ends.join("; ")}.`,
			spec: {
				data: { values },
				facet: { row: { field: "sessions", type: "nominal", title: null, sort: null, header: { orient: "top" } } },
				spec: {
					height: 130,
					mark: { type: "line", point: false },
					encoding: {
						x: {
							field: "part",
							type: "quantitative",
							title: "part of the step",
							axis: { format: "%" },
							scale: { domain: [0, 1] },
						},
						y: { field: "heapMB", type: "quantitative", title: "MB in use", scale: { zero: true } },
						color: { field: "step", type: "nominal", sort: null },
					},
				},
			},
		},
	];
};
