import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { alternativesPlots } from "./plot.ts";
import type { AtSize } from "./race.ts";
import type { AlternativesResult } from "./run-alternatives.ts";

const COMMAND = "pnpm bench --part alternatives";

export const documentAlternatives = (
	run: Run<AlternativesResult> | null,
): string => `## Against what a team would do instead

Without tenants in the engine, a team makes one engine for each tenant when its first request comes, or puts
better-auth-multi-tenant into one engine. Each ran in a process of its own on the same PostgreSQL, and they took turns: first
one sign-in at tenant after tenant, then the same load spread evenly over all tenants seen so far.

They do not promise the same. The engines of the second row differ in secret and address but share one set of tables, which is
the cheapest form and keeps nobody's people apart; with tables of their own, each tenant is a migration more (below). The package
tells tenants by the host, looks the tenant up at each request as its manual has it, and binds sessions to tenants, but users,
passwords and providers are shared by all of them. Only tenantAuth() has one person a tenant for each e-mail.
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

What tenants take is counted on the heap after garbage collection, over the same process before its first tenant; beside it,
the memory of the whole process. A contestant is stopped at ${limits.heapBytes / 2 ** 30} GB of heap, or when its first sign-ins have
taken ${limits.seconds} s.

${table(
	["Tenants", "", "Heap, MB", "A tenant, kB", "Process, MB", "First sign-in, ms", "Next one, ms", "All seen after, s"],
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

tenantAuth() remembers at most ${showCount(bounded.cacheSize)} tenants (\`tenantCache.maxSize\`). One process saw ${showCount(bounded.samples.at(-1)?.tenants ?? 0)}:
from ${showCount(bounded.settledAt)} on, its heap grows by ${bounded.bytesPerFurtherTenant} bytes a tenant. The step before that, where there is one,
is the table of a cache that V8 makes twice as large, once, when keys that came and went have filled it.

${bound}

A new tenant is a row: \`POST /tenant/create\` took ${newTenants.rowMs.median} ms in the median of ${newTenants.made}. A schema with the
${newTenants.tablesPerSchema} tables of an engine of its own took ${newTenants.schemaMs.median} ms, in turn with the former;
for ${showCount(most)} tenants that makes ${showMinutes(newTenants.schemaMs.median * most)} (reckoned, not run), and again for each later change of the tables.

### Throughput

${showCount(load.requests)} requests of each in each of ${load.rounds} rounds, ${load.parallel} at a time; the ratio is of each round, and is given with its
quartiles. Spread over more tenants than come back within \`tenantCache.maxAge\`, tenantAuth() looks each of them up again: one
statement more.

${table(
	["Tenants", "", "Session checks a second", "over ours", "Sign-ins a second", "over ours"],
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

/** The heap of an idle process moves by this much from one collection to the next. */
const NOISE = 2 ** 19;

const perTenant = ({ heapBytes, heapBytesPerTenant }: AtSize): string =>
	Math.abs(heapBytes) < NOISE ? "below what can be told" : (heapBytesPerTenant / 1024).toFixed(1);

const showMinutes = (ms: number): string =>
	ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

const ratio = ({ median, low, high }: Spread): string => `${median} (${low} to ${high})`;
