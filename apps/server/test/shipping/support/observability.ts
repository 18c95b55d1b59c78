import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const FOLDER = new URL("../../../observability/", import.meta.url);

type Rule = {
	alert?: string;
	record?: string;
	expr: string;
	for?: string;
	labels?: { severity: string };
	annotations?: { summary: string; description: string; runbook_url: string };
};
type Panel = { id: number; type: string; title: string; gridPos: Box; targets?: { expr: string }[] };
type Box = { x: number; y: number; w: number; h: number };
type Dashboard = { panels: Panel[]; templating: { list: { name: string }[] } };

export const observabilityFile = (name: string): string => fileURLToPath(new URL(name, FOLDER));

const read = (name: string): string => readFileSync(observabilityFile(name), "utf8");

export const readRules = (): Rule[] =>
	(parse(read("alerts.yaml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);

/** The cases of alerts.test.yaml, each with the alerts that fire at some time. */
export const readCases = (): { name: string; fires: string[] }[] => {
	type Sample = { labels: string };
	type Case = { name: string; promql_expr_test: { exp_samples: Sample[] }[] };
	return (parse(read("alerts.test.yaml")) as { tests: Case[] }).tests.map(({ name, promql_expr_test }) => ({
		name,
		fires: promql_expr_test
			.flatMap(({ exp_samples }) => exp_samples)
			.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1] ?? ""),
	}));
};

export const readDashboard = (): Dashboard => JSON.parse(read("dashboard.json")) as Dashboard;

/** The queries of all panels, with Grafana's variables replaced. */
export const dashboardQueries = ({ panels }: Dashboard): { title: string; query: string }[] =>
	panels.flatMap(({ title, targets = [] }) =>
		targets.map(({ expr }) => ({
			title,
			query: expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*"),
		})),
	);
