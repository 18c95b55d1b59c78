import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { endWithProcess } from "./end-with-process.ts";
import { freePort } from "./free-port.ts";

/** A Redis of its own that keeps every write on disk, to be lost and found again, with what it knew or empty. */
export const startRedis = async () => {
	const folder = await mkdtemp(join(tmpdir(), "faults-redis-"));
	const port = await freePort();
	let child: ChildProcess | null = null;

	const start = async ({ empty = false } = {}): Promise<void> => {
		if (empty) await rm(join(folder, "appendonlydir"), { recursive: true, force: true });
		const options = ["--bind", "127.0.0.1", "--port", String(port), "--dir", folder, "--save", ""];
		child = spawn("redis-server", [...options, "--appendonly", "yes", "--appendfsync", "always"], { stdio: "ignore" });
		child.on("error", () => {});
		await untilItAnswers(port);
	};
	/** As in a power cut. */
	const kill = async (): Promise<void> => {
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, "exit");
		child.kill("SIGKILL");
		await ended;
	};
	const callOff = endWithProcess(() => {
		child?.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	});
	const close = async (): Promise<void> => {
		await kill();
		callOff();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await start();
	} catch (error) {
		await close();
		throw error;
	}
	return {
		port,
		start,
		kill,
		close,
		/** what it holds */
		keys: async (): Promise<string[]> => {
			const client = new Redis(port, "127.0.0.1");
			try {
				return await client.keys("*");
			} finally {
				client.disconnect();
			}
		},
	};
};

const untilItAnswers = async (port: number): Promise<void> => {
	const deadline = Date.now() + 20_000;
	for (;;) {
		const client = new Redis(port, "127.0.0.1", { retryStrategy: () => null, lazyConnect: true });
		client.on("error", () => {});
		try {
			await client.connect();
			await client.ping();
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await wait(10);
		} finally {
			client.disconnect();
		}
	}
};
