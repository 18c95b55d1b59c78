import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "./free-port.ts";

/** A redis-server of a test's own: alone, a replica `of` another one, or a Sentinel that watches one. */
export const startRedis = async (kind: { of?: number; watching?: number; quorum?: number; password?: string } = {}) => {
	const folder = await mkdtemp(join(tmpdir(), "server-redis-"));
	const port = await freePort();
	const { of, watching, quorum = 1, password } = kind;
	const lines = [
		`port ${port}`,
		"bind 127.0.0.1",
		`dir ${folder}`,
		...(watching ? [] : ['save ""', "repl-diskless-sync-delay 0"]),
		...(password && !watching ? [`requirepass ${password}`, `masterauth ${password}`] : []),
		...(of ? [`replicaof 127.0.0.1 ${of}`] : []),
		...(watching
			? [
					`sentinel monitor mymaster 127.0.0.1 ${watching} ${quorum}`,
					// shorter than this, a new master on a busy machine is given up before it has answered once
					"sentinel down-after-milliseconds mymaster 2000",
					"sentinel failover-timeout mymaster 10000",
					...(password ? [`sentinel auth-pass mymaster ${password}`] : []),
				]
			: []),
	];
	const file = join(folder, "redis.conf");
	await writeFile(file, `${lines.join("\n")}\n`);
	let child: ChildProcess | null = null;
	const start = async (): Promise<void> => {
		child = spawn("redis-server", [file, ...(watching ? ["--sentinel"] : [])], { stdio: "ignore" });
		await until(async () => (await ask(port, watching ? undefined : password, "ping")) === "PONG");
		// a replica that has just loaded takes a moment until it acknowledges
		if (of) await until(() => acknowledges(of, password));
	};
	const stop = async (): Promise<void> => {
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, "exit");
		child.kill("SIGKILL");
		await ended;
	};
	const endNow = (): void => {
		child?.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	};
	process.once("exit", endNow);
	await start();
	return {
		port,
		url: `redis://${password ? `:${password}@` : ""}127.0.0.1:${port}`,
		start,
		stop,
		/** it holds its connections and answers nobody */
		freeze: () => child?.kill("SIGSTOP"),
		thaw: () => child?.kill("SIGCONT"),
		close: async (): Promise<void> => {
			process.off("exit", endNow);
			await stop();
			await rm(folder, { recursive: true, force: true });
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
		if (Date.now() > deadline) throw new Error("it took too long");
		await wait(20);
	}
};
