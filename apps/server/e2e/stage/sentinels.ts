import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../../../../isolation/faults/free-port.ts";
import { startRedis } from "../../../../isolation/faults/redis-server.ts";
import { type Child, startChild } from "./child.ts";

const NAME = "mymaster";

/** A Redis with two replicas, and three Sentinels that replace it half a second after it is gone. */
export const startSentinelSet = async () => {
	const folder = await mkdtemp(join(tmpdir(), "sentinels-"));
	const master = await startRedis();
	const replicas = [await startRedis({ follows: master.port }), await startRedis({ follows: master.port })];
	const sentinels: { port: number; child: Child }[] = [];
	for (let number = 1; number <= 3; number += 1) {
		const port = await freePort();
		const file = join(folder, `sentinel-${number}.conf`);
		await writeFile(
			file,
			`port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor ${NAME} 127.0.0.1 ${master.port} 2
sentinel down-after-milliseconds ${NAME} 500
sentinel failover-timeout ${NAME} 5000
`,
		);
		sentinels.push({ port, child: startChild("redis-server", [file, "--sentinel"]) });
	}
	const ask = async (port: number, ...command: [string, ...string[]]): Promise<unknown> => {
		const client = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null });
		client.on("error", () => {});
		try {
			await client.connect();
			return await client.call(...command);
		} finally {
			client.disconnect();
		}
	};
	const masterPort = async (): Promise<number> => {
		const [sentinel] = sentinels;
		const answer = await ask(sentinel?.port ?? 0, "sentinel", "get-master-addr-by-name", NAME);
		return Number((answer as string[])[1]);
	};
	// until every Sentinel knows the others and the replicas, a failover would find no majority
	for (const { port, child } of sentinels)
		await child.until(async () => {
			const fields = (await ask(port, "sentinel", "master", NAME)) as string[];
			const of = (name: string) => Number(fields[fields.indexOf(name) + 1]);
			return of("num-other-sentinels") === 2 && of("num-slaves") === 2;
		});
	return {
		addresses: sentinels.map(({ port }) => `127.0.0.1:${port}`),
		name: NAME,
		masterPort,
		/** Kills the master and waits until another one is named; answers after how many milliseconds. */
		failOver: async (): Promise<number> => {
			const began = performance.now();
			const before = await masterPort();
			await [master, ...replicas].find(({ port }) => port === before)?.kill();
			while ((await masterPort()) === before) await wait(20);
			return Math.round(performance.now() - began);
		},
		close: async () => {
			for (const { child } of sentinels) await child.end("SIGKILL");
			for (const server of [master, ...replicas]) await server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
};
