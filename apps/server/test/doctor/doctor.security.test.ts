import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";
import { redactFindings, secretsOf } from "../../src/doctor/redact.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { runCommand, runInTerminal } from "../command-line/support/run-command.ts";
import { createTestDatabase } from "../support/database.ts";
import { saying } from "./judge.ts";

const NAMES = [
	"configuration",
	"public url",
	"secrets",
	"tenants",
	"database",
	"schema",
	"rows",
	"jobs",
	"stored credentials",
	"rotation",
	"redis",
	"mail",
	"tenant mail",
	"providers",
	"plugins",
	"console",
	"clock",
];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

type Report = { ok: boolean; findings: Finding[] };

/** Secrets of every kind, each with a marker. All services are unreachable. */
const canaries: Record<string, string> = {
	AUTH_SECRET: "canary-Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	AUTH_SECRETS: "2:canary-Qx7Lm2Vd9Tn4Rb8Wy1Kc5Hs3Mf6Jg0Pz,3:canary-Hw3Zk8Pq1Xr6Tb9Yn4Mv7Lc2Sd5Jf0Ga",
	DATABASE_URL: "postgres://me:canary%2Fpassword@127.0.0.1:9,127.0.0.1:45/none",
	REDIS_URL: "redis://me:canary-redis@127.0.0.1:9",
	SMTP_URL: "smtp://me:canary-smtp@127.0.0.1:9",
	MAIL_FROM: "Example <auth@example.invalid>",
	MANAGEMENT_KEYS: "canary-Rb8Wy1Kc5Hs3Mf6Jg0PzQx7Lm2Vd9Tn4,canary-Mv7Lc2Sd5Jf0GaHw3Zk8Pq1Xr6Tb9Yn4",
	MANAGEMENT_KEY: "canary-Tb9Yn4Mv7Lc2Sd5Jf0GaHw3Zk8Pq1Xr6",
	SOCIAL_GITLAB_CLIENT_ID: "canary-client-id",
	SOCIAL_GITLAB_CLIENT_SECRET: "canary-client-secret",
	SOCIAL_GITLAB_ISSUER: "http://127.0.0.1:45",
	SOCIAL_GOOGLE_CLIENT_ID: "canary-client-id",
};

describe("doctor", { timeout: 120_000 }, () => {
	it("runs every check even if others fail, prints no secret, and exits with 1", async () => {
		const broken: Record<string, string>[] = [
			{},
			{ PORT: "canary" },
			{ AUTH_SECRETS: "canary-without-a-version-canary-without-a-version" },
			{ REDIS_URL: "", REDIS_SENTINELS: "127.0.0.1:9", REDIS_PASSWORD: "canary-redis" },
			{ DATABASE_URL: "canary://me:canary@127.0.0.1/none", SMTP_URL: "canary", REDIS_URL: "canary" },
		];
		for (const given of broken) {
			const env = serverEnvironment("", { ...canaries, ...given });
			const ran = await runCommand(["doctor", "--json"], { env });
			expect(ran.code).toBe(1);
			const { ok, findings } = ran.json() as Report;
			expect(ok).toBe(false);
			expect([...new Set(findings.map(({ name }) => name))]).toEqual(NAMES);
			expect(ran.stderr).toBe("");
			expect(ran.stdout.replaceAll('"canary"', "")).not.toContain("canary");
		}
	});

	it("prints marks and fixes, in color on a terminal only", async () => {
		const env = serverEnvironment(database.url);
		const before = await runCommand(["doctor"], { env });
		expect(before.code).toBe(1);
		expect(before.stdout).toMatch(/^✗ schema {14}Table tenant is missing$/m);
		// findings with the same fix show it once
		expect(before.stdout.match(/Run `tenants migrate`\./g)).toHaveLength(1);
		expect(before.stdout).not.toContain("\u001b");

		expect((await runCommand(["migrate"], { env })).code).toBe(0);
		const { code, screen } = await runInTerminal(["doctor"], { env });
		expect(screen).toContain("\u001b[32m✓\u001b[0m schema");
		expect(code).toBe(1);
		expect((await runInTerminal(["doctor"], { env: { ...env, NO_COLOR: "1" } })).screen).not.toContain("\u001b[32m");
	});

	it("exits with 0 if there are only warnings", async () => {
		const env = serverEnvironment(database.url, { AUTH_URL: "https://auth.example.com" });
		const ran = await runCommand(["doctor", "--json"], { env });
		expect(saying((ran.json() as Report).findings, "wrong")).toEqual([]);
		expect(ran.code).toBe(0);
		expect((ran.json() as Report).ok).toBe(true);
	});

	it("finishes even if connections hang", async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const env = serverEnvironment(`postgres://me@${host}/none`, {
			DATABASE_CONNECT_TIMEOUT: "120",
			REDIS_URL: `redis://${host}`,
			SMTP_URL: `smtp://${host}`,
			MAIL_FROM: "auth@localhost",
		});
		// without limits of its own, it would wait for DATABASE_CONNECT_TIMEOUT, longer than this test
		const ran = await runCommand(["doctor", "--json"], { env });
		expect(saying((ran.json() as Report).findings, "wrong").filter((says) => says.includes("in time"))).toHaveLength(3);
		silent.close();
	});

	it("reads secrets from files, and prints none of them", async () => {
		const folder = mkdtempSync(join(tmpdir(), "tenants-doctor-"));
		const files: Record<string, string> = {};
		for (const [name, value] of Object.entries(canaries)) {
			if (!/SECRET|KEY|_URL$/.test(name) || name === "AUTH_URL") continue;
			writeFileSync(join(folder, name), `${value}\n`);
			files[`${name}_FILE`] = join(folder, name);
		}
		const { AUTH_SECRET: _secret, MANAGEMENT_KEYS: _keys, DATABASE_URL: _url, ...rest } = serverEnvironment("");
		const ran = await runCommand(["doctor", "--json"], {
			env: { ...rest, ...files, MAIL_FROM: canaries.MAIL_FROM ?? "", SOCIAL_GITLAB_CLIENT_ID: "id" },
		});
		rmSync(folder, { recursive: true });
		expect(saying((ran.json() as Report).findings, "wrong")).toContain(
			"PostgreSQL at 127.0.0.1:9: nothing is listening there",
		);
		expect(ran.stdout + ran.stderr).not.toContain("canary");
	});
});

describe("redactFindings", () => {
	it("removes secrets that a check should not have included", () => {
		const secrets = secretsOf(canaries);
		const says = `${Object.values(canaries).join(" ")} canary/password canary-Qx7Lm2Vd9Tn4Rb8Wy1Kc5Hs3Mf6Jg0Pz`;
		const [finding] = redactFindings([{ name: "x", status: "wrong", says, fix: says }], secrets);
		// client ids are not secret: the browser shows them
		expect(finding?.says.replaceAll("canary-client-id", "")).not.toContain("canary");
		expect(finding?.fix).toBe(finding?.says);
	});
});
