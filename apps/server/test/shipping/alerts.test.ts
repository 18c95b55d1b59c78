import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { observabilityFile, readCases, readRules } from "./support/observability.ts";

const execute = promisify(execFile);
const alerts = readRules().filter((rule) => rule.alert !== undefined);

/** Debian has it in the package prometheus. */
const promtool = (...args: string[]) =>
	execute("promtool", args).then(
		({ stdout }) => ({ passed: true, said: stdout }),
		(error: { stdout?: string; stderr?: string; code?: unknown }) => {
			if (error.code === "ENOENT")
				throw new Error("promtool is not installed. Install it with `apt-get install prometheus`");
			return { passed: false, said: `${error.stdout}${error.stderr}` };
		},
	);

it("has rules and a configuration that Prometheus accepts", async () => {
	expect(await promtool("check", "rules", observabilityFile("alerts.yaml"))).toMatchObject({ passed: true });
	expect(await promtool("check", "config", observabilityFile("prometheus.yaml"))).toMatchObject({ passed: true });
});

it("fires each alert when it should, and no other", async () => {
	expect(await promtool("test", "rules", observabilityFile("alerts.test.yaml"))).toMatchObject({ passed: true });
	const tested = new Set(readCases().flatMap(({ fires }) => fires));
	expect(alerts.map(({ alert }) => alert).filter((name = "") => !tested.has(name))).toEqual([]);
});

it("notices an alert that never fires", async () => {
	const folder = await mkdtemp(join(tmpdir(), "alerts-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const rules = await readFile(observabilityFile("alerts.yaml"), "utf8");
	await writeFile(join(folder, "alerts.test.yaml"), await readFile(observabilityFile("alerts.test.yaml")));
	await writeFile(join(folder, "alerts.yaml"), rules.replace('redis_up{job="auth"} == 0', 'redis_up{job="auth"} == 2'));
	const { passed, said } = await promtool("test", "rules", join(folder, "alerts.test.yaml"));
	expect(passed).toBe(false);
	expect(said).toContain("AuthRedisDown");
});

it("links every alert to its section of the runbook", async () => {
	const runbook = await readFile(new URL("../../../../docs/runbook.md", import.meta.url), "utf8");
	const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title);
	for (const { alert = "", labels, annotations } of alerts) {
		expect(sections).toContain(alert);
		expect(annotations?.runbook_url).toMatch(new RegExp(`/docs/runbook\\.md#${alert.toLowerCase()}$`));
		expect(["page", "ticket"]).toContain(labels?.severity);
		expect(annotations?.summary).toBeTruthy();
	}
	expect(sections.filter((title) => title.startsWith("Auth") && !alerts.some(({ alert }) => alert === title))).toEqual(
		[],
	);
});
