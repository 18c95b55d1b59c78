import { table } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";

type Endpoint = {
	method: string;
	path: string;
	kind: string;
	own: number[];
	foreign: number[];
	noTenant: number[];
	conflicting: number[];
	reads: string[];
	writes: string[];
};

/** The result of calling all endpoints, one file per database. */
export type SurfaceResult = {
	database: string;
	versions: Record<string, string>;
	endpoints: Endpoint[];
	calls: number;
	leaks: number;
	durationMs: number;
};

const sweep = ({ database, calls, endpoints, leaks, durationMs }: SurfaceResult): (string | number)[] => [
	database,
	endpoints.length,
	showCount(calls),
	leaks,
	`${Math.round(durationMs / 1000)} s`,
];

const statuses = (seen: number[]): string => seen.join(", ");

export const writeSurface = (sweeps: (SurfaceResult | null)[]): string => {
	const done = sweeps.filter((one) => one !== null);
	const [first] = done;
	return `## The surface

The endpoints are read from a running Better Auth with every official plugin that starts here, not from a list: an endpoint
without a row fails the run. Each is called in its own tenant, with the ids, tokens, keys and addresses of another tenant, without a
tenant, and with a session and a hint that conflict. No row of another tenant may change, and no response may contain its
data.

${
	first
		? `${table(["database", "endpoints", "calls", "leaks", "time"], done.map(sweep))}

${Object.entries(first.versions)
	.map(([name, version]) => `${name} ${version}`)
	.join(", ")}. Written by \`SURFACE_RESULT=proof/isolation/results/surface pnpm surface\`.

<details><summary>The ${first.endpoints.length} endpoints: statuses by tenant, and tables read and written for users of the own tenant</summary>

${table(
	["endpoint", "kind", "own", "foreign", "none", "conflicting", "reads", "writes"],
	first.endpoints.map((one) => [
		`${one.method} \`${one.path}\``,
		one.kind,
		statuses(one.own),
		statuses(one.foreign),
		statuses(one.noTenant),
		statuses(one.conflicting),
		one.reads.join(", "),
		one.writes.join(", "),
	]),
)}

</details>
`
		: "Not recorded yet: `SURFACE_RESULT=proof/isolation/results/surface pnpm surface`.\n"
}`;
};
