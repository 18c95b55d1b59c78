import { type Run, table, verdict } from "test-kit/results/recorded-run";
import type { Spread } from "../stage/statistics.ts";
import { SIDES, type UpstreamResult } from "./result.ts";
import { SETUP_NAMES, SETUPS, type SetupName } from "./setups.ts";

const COMMAND = "pnpm bench --part upstream";

/** The figures of docs/upstream/README.md. */
export const documentUpstream = (run: Run<UpstreamResult> | null): string =>
	[...(run ? measuredSetups(run.result).map((setup) => figures(run.result, setup)) : []), verdict(run, COMMAND)].join(
		"\n\n",
	);

const measuredSetups = ({ flows }: UpstreamResult): SetupName[] =>
	SETUP_NAMES.filter((setup) => flows.some((flow) => flow.setup === setup));

const figures = ({ endpoints, flows }: UpstreamResult, setup: SetupName): string => {
	const rows = flows
		.filter((flow) => flow.setup === setup)
		.map(({ flow, sides }) => [
			flow,
			`${sides.published.cpu.median} µs`,
			...SIDES.filter((side) => side !== "published").map((side) => spread(sides[side].ratio)),
			`${sides.all.cpu.median} µs`,
		]);
	const head = ["Request", "As published", "keep-router", "keep-tables", "keep-options", "All three", "All three"];
	return `${SETUPS[setup].name}, ${endpoints[setup]} endpoints:\n\n${table(head, rows)}`;
};

const spread = ({ median, low, high }: Spread): string => `${median} (${low} to ${high})`;
