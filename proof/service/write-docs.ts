import { readFile, writeFile } from "node:fs/promises";
import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { AlertsResult } from "./alerts.ts";
import type { ConformanceResult } from "./conformance.ts";
import type { FailoverResult } from "./failover.ts";
import type { FaultsResult } from "./faults/run-faults.ts";
import { type ImageResult, showMemory } from "./image/run-image.ts";
import type { KubernetesResult } from "./kubernetes/run-kubernetes.ts";
import type { OtherProcessResult } from "./other-process.ts";
import type { ProxiesResult } from "./proxies.ts";
import type { RedisAtRandomResult } from "./redis-at-random.ts";
import type { RedisAwayResult } from "./redis-away.ts";
import type { RestoreResult } from "./restore.ts";
import { readResult } from "./results.ts";
import type { RollingResult } from "./rolling-restart.ts";
import type { StrangerResult } from "./stranger/run-stranger.ts";
import type { SuspensionResult } from "./suspension.ts";
import type { UpgradeResult } from "./upgrade.ts";
import type { VersionsResult } from "./versions.ts";

const DOCUMENT = new URL("../../docs/service.md", import.meta.url);
const COMMAND = "pnpm --filter server e2e";

const INTRODUCTION = `# Service tests

<!-- Written by \`${COMMAND} --record\` from proof/service/results. Do not edit. -->

Tests of [the service](../apps/server/README.md) under failures and restarts, with the figures of the last recorded runs. Each run starts
everything on free ports of one machine: PostgreSQL, PgBouncer, Redis, HAProxy, a mail server, an OpenID provider and the
processes of the service, with real password hashing. The times are from a small machine that runs all of it at once.
`;

const answers = (seen: Record<string, number>): string =>
	table(
		["Request and response", "Count"],
		Object.entries(seen)
			.sort(([a], [b]) => a.localeCompare(b))
			.map(([name, count]) => [name, showCount(count)]),
	);

const conformance = (run: Run<ConformanceResult> | null): string => `## The specification

The conformance suite of the plugin runs over HTTP through a load balancer with two processes and no sticky sessions. One of the two
uses PostgreSQL through PgBouncer in transaction mode. Statements about other options use processes with those options.

${verdict(run, `${COMMAND} --part conformance`)}
${run ? run.result.notObservable.map((line) => `\n- ${line}`).join("") : ""}
`;

const suspension = (run: Run<SuspensionResult> | null): string => `## Suspension of a tenant

The time from the response to [\`/tenant/suspend\`](lifecycle.md) until every kind of request of the tenant returns 403, with
Redis, a cookie cache of 300 s and JWTs. At the process that suspended the tenant, and at another one, which caches tenants for
${run?.result.cacheMaxAgeSeconds ?? 5} s (\`TENANT_CACHE_MAX_AGE\`). Then the tenant is restored with \`endSessions\`, and the old sessions are tried
at both. Another tenant keeps working.

${verdict(run, `${COMMAND} --part suspension`)}

${
	run
		? table(
				["Request", "Same process: maximum, ms", "Other process: median, ms", "Other process: maximum, ms"],
				Object.entries(run.result.refusedAfterMs).map(([what, { here, there }]) => [
					what,
					here.most,
					there.median,
					there.most,
				]),
			)
		: ""
}
`;

const otherProcess = (run: Run<OtherProcessResult> | null): string => `## Changes seen by another process

The time from one process's response until the other process applies the change. Tenants and OAuth configs are cached for
${run?.result.cacheMaxAgeSeconds ?? 5} s (\`TENANT_CACHE_MAX_AGE\`), which is the upper bound. With 0, changes apply immediately at the cost of one more statement.

${verdict(run, `${COMMAND} --part other-process`)}

${
	run
		? table(
				["Change", "Median, ms", "Maximum, ms"],
				Object.entries(run.result.inForceAfterMs).map(([what, { median, most }]) => [what, median, most]),
			)
		: ""
}
`;

const rolling = (run: Run<RollingResult> | null): string => `## Rolling restart

Both processes are stopped with SIGTERM and restarted in turn while users sign up, in and out. No request may fail, so clients
never need to retry.

${verdict(run, `${COMMAND} --part rolling-restart`)}

${run ? answers(run.result.answers) : ""}
`;

const upgrade = (run: Run<UpgradeResult> | null): string => `## Upgrade

Two processes serve while users sign up, in and out, and an operator creates and deletes tenants. The database is migrated for one
more plugin (\`PLUGINS=username\`) while a long transaction keeps the table \`user\` in use: the migration tries again, and sign-ins go on. Then
one process gets the new configuration, and the other is restarted with the old one. \`migrate --contract\` is refused until it has
the new configuration too. No request may fail. [Upgrades](upgrades.md) has the steps.

${verdict(run, `${COMMAND} --part upgrade`)}

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

The responses during the run. The slowest took ${run ? showCount(run.result.slowestAnswerMs) : "…"} ms.

${run ? answers(run.result.answers) : ""}
`;

