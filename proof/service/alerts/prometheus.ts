import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "test-kit/servers/child";
import { freePort } from "test-kit/servers/free-port";

const FOLDER = new URL("../../../apps/server/observability/", import.meta.url);
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/**
 * The rules with shorter times, so that a run takes minutes instead of days: windows of 10 to 20 seconds, and alerts that
 * fire after at most 3 seconds. Nothing else is changed.
 */
const shorten = (rules: string): string =>
	rules
		.replace(/\[(\d+)([smhd])\]/g, (_, count, unit) => `[${Math.min(20, Math.max(10, secondsOf(count, unit) / 30))}s]`)
		.replace(/^(\s+for: )(\d+)([smhd])$/gm, (_, name, count, unit) => `${name}${Math.min(3, secondsOf(count, unit))}s`);

const secondsOf = (count: string, unit: string): number => Number(count) * SECONDS[unit as keyof typeof SECONDS];

/** Prometheus and the blackbox exporter with our configuration, watching one process of the service. */
export const startPrometheus = async (metricsPort: number) => {
	const folder = await mkdtemp(join(tmpdir(), "prometheus-"));
	const [port, probePort] = [await freePort(), await freePort()];
	const replace = (text: string, from: string, to: string): string => {
		if (!text.includes(from)) throw new Error(`prometheus.yaml does not contain ${from}`);
		return text.replaceAll(from, to);
	};
	let config = await readFile(new URL("prometheus.yaml", FOLDER), "utf8");
	for (const [from, to] of [
		["15s", "1s"],
		["10.0.0.11:9464, 10.0.0.12:9464", `127.0.0.1:${metricsPort}`],
		["127.0.0.1:9115", `127.0.0.1:${probePort}`],
	] as const)
		config = replace(config, from, to);
	await writeFile(join(folder, "prometheus.yaml"), config);
	await writeFile(join(folder, "alerts.yaml"), shorten(await readFile(new URL("alerts.yaml", FOLDER), "utf8")));
	const blackbox = startChild("prometheus-blackbox-exporter", [
		`--config.file=${fileURLToPath(new URL("blackbox.yaml", FOLDER))}`,
		`--web.listen-address=127.0.0.1:${probePort}`,
	]);
	const prometheus = startChild("prometheus", [
		`--config.file=${join(folder, "prometheus.yaml")}`,
		`--storage.tsdb.path=${join(folder, "data")}`,
		`--web.listen-address=127.0.0.1:${port}`,
	]);
	const ask = async (path: string): Promise<{ status: string; data: unknown }> =>
		(await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as { status: string; data: unknown };
	const close = async (): Promise<void> => {
		await prometheus.end("SIGKILL");
		await blackbox.end("SIGKILL");
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await prometheus.until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
		await blackbox.until(async () => (await fetch(`http://127.0.0.1:${probePort}/-/healthy`)).ok);
	} catch (error) {
		await close();
		throw error;
	}
	return {
		/** the names of all alerts that fire now */
		firing: async (): Promise<string[]> => {
			const { data } = await ask("/api/v1/alerts");
			const { alerts } = data as { alerts: { state: string; labels: { alertname: string } }[] };
			return [
				...new Set(alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname)),
			].sort();
		},
		/** how many series a query returns */
		count: async (query: string): Promise<number> => {
			const { status, data } = await ask(`/api/v1/query?query=${encodeURIComponent(query)}`);
			if (status !== "success") throw new Error(`Prometheus rejects ${query}`);
			return (data as { result: unknown[] }).result.length;
		},
		close,
	};
};
