import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { endWithProcess } from "./end-with-process.ts";
import { freePort } from "./free-port.ts";

type RedisKind = {
	/** makes it a replica of the server at this port */
	of?: number;
	/** makes it a Sentinel that watches the server at this port */
	watching?: number;
	quorum?: number;
	password?: string;
	/** syncs every write to disk, so that a restart finds it again */
	persistent?: boolean;
	/** makes it the only node of a Redis Cluster */
	cluster?: boolean;
	/** makes it a node that others can be joined with */
	node?: boolean;
	/** megabytes; above them, it refuses writes */
	memory?: number;
};

/** Starts a redis-server: a primary, a replica or a Sentinel. */
export const startRedis = async (kind: RedisKind = {}) => {
	const folder = await mkdtemp(join(tmpdir(), "test-redis-"));
	const port = await freePort();
	const { of, watching, quorum = 1, password, persistent, cluster, node, memory } = kind;
	const lines = [
		`port ${port}`,
		"bind 127.0.0.1",
		`dir ${folder}`,
		...(watching ? [] : ['save ""', "repl-diskless-sync-delay 0"]),
		...(persistent ? ["appendonly yes", "appendfsync always"] : []),
		...(cluster ? ["cluster-enabled yes"] : []),
		...(node ? ["cluster-enabled yes", `cluster-port ${await freePort()}`, "cluster-node-timeout 1000"] : []),
		...(memory ? [`maxmemory ${memory}mb`, "maxmemory-policy noeviction"] : []),
		...(password && !watching ? [`requirepass ${password}`, `masterauth ${password}`] : []),
		...(of ? [`replicaof 127.0.0.1 ${of}`] : []),
		...(watching
			? [
					`sentinel monitor mymaster 127.0.0.1 ${watching} ${quorum}`,
					// with less, Sentinel would give up on a new master on a busy machine before it responds once
					"sentinel down-after-milliseconds mymaster 2000",
					"sentinel failover-timeout mymaster 10000",
					...(password ? [`sentinel auth-pass mymaster ${password}`] : []),
				]
			: []),
	];
	const file = join(folder, "redis.conf");
	await writeFile(file, `${lines.join("\n")}\n`);
	let child: ChildProcess | null = null;
	const start = async ({ empty = false } = {}): Promise<void> => {
		if (empty) await rm(join(folder, "appendonlydir"), { recursive: true, force: true });
		child = spawn("redis-server", [file, ...(watching ? ["--sentinel"] : [])], { stdio: "ignore" });
		child.on("error", () => {});
		await until(async () => (await ask(port, watching ? undefined : password, "ping")) === "PONG");
		// a replica that has just loaded takes a moment to acknowledge
		if (of) await until(() => acknowledges(of, password));
	};
	/** Kills it, as a power cut does. */
	const stop = async (): Promise<void> => {
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
		await stop();
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
		url: `redis://${password ? `:${password}@` : ""}127.0.0.1:${port}`,
		start,
		stop,
		/** Keeps its connections open and replies to none. */
		freeze: () => child?.kill("SIGSTOP"),
		thaw: () => child?.kill("SIGCONT"),
		close,
		/** Deletes all data, as after a restart without persistence. */
		flush: async (): Promise<void> => void (await ask(port, password, "flushall")),
		/** Changes a setting while it runs. */
		configure: async (name: string, value: string): Promise<void> =>
			void (await asking(port, password, (client) => client.config("SET", name, value))),
		/** The bytes that its data takes. */
		usedBytes: async (): Promise<number> =>
			Number(/^used_memory:(\d+)/m.exec(String(await ask(port, password, "info")))?.[1] ?? Number.NaN),
		/** Every key it stores. */
		keys: async (): Promise<string[]> => {
			const client = new Redis(port, "127.0.0.1", password ? { password } : {});
			try {
				return await client.keys("*");
			} finally {
				client.disconnect();
			}
		},
	};
};

const ask = (port: number, password: string | undefined, command: string): Promise<unknown> =>
	asking(port, password, (client) => client.call(command));

const acknowledges = async (port: number, password: string | undefined): Promise<boolean> =>
	(await asking(port, password, async (client) => {
		await client.set("acknowledged", "1", "EX", 1);
		return client.wait(1, 200);
	})) === 1;

const asking = async (
	port: number,
	password: string | undefined,
	question: (client: Redis) => Promise<unknown>,
): Promise<unknown> => {
	const client = new Redis(port, "127.0.0.1", {
		retryStrategy: () => null,
		lazyConnect: true,
		...(password ? { password } : {}),
	});
	client.on("error", () => {});
	try {
		await client.connect();
		return await question(client);
	} catch {
		return null;
	} finally {
		client.disconnect();
	}
};

export const until = async (isTrue: () => Promise<boolean>, seconds = 20): Promise<void> => {
	const deadline = Date.now() + seconds * 1_000;
	while (!(await isTrue())) {
		if (Date.now() > deadline) throw new Error(`Not true after ${seconds} s`);
		await wait(20);
	}
};