const redisAway = (
	run: Run<RedisAwayResult> | null,
	random: Run<RedisAtRandomResult> | null,
): string => `## Without Redis

Users sign up, in and out and change their name at two processes, while Redis goes away and comes back. No request may fail, no session
that ended may be accepted afterwards, and no old name may be shown after 8 seconds. *Ended after* is the time from a sign-out at one
process until both refuse the session. The last row is a Redis that fails in one way after the other, chosen by a seed.

${verdict(withoutLines(run), `${COMMAND} --part redis-away`)}

${verdict(withoutLines(random), `${COMMAND} --part redis-at-random`)}

${
	run
		? table(
				[
					"What happens",
					"For, s",
					"Requests",
					"Failed",
					"Ended sessions",
					"Came back",
					"Ended after, p99, ms",
					"Response, p99, ms",
				],
				[...run.result.faults, ...(random ? [random.result.measured] : [])].map(
					({ what, seconds, requests, failed, ended, cameBack, endedAfter, took }) => [
						what,
						showCount(seconds),
						showCount(requests),
						failed,
						showCount(ended),
						cameBack,
						endedAfter.p99,
						took.p99,
					],
				),
			)
		: ""
}

${
	random
		? `At random: ${Object.entries(random.result.struck)
				.map(([name, count]) => `${showCount(count)} × ${name}`)
				.join(", ")}.`
		: ""
}
`;

/** For a run whose table says what its lines say. */
const withoutLines = <Result>(run: Run<Result> | null): Run<Result> | null => run && { ...run, lines: [] };

const versions = (run: Run<VersionsResult> | null): string => `## Versions side by side

Two processes of a build of an earlier commit serve, with the same configuration. The new version migrates, one process is replaced, and
both versions serve. Each uses what the other issued, in two tenants with the same emails. Then the upgrade is completed, rolled back,
completed again, and contracted. Users sign up, in and out all the time, and no request may fail.

${verdict(run, `${COMMAND} --part versions`)}

${
	run
		? `${table(
				["Issued by one version and used by the other", "Direction", "Requests", "Failed"],
				run.result.exchanges.map(({ what, direction, requests, failed }) => [what, direction, requests, failed]),
			)}

While the earlier version ran, \`migrate --contract\` was ${run.result.refused ? "refused" : "not refused"}.`
		: ""
}

${run ? answers(run.result.answers) : ""}
`;

const faults = (run: Run<FaultsResult> | null): string => `## Faults

What goes wrong around the service, each fault tried with its own database and process. *Failed* counts requests without a response or
with an error, also those that must be refused. *Lost* counts acknowledged changes, sessions and mails that are gone afterwards.

${verdict(run, `${COMMAND} --part faults`)}

${
	run
		? table(
				["Fault", "Outcome", "Requests", "Failed", "Lost", "Held"],
				run.result.faults.map(({ name, outcome, requests, failed, lost, held }) => [
					name,
					outcome,
					showCount(requests),
					failed,
					lost,
					held ? "yes" : "no",
				]),
			)
		: ""
}
`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const stranger = (run: Run<StrangerResult> | null): string => `## One hostile address

A stranger without an account sends every kind of request that stores something, from one address, in all tenants, with the longest
values that are accepted and with longer ones, as fast as the rate limits allow. Redis has ${run?.result.redisMegabytes ?? 64} MB and refuses writes above it.
Meanwhile users of all tenants sign in from other addresses. None of these sign-ins may fail.

${verdict(run, `${COMMAND} --part stranger`)}

${
	run
		? `${table(
				["Request", "Sent", "Accepted"],
				run.result.attacked.map(({ what, sent, accepted }) => [what, showCount(sent), showCount(accepted)]),
			)}

${table(
	["What grew", "Before", "After"],
	Object.entries(run.result.grown).map(([what, { before, after }]) => [what, megabytes(before), megabytes(after)]),
)}`
		: ""
}
`;

const restore = (run: Run<RestoreResult> | null): string => `## Backup and restore

The steps of [the runbook](runbooks/backup-and-restore.md). The database is dumped under load. After more sign-ups it is lost and
restored at a new server, while Redis keeps its data. Users and sessions from after the dump must be gone at both processes, those in
the dump must be valid, and new sign-ins must succeed. Then the same with a physical copy and \`tenants restored\`.

${verdict(run, `${COMMAND} --part restore`)}
`;

const proxies = (run: Run<ProxiesResult> | null): string => `## Reverse proxies

Each [sample](../apps/server/proxies) runs in front of two processes, over TLS. Only its addresses, ports and certificate files are
replaced. Caddy knows one health port for all processes, so on one machine it checks their public ports. Users sign in on a subdomain and on a custom domain. Callers forge \`X-Forwarded-*\` and the tenant header of a gateway. Then
both processes are restarted in turn under load. Finally, each defense is taken out of the sample, and the check for it must notice.

${verdict(run, `${COMMAND} --part proxies`)}

${
	run
		? table(
				["Proxy", "Checks", "Noticed when taken out", "Restarts", "Requests", "Failed requests"],
				run.result.proxies.map(({ name, version, checks, noticed, rolling }) => [
					`${name} ${version}`,
					checks.join(", "),
					noticed.join(", "),
					rolling.restarts,
					showCount(rolling.requests),
					rolling.failed,
				]),
			)
		: ""
}
`;

