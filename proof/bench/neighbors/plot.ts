import type { Run } from "test-kit/results/recorded-run";
import type { Plot } from "../plots/plot.ts";
import { MOST_RATIO } from "./judge.ts";
import type { NeighborsResult } from "./result.ts";

const TICKS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const LOGARITHMIC = { type: "log", domainMin: 0.5, nice: false } as const;

/** The p99 of the other tenants while one is loud, relative to equal load. */
export const neighborsPlots = ({ result }: Run<NeighborsResult>): Plot[] => {
	const values = result.variants.flatMap((variant) =>
		variant.conditions
			.filter(({ times }) => times > 1)
			.flatMap(({ name, signIn, session }) => [
				{ variant: variant.name, condition: name, kind: "sign-in", ratio: signIn.p99Ratio },
				{ variant: variant.name, condition: name, kind: "get-session", ratio: session.p99Ratio },
			]),
	);
	const y = { field: "condition", type: "nominal", title: null, sort: null } as const;
	const yOffset = { field: "kind", sort: null } as const;
	const x = {
		field: "ratio",
		type: "quantitative",
		title: "the other tenants' p99, relative to idle",
		axis: { values: TICKS },
		scale: LOGARITHMIC,
	} as const;
	const said = values.map(({ variant, condition, kind, ratio }) => `${variant}, ${condition}, ${kind}: ${ratio}`);
	return [
		{
			name: "neighbors",
			alt: `The other tenants' p99 relative to idle. ${said.join("; ")}. The goal is ${MOST_RATIO}.`,
			spec: {
				data: { values },
				facet: { row: { field: "variant", type: "nominal", title: null, sort: null, header: { orient: "top" } } },
				spec: {
					width: 400,
					height: { step: 24 },
					layer: [
						{
							mark: { type: "point", filled: true, size: 110 },
							encoding: { x, y, yOffset, color: { field: "kind", type: "nominal", sort: null } },
						},
						{
							mark: { type: "text", style: "figure" },
							encoding: { x, y, yOffset, text: { field: "ratio", type: "quantitative" } },
						},
						{ mark: { type: "rule", style: "goal" }, encoding: { x: { datum: MOST_RATIO } } },
					],
				},
			},
		},
	];
};
