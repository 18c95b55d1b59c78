import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import type { Outcome } from "test-kit/results/outcome";
import { freePort } from "test-kit/servers/free-port";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { startSmtp } from "test-kit/servers/smtp";
import { runCommand, startService } from "test-kit/service/service";
import { FAULTS, type Fault, OF_LOAD, type World } from "./alerts/faults.ts";
import { openGate } from "./alerts/gate.ts";
import { type Prometheus, startPrometheus } from "./alerts/prometheus.ts";
import { startTraffic } from "./alerts/traffic.ts";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

type Seen = { what: string; expected: string[]; firedAfterSeconds: number | null; alsoFired: string[] };

export type AlertsResult = {
	faults: Seen[];
	/** the dashboard's queries, and how many returned data at the end */
	queries: number;
	queriesWithData: number;
};

const PUBLIC_URL = "https://auth.example.com";
/** Seconds in which nothing may fire. Longer than every shortened window */
const CALM_SECONDS = 25;
/** Seconds after which a fault was not noticed, or an alert does not end. Nothing is judged by the time below */
const GIVE_UP_SECONDS = 180;

/** A real Prometheus watches the service while faults are made. The alerts for each must fire, and end afterwards. */
export const runAlerts = async ({ full, log }: RunOptions): Promise<Outcome<AlertsResult>> => {
	const closers: (() => Promise<unknown>)[] = [];
	const opened = <Part extends { close: () => Promise<unknown> }>(part: Part): Part => {
		closers.push(part.close);
		return part;
	};
	try {
		const postgres = opened(await startPostgres());
		const redis = opened(await startRedis({ persistent: true }));
		const smtp = opened(await startSmtp());
		const mailPort = await freePort();
		const mail = opened(await openGate(smtp.port, mailPort));
		const metricsPort = await freePort();
		const environment = {
			AUTH_URL: PUBLIC_URL,
			AUTH_SECRET: randomBytes(32).toString("base64"),
			MANAGEMENT_KEYS: MANAGEMENT_KEY,
			DATABASE_URL: postgres.url,
			DATABASE_POOL_SIZE: "4",
			REDIS_URL: redis.url,
			SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
			MAIL_FROM: "auth@example.com",
			REQUIRE_EMAIL_VERIFICATION: "false",
			TRUSTED_PROXIES: "127.0.0.1",
			METRICS_PORT: String(metricsPort),
			USER_RATE_LIMIT_MAX: "0",
			TENANT_REQUESTS_AT_ONCE: "20",
			LOG_LEVEL: "warn",
			NODE_ENV: "production",
		};
		await runCommand({ main: SERVICE_MAIN, environment }, "migrate");
		const service = await startService({ main: SERVICE_MAIN, environment });
		closers.push(() => service.stop("SIGKILL"));
		const prometheus = opened(await startPrometheus(metricsPort));
		const traffic = await startTraffic(service.origin, PUBLIC_URL);
		closers.push(traffic.stop);
		return await watch({ postgres, redis, mail, service, traffic }, prometheus, { full, log });
	} finally {
		for (const close of closers.reverse()) await close();
	}
};

const watch = async (
	world: World,
	prometheus: Prometheus,
	{ full, log }: RunOptions,
): Promise<Outcome<AlertsResult>> => {
	const wrong: string[] = [];
	if (!(await untilCalm(prometheus, CALM_SECONDS))) wrong.push("an alert fires without a fault");
	const seen: Seen[] = [];
	for (const fault of FAULTS.filter(({ isSlow }) => full || !isSlow)) {
		const end = await fault.cause(world);
		const one = await untilFired(prometheus, fault);
		await end();
		seen.push(one);
		log(`${one.what}: ${one.expected.join(", ")} after ${one.firedAfterSeconds} s; also ${one.alsoFired.join(", ")}`);
		if (one.firedAfterSeconds === null) wrong.push(`${one.what}: not all of ${one.expected.join(", ")} fired`);
		const strange = one.alsoFired.filter((name) => ![...fault.mayAlsoCause, ...OF_LOAD].includes(name));
		if (strange.length > 0) wrong.push(`${one.what}: ${strange.join(", ")} fired, which is not for it`);
		if (!(await untilCalm(prometheus, 1, fault.expected))) wrong.push(`${one.what}: an alert did not end`);
	}
	const queries = await dashboardQueries();
	const counts = await Promise.all(queries.map(prometheus.count));
	const queriesWithData = counts.filter((count) => count > 0).length;
	return {
		result: { faults: seen, queries: queries.length, queriesWithData },
		wrong,
		lines: [
			`${seen.length} faults, each noticed by the alerts that are for it`,
			`${queriesWithData} of the dashboard's ${queries.length} queries returned data`,
		],
	};
};

/** Waits until no alert has fired for some seconds, except for those of a busy machine that were not expected. */
const untilCalm = async ({ firing }: Prometheus, seconds: number, expected: string[] = []): Promise<boolean> => {
	const counts = (name: string): boolean => expected.includes(name) || !OF_LOAD.includes(name);
	const deadline = Date.now() + GIVE_UP_SECONDS * 1000;
	for (let calm = 0; calm < seconds; ) {
		if (Date.now() > deadline) return false;
		await wait(1000);
		calm = (await firing()).some(counts) ? 0 : calm + 1;
	}
	return true;
};

const untilFired = async ({ firing }: Prometheus, { what, expected }: Fault): Promise<Seen> => {
	const began = performance.now();
	const fired = new Set<string>();
	const passed = (): number => Math.round((performance.now() - began) / 1000);
	while (passed() < GIVE_UP_SECONDS && !expected.every((name) => fired.has(name))) {
		await wait(500);
		for (const name of await firing()) fired.add(name);
	}
	const all = expected.every((name) => fired.has(name));
	const alsoFired = [...fired].filter((name) => !expected.includes(name)).sort();
	return { what, expected, firedAfterSeconds: all ? passed() : null, alsoFired };
};

type Dashboard = { panels: { targets?: { expr: string }[] }[] };

const dashboardQueries = async (): Promise<string[]> => {
	const file = new URL("../../apps/server/observability/dashboard.json", import.meta.url);
	const { panels } = JSON.parse(await readFile(file, "utf8")) as Dashboard;
	return panels
		.flatMap(({ targets = [] }) => targets)
		.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*"));
};
