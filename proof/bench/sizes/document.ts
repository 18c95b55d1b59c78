import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import type { Starts } from "./compare-starts.ts";
import { sizesPlots } from "./plot.ts";
import type { SizesResult } from "./run-sizes.ts";

const COMMAND = "pnpm bench --part sizes";

export const documentSizes = (run: Run<SizesResult> | null): string => `## Sizes and cold starts

What a browser downloads, what a server installs, and how much longer a process takes until its first response. A start on
Node imports the published package with SQLite. A start in workerd is a worker in one minified module with Better Auth's
memory adapter, started by Miniflare. Better Auth alone and with tenants started in turn.
${run ? figures(run) : ""}
${verdict(run, COMMAND)}
`;

const figures = (run: Run<SizesResult>): string => {
	const { rounds, sizes, node, workerd } = run.result;
	const { bare, ours } = workerd.bundles;
	return `
${table(
	["What", "Bytes", "Gzipped"],
	[
		[`client entry, at most ${showCount(sizes.client.limitBytes)} gzipped`, "", showCount(sizes.client.gzipBytes)],
		[
			`server entry with the ${sizes.server.files - 1} files of this package that it imports, not minified`,
			showCount(sizes.server.bytes),
			showCount(sizes.server.gzipBytes),
		],
		["worker with Better Auth alone, minified", showCount(bare.bytes), showCount(bare.gzipBytes)],
		["the same with tenantAuth()", showCount(ours.bytes), showCount(ours.gzipBytes)],
		[
			`package, ${sizes.tarball.files} files: installed, and its tarball`,
			showCount(sizes.tarball.unpackedBytes),
			showCount(sizes.tarball.bytes),
		],
		...sizes.dependencies.map(({ name, bytes, engineHasIt }) => [
			`dependency ${name}${engineHasIt ? ", which Better Auth also depends on" : ""}, installed`,
			showCount(bytes),
			"",
		]),
	],
)}

There were ${rounds} starts of each in turn. Times are medians in milliseconds with quartiles. An empty worker took
${workerd.ok.ms.empty.median} ms in workerd.

${table(
	["Cold start", "Better Auth alone", "With tenantAuth()", "Ratio", "Added, ms"],
	[
		row("Node, until everything is imported", node.imported),
		row("Node, until /ok responds", node.ok),
		row("Node, until the first sign-in", node.signIn),
		row("workerd, until /ok responds", workerd.ok),
	],
)}

${sizesPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}
`;
};

const row = (what: string, { ms, ratio, addedMs }: Starts<"bare" | "ours">): string[] => [
	what,
	spread(ms.bare),
	spread(ms.ours),
	spread(ratio),
	String(addedMs.median),
];

const spread = ({ median, low, high }: Spread): string => `${median} (${low} to ${high})`;