const alerts = (run: Run<AlertsResult> | null): string => `## Alerts

Prometheus and its blackbox exporter watch one process with [our configuration](../apps/server/observability), while users sign in and
request mails. Only times are shortened: targets are scraped every second, windows last 10 to 20 seconds, and alerts wait for at most 3
seconds. Each fault must fire the alerts that are for it, and no alert may fire without a reason. After each fault, all alerts must end.
\`AuthAbsent\`, \`AuthUnhandledErrors\` and \`AuthLogLinesDropped\` are tested by \`promtool\` only.

${verdict(run, `${COMMAND} --part alerts`)}

${
	run
		? table(
				["Fault", "Alerts for it", "All fired after, s", "Also fired meanwhile"],
				run.result.faults.map(({ what, expected, firedAfterSeconds, alsoFired }) => [
					what,
					expected.join(", "),
					firedAfterSeconds ?? "never",
					alsoFired.join(", "),
				]),
			)
		: ""
}
`;

const image = (run: Run<ImageResult> | null): string => `## The image

[The Dockerfile](../apps/server/Dockerfile) is built by buildah, on Debian from its own archive in place of the public image of Node. Then
the image's programs run with its root directory read-only, without capabilities, as its user and with 512 MiB: \`doctor\`,
\`migrate\`, \`serve\`, a sign-up, a sign-in, a page and the console. Native modules are in it for x64 and arm64, with glibc and musl;
only x64 with glibc was run. Its SBOM is \`/service/sbom.cdx.json\`.

${verdict(withoutLines(run), `${COMMAND} --part image`)}

${
	run
		? table(
				["What the image adds to its base", "Value"],
				[
					["Size", megabytes(run.result.bytes)],
					["Packages in the SBOM", showCount(run.result.packages)],
					["Bundled", showCount(run.result.bundled)],
					["Memory at most", run.result.peakMemory === null ? "not limited" : showMemory(run.result.peakMemory)],
					["Ready after", `${showCount(run.result.readyAfterMs)} ms`],
				],
			)
		: ""
}
`;

const kubernetes = (run: Run<KubernetesResult> | null): string => `## Kubernetes

The [chart](../apps/server/chart) is rendered with all of its options and installed in a cluster of one node: etcd, the API server,
controllers, scheduler, kubelet and kube-proxy of Kubernetes ${run?.result.version ?? "…"}, which is the version whose source Debian has, with containerd and
runc. The migration runs as a job with the image above. Two pods start. Inside each one, the user, the capabilities, the seccomp profile, the
root directory and the variables are read, and \`doctor\` runs. Through the service's address, a tenant and a user are created, and pages
and console opened. Then the secret changes under load, and the pods are replaced. The contract job runs, and both pods are evicted: the
disruption budget lets one go.

The cluster is older than what the chart is for (1.27), so the autoscaler and the disruption budget were applied in their earlier versions.
Without metrics, the autoscaler sets nothing. The network plugin enforces no network policies, and there was no ingress controller.

${verdict(withoutLines(run), `${COMMAND} --part kubernetes`)}

${
	run
		? table(
				["In the cluster", "Value"],
				[
					["Accepted by the API server", run.result.accepted.join(", ")],
					["Both pods ready after", `${showCount(run.result.readyAfterMs)} ms`],
					["Requests while the pods were replaced", showCount(run.result.requests)],
					["Of these, failed", run.result.failed],
					["Memory of a pod at most", `${Math.round(run.result.peakMemory / 1_048_576)} of 512 MiB`],
				],
			)
		: ""
}
`;

/** Composes docs/service.md from the recorded results. */
export const composeServiceDocs = async (): Promise<string> => {
	const sections = [
		conformance(await readResult("conformance")),
		faults(await readResult("faults")),
		proxies(await readResult("proxies")),
		alerts(await readResult("alerts")),
		otherProcess(await readResult("other-process")),
		suspension(await readResult("suspension")),
		rolling(await readResult("rolling-restart")),
		upgrade(await readResult("upgrade")),
		versions(await readResult("versions")),
		failover(
			"PostgreSQL failover",
			"A primary with a synchronous standby. The primary is killed and the standby promoted immediately, like a database manager does once it notices. The service has both addresses and finds the one that accepts writes. Afterwards, every acknowledged sign-up and sign-out is checked.",
			"postgres-failover",
			await readResult("postgres-failover"),
		),
		redisAway(await readResult("redis-away"), await readResult("redis-at-random")),
		stranger(await readResult("stranger")),
		image(await readResult("image")),
		kubernetes(await readResult("kubernetes")),
		restore(await readResult("restore")),
	];
	return `${[INTRODUCTION, ...sections]
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.trimEnd()}\n`;
};

export const writeServiceDocs = async (): Promise<void> => writeFile(DOCUMENT, await composeServiceDocs());

export const readServiceDocs = (): Promise<string> => readFile(DOCUMENT, "utf8");

if (import.meta.main) await writeServiceDocs();
