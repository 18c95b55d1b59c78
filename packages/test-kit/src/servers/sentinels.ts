import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { startRedis, until } from "./redis-server.ts";

const NAME = "mymaster";

/** A Redis with two replicas, and three Sentinels that replace it after two of them miss it for two seconds. */
export const startSentinelSet = async () => {
	const master = await startRedis();
	const servers = [master, await startRedis({ of: master.port }), await startRedis({ of: master.port })];
	const sentinels: Awaited<ReturnType<typeof startRedis>>[] = [];
	for (let number = 1; number <= 3; number += 1) sentinels.push(await startRedis({ watching: master.port, quorum: 2 }));
	// before every Sentinel knows the others and the replicas, a failover would find no majority
	for (const { port } of sentinels)
		await until(async () => {
			const fields = (await ask(port, "sentinel", "master", NAME)) as string[];
			const of = (name: string) => Number(fields[fields.indexOf(name) + 1]);
			return of("num-other-sentinels") === 2 && of("num-slaves") === 2;
		});
	const masterPort = async (): Promise<number> => {
		const answer = await ask(sentinels[0]?.port ?? 0, "sentinel", "get-master-addr-by-name", NAME);
		return Number((answer as string[])[1]);
	};
	return {
		addresses: sentinels.map(({ port }) => `127.0.0.1:${port}`),
		name: NAME,
		/** Kills the master, waits for a new one and returns the milliseconds. */
		failOver: async (): Promise<number> => {
			const began = performance.now();
			const before = await masterPort();
			await servers.find(({ port }) => port === before)?.stop();
			while ((await masterPort()) === before) await wait(20);
			return Math.round(performance.now() - began);
		},
		close: async () => {
			for (const server of [...sentinels, ...servers]) await server.close();
		},
	};
};

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
