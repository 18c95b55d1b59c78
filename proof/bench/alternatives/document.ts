import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { alternativesPlots } from "./plot.ts";
import type { AtSize } from "./race.ts";
import type { AlternativesResult } from "./run-alternatives.ts";

const COMMAND = "pnpm bench --part alternatives";

export const documentAlternatives = (run: Run<AlternativesResult> | null): string => `## Compared with alternatives

There are two alternatives: one Better Auth instance per tenant, created on its first request, or one instance with
better-auth-multi-tenant. Each contestant ran in a separate process on the same PostgreSQL, and they took turns: first one sign-in
per tenant, then the same load spread evenly over all tenants so far.

They do not guarantee the same. The instances of the second row have their own secrets and URLs but share one set of tables. That is
the cheapest form and does not separate users. With separate tables, each tenant adds a migration (below). The package
finds tenants by host, looks the tenant up on each request as its manual describes, and binds sessions to tenants, but all
tenants share users, passwords and providers. Only tenantAuth() has separate users per tenant for the same email.
${run ? figures(run) : ""}
${verdict(run, COMMAND)}
`;

const figures = (run: Run<AlternativesResult>): string => {
	const { contestants, load, limits, newTenants, bounded } = run.result;
	const [memory = "", bound = "", speed = ""] = alternativesPlots(run).map((plot) => picture(plot));
	const sizes = [...new Set(contestants.flatMap(({ bySize }) => bySize.map(({ tenants }) => tenants)))];
	const most = Math.max(0, ...sizes);
	const rows = sizes.flatMap((size) =>
		contestants.flatMap(({ title, bySize }) =>
			bySize.filter(({ tenants }) => tenants === size).map((at) => ({ title, at })),
		),
	);
	const stopped = contestants.flatMap((one) => (one.stopped ? [`- ${one.title}: ${one.stopped}`] : []));
	return `
### Memory and the first request

The memory of tenants is the heap after garbage collection, minus the heap of the same process before its first tenant. The
memory of the whole process is listed too. A contestant is stopped at ${limits.heapBytes / 2 ** 30} GB of heap, or when its first sign-ins have
taken ${limits.seconds} s.

${table(
	[
		"Tenants",
		"Way",
		"Heap, MB",
		"Per tenant, kB",
		"Process, MB",
		"First sign-in, ms",
		"Next sign-in, ms",
		"All tenants after, s",
	],
	rows.map(({ title, at }) => [
		showCount(at.tenants),
		title,
		(at.heapBytes / 2 ** 20).toFixed(1),
		perTenant(at),
		Math.round(at.rssBytes / 2 ** 20),
		at.firstMs.median,
		at.againMs.median,
		at.allSeconds,
	]),
)}
${stopped.length > 0 ? `\n${stopped.join("\n")}\n` : ""}
${memory}

tenantAuth() caches at most ${showCount(bounded.cacheSize)} tenants (\`tenantCache.maxSize\`). One process served ${showCount(bounded.samples.at(-1)?.tenants ?? 0)}:
from ${showCount(bounded.settledAt)} on, its heap grows by ${bounded.bytesPerFurtherTenant} bytes per tenant. If there is a step before that, V8 doubled the table of
a cache once, after added and removed keys had filled it.

${bound}

A new tenant is one row: \`POST /tenant/create\` took ${newTenants.rowMs.median} ms (median of ${newTenants.made}). A schema with the
${newTenants.tablesPerSchema} tables of a separate instance took ${newTenants.schemaMs.median} ms, measured in turn.
For ${showCount(most)} tenants that is ${showMinutes(newTenants.schemaMs.median * most)} (calculated, not measured), and again for each later schema change.

### Throughput

Each contestant got ${showCount(load.requests)} requests in each of ${load.rounds} rounds, ${load.parallel} at a time. Ratios are per round, with quartiles.
If a tenant's next request comes after \`tenantCache.maxAge\`, tenantAuth() looks it up again with one more
statement.

${table(
	["Tenants", "Way", "Session checks per second", "relative to ours", "Sign-ins per second", "relative to ours"],
	rows.map(({ title, at: { tenants, speeds } }) => [
		showCount(tenants),
		title,
		speeds["get-session"].perSecond.median,
		ratio(speeds["get-session"].overOurs),
		speeds["sign-in"].perSecond.median,
		ratio(speeds["sign-in"].overOurs),
	]),
)}

${speed}
`;
};

/** The heap of an idle process varies by this much between collections. */
const NOISE = 2 ** 19;

const perTenant = ({ heapBytes, heapBytesPerTenant }: AtSize): string =>
	Math.abs(heapBytes) < NOISE ? "too small to measure" : (heapBytesPerTenant / 1024).toFixed(1);

const showMinutes = (ms: number): string =>
	ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

const ratio = ({ median, low, high }: Spread): string => `${median} (${low} to ${high})`;
