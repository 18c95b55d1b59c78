import { runAlerts } from "./alerts.ts";
import { runConformance } from "./conformance.ts";
import { runCosts } from "./costs.ts";
import { runFaults } from "./faults/run-faults.ts";
import { runImage } from "./image/run-image.ts";
import { runKubernetes } from "./kubernetes/run-kubernetes.ts";
import { runOtherProcess } from "./other-process.ts";
import type { Part } from "./part.ts";
import { runPostgresFailover } from "./postgres-failover.ts";
import { runProxies } from "./proxies.ts";
import { runRedisAtRandom } from "./redis-at-random.ts";
import { runRedisAway } from "./redis-away.ts";
import { runRestore } from "./restore.ts";
import { runRollingRestart } from "./rolling-restart.ts";
import { runStranger } from "./stranger/run-stranger.ts";
import { runSuspension } from "./suspension.ts";
import { runTranscript } from "./transcript.ts";
import { runUpgrade } from "./upgrade.ts";
import { runVersions } from "./versions.ts";

/** What the service is put through, in the order in which it makes sense to read. */
export const PARTS: Part[] = [
	{ name: "transcript", sentence: "the first run of the README, word for word", run: runTranscript },
	{ name: "conformance", sentence: "the specification, through a balancer with two processes", run: runConformance },
	{ name: "other-process", sentence: "what one process changes, at the other", run: runOtherProcess },
	{ name: "suspension", sentence: "a tenant suspended at one process, and its requests at both", run: runSuspension },
	{ name: "rolling-restart", sentence: "both processes restarted in turn under load", run: runRollingRestart },
	{ name: "upgrade", sentence: "both processes upgraded in turn under load", run: runUpgrade },
	{
		name: "versions",
		sentence: "a build of an earlier commit beside this one, upgraded and rolled back under load",
		atNight: true,
		run: runVersions,
	},
	{
		name: "proxies",
		sentence: "the samples of nginx, HAProxy and Caddy before two processes",
		atNight: true,
		run: runProxies,
	},
	{
		name: "postgres-failover",
		sentence: "the primary killed under load, its standby promoted",
		run: runPostgresFailover,
	},
	{
		name: "redis-away",
		sentence: "Redis stopped, hanging, emptied, full, cut off and failing over under load",
		run: runRedisAway,
	},
	{
		name: "redis-at-random",
		sentence: "Redis failing in one way after the other, for two hours in full",
		atNight: true,
		run: runRedisAtRandom,
	},
	{
		name: "faults",
		sentence: "what goes wrong around the service, one fault after the other",
		atNight: true,
		run: runFaults,
	},
	{
		name: "stranger",
		sentence: "one address that stores whatever it may, beside sign-ins of all tenants and a small Redis",
		atNight: true,
		run: runStranger,
	},
	{ name: "image", sentence: "the image of the Dockerfile, built, started and used", atNight: true, run: runImage },
	{
		name: "kubernetes",
		sentence: "the chart in a cluster of one node, its secret changed under load",
		atNight: true,
		run: runKubernetes,
	},
	{ name: "restore", sentence: "a dump under load, the database lost and restored", atNight: true, run: runRestore },
	{ name: "alerts", sentence: "faults that Prometheus has to notice", atNight: true, run: runAlerts },
	{ name: "costs", sentence: "sign-ins, session checks, rows and indexes", atNight: true, run: runCosts },
];
