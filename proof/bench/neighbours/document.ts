import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { picture } from "../plots/picture.ts";
import type { Spread } from "../stage/statistics.ts";
import { MOST_HEALTH_MS, MOST_RATIO, showOutcomes } from "./judge.ts";
import { neighboursPlots } from "./plot.ts";
import type { NeighboursResult } from "./result.ts";
import type { Variant } from "./variants.ts";

/** What the other tenants notice of a loud one. */
export const documentNeighbours = (run: Run<NeighboursResult> | null): string => `## Neighbours

One tenant sends more than the others: what do they notice? ${run ? describe(run.result) : ""}
The goal is that the others' p99 is at most ${MOST_RATIO} times the one they have when all tenants send alike.
${
	run
		? `
${neighboursPlots(run)
	.map((plot) => picture(plot))
	.join("\n\n")}

${conditions(run.result)}

The last columns say why: by how much the server's event loop was late, how many statements waited for a connection to the
database, and how much of the machine's processors was in use, by the load and the database too.

### ${showCount(run.result.parallel)} sign-ins at once

By one tenant, while the others go on and a route that does nothing is asked ${run.result.probesPerSecond} times a second. What there is no room for has to
be shed with 503 or 429, the route has to answer within ${MOST_HEALTH_MS} ms every time, and nobody else may fail.

${bursts(run.result)}

Node takes one new connection of a port in each turn of its loop, so whoever comes behind a thousand others waits until each of them has had a
turn. A port of its own has a line of its own: there the service answers \`/livez\` and \`/readyz\` as well (\`METRICS_PORT\`).

### Limits

One tenant signs in more often than the application allows (${run.result.limits.max} times in ${run.result.limits.window} s), then its neighbour as
often as he may. The engine's own limit counts by address and path, so neighbours behind one address share it; \`limits.perTenant\` counts by tenant.

${limits(run.result)}
`
		: ""
}
${verdict(run, "pnpm bench --part neighbours")}`;

const describe = ({ tenants, rates, rounds, seconds, poolSize }: NeighboursResult): string =>
	`${tenants} tenants are served by one process with ${poolSize} connections to PostgreSQL, real scrypt (a sign-in alone takes ${rates.signInMs} ms) and no
rate limit. Each sends ${rates.each.signIn} sign-ins and ${rates.each.session} session checks a second, by the clock and whether or not answers
come, so that waiting is counted; the loud one sends from a process of its own. ${rounds} rounds, each condition for ${seconds} s in each.`;

const ratio = (whole: number, { low, high }: Spread): string => `${whole} (rounds: ${low} to ${high})`;

const conditions = ({ variants }: NeighboursResult): string =>
	table(
		[
			"set up",
			"",
			"the others' sign-ins: median, p99 (ms)",
			"over idle",
			"their session checks: median, p99 (ms)",
			"over idle",
			"answers to the loud one's sign-ins",
			"event loop late, p99 (ms)",
			"waiting for a connection",
			"processors in use",
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

const setUp = ({ name, atOnce }: Variant): string => `${name} (${atOnce} hashes at once)`;

const bursts = ({ variants }: NeighboursResult): string =>
	table(
		[
			"set up",
			"answers",
			"until the last one (s)",
			"health: p99, most (ms)",
			"on new connections",
			"on a port of its own",
			"others' sign-ins: p99 (ms), failed",
			"others' session checks: p99 (ms), failed",
			"event loop stopped, at most (ms)",
		],
		variants.flatMap((variant) =>
			variant.bursts.map(({ outcomes, seconds, health, loopStoppedMs, signIn, session }) => [
				setUp(variant),
				showOutcomes(outcomes),
				seconds,
				`${health.kept.p99Ms}, ${health.kept.mostMs} (${health.kept.count} times)`,
				`${health.anew.p99Ms}, ${health.anew.mostMs}`,
				`${health.apart.p99Ms}, ${health.apart.mostMs}`,
				`${signIn.p99Ms}, ${signIn.wrong} of ${signIn.count}`,
				`${session.p99Ms}, ${session.wrong} of ${session.count}`,
				loopStoppedMs,
			]),
		),
	);

const limits = ({ limits: { cases } }: NeighboursResult): string =>
	table(
		["counted by", "addresses", "the loud tenant: refused", "its neighbour: refused"],
		cases.map(({ countedBy, addresses, loud, neighbour }) => [
			countedBy,
			addresses,
			`${loud.refused} of ${loud.sent}`,
			`${neighbour.refused} of ${neighbour.sent}`,
		]),
	);
