import type { Run } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { Plot } from "../plots/plot.ts";
import { spreadLayers } from "../plots/spread-layers.ts";
import type { GrowthResult } from "./run-growth.ts";

/** The relative duration of each operation with more tenants. */
export const growthPlots = ({ result: { sizes, operations, goal } }: Run<GrowthResult>): Plot[] => {
	const [smallest, ...larger] = sizes;
	if (!smallest) return [];
	const base = showCount(smallest.tenants);
	const nameOf = ({ tenants, users }: GrowthResult["sizes"][number]): string =>
		`${showCount(tenants)} tenants, ${showCount(users)} users`;
	const values = operations.flatMap(({ name, figures }) =>
		larger.map((size, at) => ({ operation: name, size: nameOf(size), ...figures[at + 1]?.overFirst })),
	);
	const edges = [1, goal, ...values.flatMap(({ low = 1, high = 1 }) => [low, high])];
	const x = {
		type: "quantitative" as const,
		title: `median, relative to ${base} tenants`,
		scale: { domain: [Math.min(...edges) - 0.02, Math.max(...edges) + 0.02], zero: false },
		axis: { format: ".2f" },
	};
	const y = { field: "operation", type: "nominal" as const, sort: null, title: null };
	const series = { field: "size", type: "nominal" as const, sort: null };
	return [
		{
			name: "growth",
			alt: `For each operation, how long it takes with ${larger.map(({ tenants }) => showCount(tenants)).join(", ")} tenants relative to ${base} tenants; the goal is at most ${goal.toFixed(2)}`,
			spec: {
				title: {
					text: "Cost of more tenants",
					subtitle: `Median of the rounds with quartiles; 1.00 is as fast as with ${base} tenants`,
				},
				data: { values },
				height: { step: 14, for: "offset" },
				layer: [
					...spreadLayers({ x, y, series }),
					{
						data: { values: [{ goal }] },
						mark: { type: "rule", style: "goal" },
						encoding: { x: { ...x, field: "goal" } },
					},
					{
						data: { values: [{ goal }] },
						mark: { type: "text", style: "goal-label" },
						encoding: { x: { ...x, field: "goal" }, y: { value: 0 }, text: { value: `goal ${goal.toFixed(2)}` } },
					},
				],
			},
		},
	];
};
