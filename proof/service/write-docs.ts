import { readFile, writeFile } from "node:fs/promises";
import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { ConformanceResult } from "./conformance.ts";
import type { FailoverResult } from "./failover.ts";
import type { OtherProcessResult } from "./other-process.ts";
import { readResult } from "./results.ts";
import type { RollingResult } from "./rolling-restart.ts";

const DOCUMENT = new URL("../../docs/service.md", import.meta.url);
const COMMAND = "pnpm --filter server e2e";

const INTRODUCTION = `# The service, tried

<!-- Written by \`${COMMAND} --record\` from proof/service/results. Do not edit. -->

What [the service](../apps/server/README.md) was put through, with the figures of the last recorded runs. Everything is started from
nothing, on free ports of one machine: PostgreSQL, PgBouncer, Redis, HAProxy, a mail server, an OpenID provider and the
processes of the service, with real password hashing. Times are of a small machine that runs all of it at once.
`;

const answers = (seen: Record<string, number>): string =>
	table(
		["Asked and answered", "Times"],
		Object.entries(seen)
			.sort(([a], [b]) => a.localeCompare(b))
			.map(([name, count]) => [name, showCount(count)]),
	);

const conformance = (run: Run<ConformanceResult> | null): string => `## The specification

The conformance suite of the plugin, over HTTP, through a balancer with two processes and no stickiness; one of the two reaches
PostgreSQL through PgBouncer in transaction mode. Statements about other options ask processes with those options.

${verdict(run, `${COMMAND} --part conformance`)}
${run ? run.result.notObservable.map((line) => `\n- ${line}`).join("") : ""}
`;

const otherProcess = (run: Run<OtherProcessResult> | null): string => `## What one process changes, at the other

From the answer of one process until the other acts by it. Tenants and OAuth configs are remembered for
${run?.result.cacheMaxAgeSeconds ?? 5} s (\`TENANT_CACHE_MAX_AGE\`), which is the bound; with 0 it is at once and costs a statement more.

${verdict(run, `${COMMAND} --part other-process`)}

${
	run
		? table(
				["What", "Median, ms", "Most, ms"],
				Object.entries(run.result.inForceAfterMs).map(([what, { median, most }]) => [what, median, most]),
			)
		: ""
}
`;

const rolling = (run: Run<RollingResult> | null): string => `## Rolling restart

Both processes are told to end (SIGTERM) and started again, in turn, while people sign up, in and out. Nothing may fail, so that no
client has to try again.

${verdict(run, `${COMMAND} --part rolling-restart`)}

${run ? answers(run.result.answers) : ""}
`;

const failover = (title: string, text: string, part: string, run: Run<FailoverResult> | null): string => `## ${title}

${text}

${verdict(run, `${COMMAND} --part ${part}`)}

${
	run
		? table(
				[
					"Failover",
					"Replaced after, ms",
					"First success after, ms",
					"All succeed after, ms",
					"Writes succeed after, ms",
				],
				run.result.rounds.map((round, index) => [
					index + 1,
					round.promotedAfterMs,
					round.firstSuccessAfterMs,
					round.allAfterMs,
					round.writesAfterMs,
				]),
			)
		: ""
}

What was answered meanwhile; the slowest answer took ${run ? showCount(run.result.slowestAnswerMs) : "…"} ms.

${run ? answers(run.result.answers) : ""}
`;

/** What docs/service.md has to say by the results that are kept. */
export const composeServiceDocs = async (): Promise<string> => {
	const sections = [
		conformance(await readResult("conformance")),
		otherProcess(await readResult("other-process")),
		rolling(await readResult("rolling-restart")),
		failover(
			"PostgreSQL fails over",
			"A primary with a synchronous standby. The primary is killed and the standby promoted, at once, as whatever manages the database would do after it noticed; the service is told both addresses and finds the one that takes writes. Every acknowledged sign-up and sign-out is looked for afterwards.",
			"postgres-failover",
			await readResult("postgres-failover"),
		),
		failover(
			"Redis fails over",
			"One Redis with two replicas and three Sentinels that notice after two seconds (`down-after-milliseconds 2000`: with 500, a new master on a busy machine was given up before it had answered once, and the second failover left the set without a replica); `REDIS_WAIT_REPLICAS=1`, so that a write counts once a replica has it, and is refused (503) while none follows the new master. The Redis that takes writes is killed. Sessions lie in PostgreSQL too.",
			"redis-failover",
			await readResult("redis-failover"),
		),
	];
	return `${[INTRODUCTION, ...sections]
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.trimEnd()}\n`;
};

export const writeServiceDocs = async (): Promise<void> => writeFile(DOCUMENT, await composeServiceDocs());

export const readServiceDocs = (): Promise<string> => readFile(DOCUMENT, "utf8");

if (import.meta.main) await writeServiceDocs();
