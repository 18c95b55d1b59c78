import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkConfiguration } from "../../src/doctor/check-configuration.ts";
import { checkPublicURL } from "../../src/doctor/check-public-url.ts";
import { checkSecrets } from "../../src/doctor/check-secrets.ts";
import { checkTenants } from "../../src/doctor/check-tenants.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { saying } from "./judge.ts";

const environment = (given: Record<string, string> = {}) => serverEnvironment("postgres://me@127.0.0.1/none", given);
const random = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");

describe("configuration", () => {
	it("is read completely without mistakes", () => {
		const { findings, config } = checkConfiguration(environment());
		expect(saying(findings, "ok")).toHaveLength(1);
		expect(config).toEqual(readConfig(environment()));
	});

	it("reports each mistake with its fix, and keeps the valid sections", () => {
		const { findings, config } = checkConfiguration(environment({ PORT: "many", REDIS_URL_FILE: "/nowhere" }));
		expect(findings.map(({ status, says, fix }) => [status, says, typeof fix])).toEqual([
			["wrong", "REDIS_URL_FILE names a file that is empty or cannot be read", "string"],
			["wrong", "PORT is not a whole number", "string"],
		]);
		// an unreadable file does not mean that Redis is not configured
		expect(Object.keys(config)).toEqual([
			"secrets",
			"database",
			"mail",
			"management",
			"tenants",
			"plugins",
			"pages",
			"console",
			"device",
			"oauthProvider",
			"sms",
			"socialProviders",
		]);
	});

	it("warns about a variable that is probably misspelled, also among mistakes", () => {
		const { findings } = checkConfiguration(environment({ TRUSTED_PROXY: "10.9.8.7" }));
		expect(findings).toMatchObject([
			{ status: "ok" },
			{ status: "warning", says: "TRUSTED_PROXY has no effect", fix: "Rename it if you meant TRUSTED_PROXIES." },
		]);
		expect(JSON.stringify(findings)).not.toContain("10.9.8.7");
		const mistaken = checkConfiguration(environment({ DATABASE_URL: "", DATABASE_URI: "postgres://hunter2@db/auth" }));
		expect(mistaken.findings).toMatchObject([
			{ status: "wrong", says: "DATABASE_URL is not set" },
			{ status: "warning", says: "DATABASE_URI has no effect" },
		]);
		expect(JSON.stringify(mistaken.findings)).not.toContain("hunter2");
	});

	it("reports mistakes between sections too", () => {
		const { findings, config } = checkConfiguration(environment({ SMTP_URL: "smtp://127.0.0.1" }));
		expect(saying(findings, "wrong")).toEqual(["MAIL_FROM is not set, but SMTP_URL is"]);
		expect(config.mail).toBeUndefined();
		expect(config.http).toBeDefined();
	});
});

describe("public url", () => {
	const check = (given: Record<string, string>) => checkPublicURL(readConfig(environment(given)).http);

	it("is fine over https behind a known proxy", async () => {
		const found = await check({ AUTH_URL: "https://auth.example.com", TRUSTED_PROXIES: "10.0.0.0/24,fd00::/64" });
		expect(found.map(({ status }) => status)).toEqual(["ok"]);
	});

	it("is wrong over plain http, and a warning on loopback", async () => {
		expect(saying(await check({ AUTH_URL: "http://auth.example.com" }), "wrong")).toHaveLength(1);
		expect(saying(await check({ AUTH_URL: "http://localhost:3000" }), "warning")).toHaveLength(1);
	});

	it("is wrong if any caller may claim any address, and a warning if a page is not safe", async () => {
		const AUTH_URL = "https://auth.example.com";
		for (const TRUSTED_PROXIES of ["0.0.0.0/0", "10.0.0.1,::/0", "0.0.0.0/1"])
			expect(saying(await check({ AUTH_URL, TRUSTED_PROXIES }), "wrong")).toHaveLength(1);
		expect(saying(await check({ AUTH_URL }), "warning")).toEqual([expect.stringContaining("TRUSTED_PROXIES is empty")]);
		const origins = await check({
			AUTH_URL,
			TRUSTED_PROXIES: "10.0.0.1",
			TRUSTED_ORIGINS: "http://app.example.com,https://*.example.com,http://localhost:5173",
		});
		expect(saying(origins, "warning")).toEqual([expect.stringContaining("http://app.example.com")]);
	});
});

describe("secrets", () => {
	const check = (given: Record<string, string>) => {
		const { secrets, management } = readConfig(environment(given));
		return checkSecrets(secrets, management);
	};

	it("are fine when random, and list their versions", async () => {
		const [one, two, key] = [random(), random(), random()];
		expect((await check({ AUTH_SECRET: one, MANAGEMENT_KEYS: key })).map(({ status }) => status)).toEqual(["ok"]);
		const versions = await check({ AUTH_SECRETS: `2:${two},1:${one}`, AUTH_SECRET: "", MANAGEMENT_KEYS: key });
		expect(saying(versions, "ok")).toEqual(["Version 2 signs and encrypts; also verified and decrypted with: 1"]);
	});

	it("may repeat AUTH_SECRET, which is version 1, as another version", async () => {
		const [one, two, key] = [random(), random(), random()];
		const given = {
			AUTH_SECRET: one,
			AUTH_SECRETS: `6:${two},5:${one}`,
			AUTH_SECRETS_VERIFY: "first",
			MANAGEMENT_KEYS: key,
		};
		expect(saying(await check(given), "ok")).toEqual(["Version 6 signs and encrypts; only decrypted with: 5"]);
	});

	it("are wrong when typed, repeated, or used for two purposes", async () => {
		const typed = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
		const good = random();
		expect(saying(await check({ AUTH_SECRET: typed }), "wrong")).toHaveLength(1);
		expect(saying(await check({ AUTH_SECRET: good, MANAGEMENT_KEYS: typed }), "wrong")).toHaveLength(1);
		expect(saying(await check({ AUTH_SECRET: good, MANAGEMENT_KEYS: good }), "wrong")).toEqual([
			expect.stringContaining("also an auth secret"),
		]);
		expect(saying(await check({ AUTH_SECRET: "", AUTH_SECRETS: `2:${good},1:${good}` }), "wrong")).toHaveLength(1);
		expect(saying(await check({ AUTH_SECRET: "", AUTH_SECRETS: `2:${good},1:${typed}` }), "warning")).toHaveLength(1);
	});
});

describe("tenants", () => {
	it("are wrong if the domains file is invalid", async () => {
		const folder = mkdtempSync(join(tmpdir(), "tenants-doctor-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const file = join(folder, "domains.json");
		const check = () =>
			checkTenants(readConfig(environment({ TENANT_RESOLVER: "custom-domain", TENANT_DOMAINS_FILE: file })).tenants);
		expect(saying(await check(), "wrong")).toHaveLength(1);
		writeFileSync(file, '["login.acme.com"]');
		expect(saying(await check(), "wrong")).toHaveLength(1);
		writeFileSync(file, '{"login.acme.com":"some-id"}');
		expect(saying(await check(), "ok")).toEqual([
			"Resolved by custom-domain, body, query, the header x-tenant-id",
			"TENANT_DOMAINS_FILE lists 1 domains",
		]);
	});
});
