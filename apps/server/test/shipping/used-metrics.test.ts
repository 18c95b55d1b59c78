import { readFileSync } from "node:fs";
import { startSmtp } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../support/world.ts";
import { dashboardQueries, readDashboard, readRules } from "./support/observability.ts";
import { labelValuesIn, metricsIn } from "./support/promql.ts";

const rules = readRules();
const recorded = rules.flatMap(({ record = [] }) => record);
const documented = [
	...readFileSync(new URL("../../../../docs/slo.md", import.meta.url), "utf8").matchAll(/```promql\n([\s\S]*?)```/g),
].map(([, query = ""]) => query);
const queries = [
	...rules.map(({ expr }) => expr),
	...dashboardQueries(readDashboard()).map(({ query }) => query),
	...documented,
];
/** of Prometheus itself and the blackbox exporter */
const ELSEWHERE = ["up", "probe_success"];

let world: World;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
/** The help texts of all metrics of a running server, with Redis and mail, by the names that queries use. */
const help = new Map<string, string>();
beforeAll(async () => {
	smtp = await startSmtp();
	world = await createWorld({
		environment: {
			SMTP_URL: smtp.url,
			MAIL_FROM: "auth@example.com",
			REDIS_URL: process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379",
			REDIS_KEY_PREFIX: `used-metrics-${process.pid}:`,
		},
		adjust: (config) => ({ ...config, observe: { ...config.observe, metrics: { host: "127.0.0.1", port: 0 } } }),
	});
	const { metricsPort } = await world.start();
	const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
	const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind = ""]) => [name, kind]));
	for (const [, name = "", about = ""] of text.matchAll(/^# HELP (\S+) (.*)$/gm))
		for (const suffix of kinds.get(name) === "histogram" ? ["_bucket", "_count", "_sum"] : [""])
			help.set(`${name}${suffix}`, about);
});
afterAll(async () => {
	await world?.close();
	await smtp?.close();
});

const unknownIn = (query: string): string[] =>
	metricsIn(query).filter((name) => !help.has(name) && ![...ELSEWHERE, ...recorded].includes(name));

it("reads only metrics that a running server has", () => {
	expect(queries.length).toBeGreaterThan(60);
	expect(queries.flatMap(unknownIn)).toEqual([]);
	// what this test would say of a name that does not exist
	expect(
		unknownIn('sum(rate(http_requests_total{status="5xx"}[5m])) / sum(rate(requests_of_nobody_total[5m]))'),
	).toEqual(["requests_of_nobody_total"]);
	expect(() => metricsIn("sum(rate(up[5m])")).toThrow("Not PromQL");
});

it("compares labels only with values that exist", () => {
	const unknown = queries
		.flatMap(labelValuesIn)
		.filter(({ label }) => ["reason", "outcome", "kind", "state", "result"].includes(label))
		.flatMap(({ metric, label, values }) =>
			// the help text of a metric names all values of such labels
			values.filter((value) => !new RegExp(`\\b${value}\\b`).test(help.get(metric) ?? "")).map((v) => `${label}=${v}`),
		);
	expect(unknown).toEqual([]);
	expect(queries.flatMap(labelValuesIn).filter(({ label }) => label === "reason").length).toBeGreaterThan(10);
});

it("has a dashboard whose panels do not overlap, in rows for every part", () => {
	const { panels } = readDashboard();
	expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
	const cells = new Set<string>();
	for (const { gridPos, title } of panels) {
		expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
		for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
			for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
				expect(cells.has(`${x},${y}`), `${title} covers another panel`).toBe(false);
				cells.add(`${x},${y}`);
			}
	}
	expect(panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
		...["Objectives", "Traffic", "Errors", "Latency", "Tenants", "Mail", "Redis", "PostgreSQL pool", "Hashing"],
		"Event loop",
	]);
});
