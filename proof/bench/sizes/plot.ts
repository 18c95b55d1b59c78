import type { Run } from "test-kit/results/recorded-run";
import type { Plot } from "../plots/plot.ts";
import type { SizesResult } from "./run-sizes.ts";

const SIDES = { bare: "engine alone", ours: "with tenantAuth()" } as const;

/** The duration of cold starts, with and without tenants. */
export const sizesPlots = ({ result: { node, workerd } }: Run<SizesResult>): Plot[] => {
	const steps = [
		{ step: "Node, until /ok", ms: node.ok.ms },
		{ step: "Node, until a sign-in", ms: node.signIn.ms },
		{ step: "workerd, until /ok", ms: workerd.ok.ms },
	];
	const values = steps.flatMap(({ step, ms }) =>
		(["bare", "ours"] as const).map((side) => ({ step, side: SIDES[side], ...ms[side] })),
	);
	const y = { field: "step", type: "nominal", sort: null, title: null } as const;
	const yOffset = { field: "side", type: "nominal", sort: null } as const;
	return [
		{
			name: "sizes-cold-start",
			alt: `Cold starts in milliseconds: ${values.map(({ step, side, median }) => `${step}, ${side} ${median}`).join("; ")}`,
			spec: {
				title: { text: "Cold starts, milliseconds", subtitle: "medians with quartiles; less is better" },
				height: { step: 24 },
				data: { values },
				encoding: { y, yOffset },
				layer: [
					{
						mark: "bar",
						encoding: {
							x: { field: "median", type: "quantitative", title: "ms", scale: { zero: true } },
							// ours has the first color in every picture
							color: { field: "side", type: "nominal", scale: { domain: [SIDES.ours, SIDES.bare] } },
						},
					},
					{
						mark: { type: "rule", strokeWidth: 1.5 },
						encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } },
					},
					{
						mark: { type: "text", style: "figure" },
						encoding: {
							x: { field: "high", type: "quantitative" },
							text: { field: "median", type: "quantitative", format: ",.0f" },
						},
					},
				],
			},
		},
	];
};
