import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { MOST_HEALTH_MS, MOST_RATIO, showOutcomes } from "./judge.ts";
import { neighborsPlots } from "./plot.ts";
import type { NeighborsResult } from "./result.ts";
import type { Variant } from "./variants.ts";

/** How a tenant with high load affects the others. */
export const documentNeighbors = (run: Run<NeighborsResult> | null): string => `## Neighbors

Does a tenant with high load slow down the others? ${run ? describe(run.result) : ""}
The goal is that the p99 of the other tenants is at most ${MOST_RATIO} times their p99 when all tenants send the same load.
${
	run
		? `
${neighborsPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

${conditions(run.result)}

The last columns explain the times: the delay of the server's event loop, the number of statements that waited for a database
connection, and the processor usage of the whole machine, which includes the load generator and the database. At ten times the load
of all others, one tenant asks for more than the machine can do. Without \`limitConcurrency\` all its requests wait in the one event loop of the process,
and those of the others wait between them. With it, a few of its requests run, the others wait outside, and those over the limit get
503 ([decision 28](decisions/0028-a-few-requests-of-a-tenant-run.md)). The service does this by default (\`TENANT_REQUESTS_RUNNING\`).

### ${showCount(run.result.parallel)} sign-ins at once

One tenant sends them while the others continue and an empty health route is called ${run.result.probesPerSecond} times a second. Requests over capacity must get
503 or 429, the health route must always respond within ${MOST_HEALTH_MS} ms, and requests of other tenants must not fail.

${bursts(run.result)}

Node accepts one new connection per port and event-loop turn, so a connection behind a thousand others waits for all of them. A separate port has
its own queue: the server also serves \`/livez\` and \`/readyz\` there (\`METRICS_PORT\`).

### Limits

One tenant signs in more often than the application allows (${run.result.limits.max} times in ${run.result.limits.window} s). Then a second tenant signs in as
often as allowed. Better Auth's limit counts by address and path, so tenants behind one address share it. \`limits.perTenant\` counts by tenant.

${limits(run.result)}
`
		: ""
}
${verdict(run, "pnpm bench --part neighbors")}`;

const describe = ({ tenants, rates, rounds, seconds, poolSize }: NeighborsResult): string =>
	`One process serves ${tenants} tenants with ${poolSize} connections to PostgreSQL, real scrypt (a single sign-in takes ${rates.signInMs} ms) and no
rate limit. Each tenant sends ${rates.each.signIn} sign-ins and ${rates.each.session} session checks per second on a fixed schedule, without waiting for
responses, so that waiting counts. The tenant with high load sends from a separate process. There are ${rounds} rounds with each condition for ${seconds} s.`;

const ratio = (whole: number, { low, high }: Spread): string => `${whole} (rounds: ${low} to ${high})`;

const conditions = ({ variants }: NeighborsResult): string =>
	table(
		[
			"setup",
			"Load",
			"other tenants' sign-ins: median, p99 (ms)",
			"over idle",
			"other tenants' session checks: median, p99 (ms)",
			"over idle",
			"responses to the loud tenant's sign-ins",
			"event loop delay, p99 (ms)",
			"waiting for a connection",
			"processor usage",
		],
		variants.flatMap((variant) =>
			variant.conditions.map(({ name, signIn, session, noise, server, machineBusy }) => [
				setUp(variant),
				name,
				`${signIn.medianMs}, ${signIn.p99Ms} (${showCount(signIn.count)})`,
				ratio(signIn.p99Ratio, signIn.p99RatioByRound),
				`${session.medianMs}, ${session.p99Ms} (${showCount(session.count)})`,
				ratio(session.p99Ratio, session.p99RatioByRound),
				showOutcomes(noise.signIn.outcomes),
				server.loopDelayMs.p99,
				server.waitingForConnection,
				`${Math.round(machineBusy * 100)} %`,
			]),
		),
	);

const setUp = ({ name, atOnce }: Variant): string => `${name} (${atOnce} concurrent hashes)`;

const bursts = ({ variants }: NeighborsResult): string =>
	table(
		[
			"setup",
			"responses",
			"until the last response (s)",
			"health: p99, most (ms)",
			"on new connections",
			"on a separate port",
			"others' sign-ins: p99 (ms), failed",
			"others' session checks: p99 (ms), failed",
			"longest event loop stall (ms)",
		],
		variants.flatMap((variant) =>
			variant.bursts.map(({ outcomes, seconds, health, loopStoppedMs, signIn, session }) => [
				setUp(variant),
				showOutcomes(outcomes),
				seconds,
				`${health.kept.p99Ms}, ${health.kept.mostMs} (${health.kept.count} times)`,
				`${health.anew.p99Ms}, ${health.anew.mostMs}`, // cspell:ignore anew
				`${health.apart.p99Ms}, ${health.apart.mostMs}`,
				`${signIn.p99Ms}, ${signIn.wrong} of ${signIn.count}`,
				`${session.p99Ms}, ${session.wrong} of ${session.count}`,
				loopStoppedMs,
			]),
		),
	);

const limits = ({ limits: { cases } }: NeighborsResult): string =>
	table(
		["counted by", "addresses", "loud tenant: refused", "second tenant: refused"],
		cases.map(({ countedBy, addresses, loud, neighbour: neighbor }) => [
			// cspell:ignore neighbour
			countedBy,
			addresses,
			`${loud.refused} of ${loud.sent}`,
			`${neighbor.refused} of ${neighbor.sent}`,
		]),
	);
