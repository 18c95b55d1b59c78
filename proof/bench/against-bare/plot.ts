import type { Run } from "test-kit/results/recorded-run";
import type { Plot } from "../plots/plot.ts";
import { ratioPlot } from "../plots/ratio-plot.ts";
import type { AgainstBareResult } from "./result.ts";

const SIDES = { tenants: "with tenantAuth()", endpoints: "with its endpoints only" } as const;

/** The relative speed of each flow. */
export const againstBarePlots = ({ result: { flows } }: Run<AgainstBareResult>): Plot[] => [
	ratioPlot({
		name: "against-bare",
		alt: `Speed relative to Better Auth alone: ${flows.map(({ name, compared }) => `${name} ${compared.tenants.ratio.median.toFixed(2)}`).join("; ")}`,
		title: "Speed relative to Better Auth alone",
		subtitle: "Median of the rounds with quartiles; ticks are the goals",
		axis: "requests per second, relative to Better Auth alone",
		values: flows.flatMap(({ name, compared }) =>
			(["tenants", "endpoints"] as const).map((side) => ({ flow: name, side: SIDES[side], ...compared[side].ratio })),
		),
		goals: flows.map(({ name, goal }) => ({ flow: name, goal })),
	}),
];
