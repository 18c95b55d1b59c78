import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { startRedis } from "test-kit/servers/redis-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { createWorld } from "../support/world.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
let world: Awaited<ReturnType<typeof createWorld>>;
let env: Record<string, string>;
const children: ChildProcess[] = [];
beforeAll(async () => {
	world = await createWorld();
	env = serverEnvironment(world.database.url);
});
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => world.close());

/** Starts the server and waits until it prints its address. */
const start = async (more: Record<string, string> = {}, args: string[] = []) => {
	const child = spawn(process.execPath, [MAIN, "serve", ...args], {
		env: { PATH: process.env.PATH ?? "", ...env, ...more },
		stdio: ["ignore", "pipe", "pipe"],
	});
	children.push(child);
	const said = { stdout: "", stderr: "" };
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		said.stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said.stderr += text;
	});
	const ended = once(child, "close") as Promise<[number | null, string | null]>;
	const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
		for (;;) {
			const found = pattern.exec(said.stdout + said.stderr);
			if (found) return found;
			if (child.exitCode !== null) throw new Error(`The server ended: ${said.stderr}`);
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
	};
	return { child, said, ended, until };
};

/** Accepts connections and never responds. */
const startSilence = async () => {
	let knock = () => {};
	const knocked = new Promise<void>((resolve) => {
		knock = resolve;
	});
	const server = createServer((socket) => {
		socket.on("error", () => {});
		knock();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { port: (server.address() as AddressInfo).port, knocked, close: () => server.close() };
};

describe("serve", () => {
	it("prints its address in one line, keeps stdout for the log, and exits with 0 after SIGTERM", async () => {
		const { child, said, ended, until } = await start();
		const [, address = ""] = await until(/^Listening on (http:\S+) for http:\S+\/api\/auth$/m);
		expect((await fetch(`${address}/readyz`)).status).toBe(200);
		child.kill("SIGTERM");
		expect(await ended).toEqual([0, null]);
		expect(said.stderr.trim().split("\n")).toHaveLength(1);
		for (const line of said.stdout.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
	});

	it("prints the address as JSON with --json", async () => {
		const { child, ended, until } = await start({ LOG_LEVEL: "silent" }, ["--json"]);
		const [line] = await until(/^\{.*\}$/m);
		expect(JSON.parse(line)).toEqual({
			address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
			port: expect.any(Number),
			metricsPort: null,
		});
		child.kill("SIGINT");
		expect(await ended).toEqual([0, null]);
	});

	it("exits immediately on a second signal, during the shutdown delay", async () => {
		const { child, ended, until } = await start({ SHUTDOWN_DELAY: "60" });
		await until(/^Listening/m);
		child.kill("SIGTERM");
		await until(/"closing"/);
		child.kill("SIGTERM");
		// after the delay, it would exit with 0
		expect(await ended).toEqual([143, null]);
	});

	it("exits at once on a signal during startup, even if the database does not respond", async () => {
		const silence = await startSilence();
		const url = new URL(world.database.url);
		url.host = `127.0.0.1:${silence.port}`;
		const { child, said, ended } = await start({ DATABASE_URL: url.href, DATABASE_CONNECT_TIMEOUT: "60" });
		await silence.knocked;
		child.kill("SIGTERM");
		expect(await ended).toEqual([0, null]);
		expect(said.stdout).not.toContain('"listening"');
		silence.close();
	});

	it("exits with 1 if Redis refuses it", async () => {
		const redis = await startRedis({ password: "right" });
		const REDIS_URL = redis.url.replace("right", "wrong");
		const refused = await runCommand(["serve", "--json"], { env: { ...env, REDIS_URL, LOG_LEVEL: "silent" } });
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.error()).toMatchObject({ code: "NOT_STARTED", message: expect.stringContaining("REDIS_URL") });
		expect(refused.stderr).not.toContain("wrong");
		await redis.close();
	});

	it("exits at once on a signal while it waits for Redis", async () => {
		const { child, ended, until } = await start({ REDIS_URL: "redis://127.0.0.1:1" });
		await until(/redis does not respond/);
		child.kill("SIGTERM");
		expect(await ended).toEqual([0, null]);
	});

	it("goes on serving while nobody reads its log", async () => {
		const { child, ended, until } = await start({ LOG_LEVEL: "debug" });
		const [, address = ""] = await until(/^Listening on (http:\S+) for/m);
		child.stdout?.pause();
		// about 1 MB of lines, more than a pipe holds
		for (let round = 0; round < 50; round += 1)
			await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${address}/livez`)).body?.cancel()));
		expect((await fetch(`${address}/readyz`)).status).toBe(200);
		child.kill("SIGTERM");
		child.stdout?.resume();
		expect(await ended).toEqual([0, null]);
	});

	it("refuses to start on an old schema, and says how to fix it", async () => {
		const empty = await createTestDatabase();
		const refused = await runCommand(["serve", "--json"], {
			env: { ...env, DATABASE_URL: empty.url, LOG_LEVEL: "silent" },
		});
		await empty.drop();
		expect(refused).toMatchObject({ code: 1, stdout: "" });
		expect(refused.error()).toMatchObject({ code: "NOT_STARTED", message: expect.stringContaining("migrate") });
	});
});
