import { createMetrics, type MetricDescription } from "../../apps/server/src/measure/metrics.ts";
import { code, type Page, sentence, table } from "./markdown.ts";

const INTRODUCTION =
	"Every Prometheus metric of the service, with its type, labels and meaning. They are at `/metrics` on `METRICS_PORT`.";

const LABELS =
	"Every label has a fixed set of values, and none is the tenant. A histogram also has the series `_bucket`, `_sum` and `_count`. [Alerts and a dashboard](../../apps/server/observability) use them.";

/** All metrics that a process can have. Some exist only with Redis, mail or text messages. */
export const allMetrics = (): MetricDescription[] => {
	const metrics = createMetrics({
		pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
		cache: {
			probe: async () => {},
			state: () => ({ isLeased: true, isStoreUp: true, remembered: 0 }),
			counts: { found: 0, missing: 0, failed: 0 },
		},
		mails: { counts: { sent: 0, failed: 0 }, pending: async () => ({ pending: 0, oldest: 0 }) },
		textMessages: () => ({ sent: 0, failed: 0, pending: 0 }),
		droppedLines: () => 0,
	});
	metrics.observeActivity(async () => ({
		hashing: { running: 0, waiting: 0 },
		deletions: { running: 0, completed: 0, failed: 0 },
	}));
	return metrics.describe().toSorted((one, other) => one.name.localeCompare(other.name));
};

/** Metrics of prom-client about Node and the process. */
const isOfNode = ({ name }: MetricDescription): boolean => /^(nodejs|process)_/.test(name);

export const metricsPage = (): Page => {
	const all = allMetrics();
	return {
		file: "metrics.md",
		title: "Metrics",
		introduction: INTRODUCTION,
		body: [
			LABELS,
			"## Metrics of the service",
			metricTable(all.filter((metric) => !isOfNode(metric))),
			"## Metrics of Node and the process",
			"These come from prom-client. Some exist on Linux only.",
			metricTable(all.filter(isOfNode)),
		],
	};
};

const metricTable = (metrics: MetricDescription[]): string =>
	table(
		["Metric", "Type", "Labels", "Meaning"],
		metrics.map(({ name, type, labels, help }) => [
			code(name),
			type,
			labels.map(code).join(", ") || "none",
			sentence(help),
		]),
	);
