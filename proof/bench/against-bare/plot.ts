import type { Run } from "test-kit/results/recorded-run";
import type { Plot } from "../plots/plot.ts";
import { spreadLayers } from "../plots/spread-layers.ts";
import type { AgainstBareResult } from "./result.ts";

const SIDES = { tenants: "with tenantAuth()", endpoints: "with its endpoints only" } as const;

/** The relative speed of each flow. */
export const againstBarePlots = ({ result: { flows } }: Run<AgainstBareResult>): Plot[] => {
	const values = flows.flatMap(({ name, compared }) =>
		(["tenants", "endpoints"] as const).map((side) => ({ flow: name, side: SIDES[side], ...compared[side].ratio })),
	);
	const goals = flows.map(({ name, goal }) => ({ flow: name, goal }));
	const edges = [1, ...values.flatMap(({ low, high }) => [low, high]), ...goals.map(({ goal }) => goal)];
	const x = {
		type: "quantitative" as const,
		title: "requests per second, relative to Better Auth alone",
		scale: { domain: [Math.min(...edges) - 0.02, Math.max(...edges) + 0.02], zero: false },
		axis: { format: ".2f" },
	};
	const y = { field: "flow", type: "nominal" as const, sort: null, title: null };
	const series = { field: "side", type: "nominal" as const, sort: null };
	return [
		{
			name: "against-bare",
			alt: `Speed relative to Better Auth alone: ${flows.map(({ name, compared }) => `${name} ${compared.tenants.ratio.median.toFixed(2)}`).join("; ")}`,
			spec: {
				title: {
					text: "Speed relative to Better Auth alone",
					subtitle: "Median of the rounds with quartiles; ticks are the goals",
				},
				data: { values },
				height: { step: 12, for: "offset" },
				layer: [
					...spreadLayers({ x, y, series }),
					{
						data: { values: goals },
						mark: { type: "tick", style: "goal", thickness: 2 },
						encoding: { y, x: { ...x, field: "goal" } },
					},
				],
			},
		},
	];
};
