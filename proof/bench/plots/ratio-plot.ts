import type { Spread } from "../stage/statistics.ts";
import type { Plot } from "./plot.ts";
import { spreadLayers } from "./spread-layers.ts";

type Ratios = Pick<Plot, "name" | "alt"> & {
	title: string;
	subtitle: string;
	axis: string;
	values: ({ flow: string; side: string } & Spread)[];
	goals: { flow: string; goal: number }[];
};

/** Ratios of flows to Better Auth alone, with their goals. */
export const ratioPlot = ({ name, alt, title, subtitle, axis, values, goals }: Ratios): Plot => {
	const edges = [1, ...values.flatMap(({ low, high }) => [low, high]), ...goals.map(({ goal }) => goal)];
	const x = {
		type: "quantitative" as const,
		title: axis,
		scale: { domain: [Math.min(...edges) - 0.02, Math.max(...edges) + 0.02], zero: false },
		axis: { format: ".2f" },
	};
	const y = { field: "flow", type: "nominal" as const, sort: null, title: null };
	const series = { field: "side", type: "nominal" as const, sort: null };
	return {
		name,
		alt,
		spec: {
			title: { text: title, subtitle },
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
	};
};
