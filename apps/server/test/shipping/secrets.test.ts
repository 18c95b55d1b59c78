import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { freePort } from "test-kit/servers/free-port";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config/config.ts";

const execute = promisify(execFile);
const MAKE = fileURLToPath(new URL("../../scripts/make-secrets.sh", import.meta.url));
const compose = parse(readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8"), { merge: true }) as {
	services: Record<"redis" | "server", { command: string[]; environment: Record<string, string> }>;
	secrets: Record<string, unknown>;
};

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
const secrets = join(folder, "secrets");
const text = (name: string): string => readFileSync(join(secrets, name), "utf8").trim();
beforeAll(() => execute(MAKE, [secrets]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("creates every secret of compose.yaml, readable in containers and for nobody else on the machine", () => {
	expect(readdirSync(secrets).sort()).toEqual(Object.keys(compose.secrets).sort());
	expect(statSync(secrets).mode & 0o777).toBe(0o700);
	for (const name of readdirSync(secrets)) expect(statSync(join(secrets, name)).mode & 0o777, name).toBe(0o444);
});

it("keeps secrets that exist", async () => {
	const before = text("auth-secret");
	rmSync(join(secrets, "management-key"));
	await execute(MAKE, [secrets]);
	expect(text("auth-secret")).toBe(before);
	expect(text("management-key")).toMatch(/^[0-9a-f]{64}$/);
});

it("configures the server from these files", () => {
	const given = Object.entries(compose.services.server.environment).map(([name, value]) => [
		name,
		value.replace("/run/secrets", secrets).replace(/^\$\{\w+:-(.*)\}$/, "$1"),
	]);
	const config = readConfig(Object.fromEntries(given));
	expect(config.redis?.password).toBe(text("redis-password"));
	expect(text("database-url")).toContain(`:${text("postgres-password")}@postgres:5432/`);
	expect(config.management.keys).toEqual([text("management-key")]);
	// nobody is trusted until the operator names a proxy
	expect(config.http.trustedProxies).toEqual([]);
});

it("starts Redis with a password and without eviction", async () => {
	const port = await freePort();
	const [program = "", ...args] = compose.services.redis.command.map((word) => word.replace("/run/secrets", secrets));
	const data = mkdtempSync(join(folder, "redis-"));
	const child = spawn(program, [...args, "--port", String(port), "--bind", "127.0.0.1", "--dir", data]);
	try {
		const clientWith = (password?: string) =>
			new Redis({ port, lazyConnect: false, ...(password ? { password } : {}) }).on("error", () => {});
		const known = clientWith(text("redis-password"));
		const stranger = clientWith();
		await expect.poll(() => known.ping().catch(() => "")).toBe("PONG");
		await expect(stranger.set("a", "b")).rejects.toThrow("NOAUTH");
		expect(await known.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "volatile-ttl"]);
		expect(await known.config("GET", "maxmemory")).toEqual(["maxmemory", String(256 * 2 ** 20)]);
		for (const client of [known, stranger]) client.disconnect();
	} finally {
		const ended = new Promise((resolve) => child.once("exit", resolve));
		child.kill("SIGKILL");
		await ended;
	}
});
