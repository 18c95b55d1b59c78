import type { Run } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { Plot } from "../plots/plot.ts";
import type { AlternativesResult } from "./run-alternatives.ts";

/** Memory by the number of tenants, memory beyond the cache, and speed by the number of tenants. */
export const alternativesPlots = ({ result }: Run<AlternativesResult>): Plot[] => [
	plotMemory(result),
	plotBound(result),
	plotSpeeds(result),
];

const megabytes = (bytes: number): number => bytes / 2 ** 20;
const mostOf = ({ contestants }: AlternativesResult): number =>
	Math.max(0, ...contestants.flatMap(({ bySize }) => bySize.map(({ tenants }) => tenants)));

const plotMemory = (result: AlternativesResult): Plot => ({
	name: "alternatives-memory",
	alt: `Heap used by up to ${showCount(mostOf(result))} tenants: ${result.contestants
		.map(({ title, bySize }) => `${title} ${megabytes(bySize.at(-1)?.heapBytes ?? 0).toFixed(1)} MB`)
		.join(", ")}`,
	spec: {
		title: {
			text: "Heap used by tenants",
			subtitle: "after garbage collection, minus the same process without tenants",
		},
		data: {
			values: result.contestants.flatMap(({ title, bySize }) =>
				[{ tenants: 0, heapBytes: 0 }, ...bySize].map(({ tenants, heapBytes }) => ({
					title,
					tenants,
					megabytes: megabytes(heapBytes),
				})),
			),
		},
		mark: "line",
		encoding: {
			x: { field: "tenants", type: "quantitative", title: "tenants", axis: { format: ",d" } },
			y: { field: "megabytes", type: "quantitative", title: "MB" },
			color: { field: "title", type: "nominal", sort: null },
			shape: { field: "title", type: "nominal", sort: null },
		},
	},
});

const plotBound = ({ bounded }: AlternativesResult): Plot => {
	const full = `the cache holds ${showCount(bounded.cacheSize)}`;
	return {
		name: "alternatives-bound",
		alt: `Heap used by tenants with tenantAuth(): it grows until the cache of ${showCount(bounded.cacheSize)} tenants is full, and by ${bounded.bytesPerFurtherTenant} bytes per tenant from ${showCount(bounded.settledAt)} on`,
		spec: {
			title: {
				text: "Heap used by tenants, tenantAuth()",
				subtitle: "after garbage collection, by number of tenants",
			},
			layer: [
				{
					data: {
						values: [{ tenants: 0, heapBytes: 0 }, ...bounded.samples].map(({ tenants, heapBytes }) => ({
							tenants,
							megabytes: megabytes(heapBytes),
						})),
					},
					mark: "line",
					encoding: {
						x: { field: "tenants", type: "quantitative", title: "tenants seen", axis: { format: ",d" } },
						y: { field: "megabytes", type: "quantitative", title: "MB", scale: { zero: true } },
					},
				},
				{
					data: { values: [{ tenants: bounded.cacheSize, full }] },
					encoding: { x: { field: "tenants", type: "quantitative" } },
					layer: [
						{ mark: { type: "rule", style: "goal" } },
						{ mark: { type: "text", style: "goal-label" }, encoding: { text: { field: "full" }, y: { value: 0 } } },
					],
				},
			],
		},
	};
};

const KINDS = { "get-session": "session checks", "sign-in": "sign-ins, cheap hash" } as const;

const plotSpeeds = (result: AlternativesResult): Plot => {
	const sizes = [...new Set(result.contestants.flatMap(({ bySize }) => bySize.map(({ tenants }) => tenants)))];
	return {
		name: "alternatives-speed",
		alt: `Session checks and sign-ins per second by the number of tenants, up to ${showCount(mostOf(result))}, for ${result.contestants.map(({ title }) => title).join(", ")}`,
		spec: {
			title: { text: "Requests per second, spread over all tenants", subtitle: "one process; more is better" },
			data: {
				values: result.contestants.flatMap(({ title, bySize }) =>
					bySize.flatMap(({ tenants, speeds }) =>
						(["get-session", "sign-in"] as const).map((kind) => ({
							title,
							tenants,
							kind: KINDS[kind],
							perSecond: speeds[kind].perSecond.median,
						})),
					),
				),
			},
			facet: { column: { field: "kind", type: "nominal", title: null, sort: null } },
			spec: {
				width: 260,
				height: 220,
				mark: "line",
				encoding: {
					x: {
						field: "tenants",
						type: "quantitative",
						title: "tenants",
						scale: { type: "log" },
						axis: { values: sizes, format: ",d" },
					},
					y: { field: "perSecond", type: "quantitative", title: "requests a second", scale: { zero: true } },
					color: { field: "title", type: "nominal", sort: null },
					shape: { field: "title", type: "nominal", sort: null },
				},
			},
		},
	};
};
