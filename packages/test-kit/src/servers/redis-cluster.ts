import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { startRedis, until } from "./redis-server.ts";

const run = promisify(execFile);

/** A Redis Cluster of three primaries with a replica each. */
export const startRedisCluster = async () => {
	const servers = await Promise.all(Array.from({ length: 6 }, () => startRedis({ node: true })));
	const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
	const ask = async (port: number, ...command: string[]): Promise<string> =>
		(await run("redis-cli", ["-p", String(port), ...command])).stdout;
	const isWhole = (port: number) => async (): Promise<boolean> => {
		const info = await ask(port, "cluster", "info").catch(() => "");
		return /cluster_state:ok/.test(info) && /cluster_size:3/.test(info);
	};
	const close = async (): Promise<void> => {
		for (const server of servers) await server.close();
	};
	try {
		await run("redis-cli", ["--cluster", "create", ...addresses, "--cluster-replicas", "1", "--cluster-yes"]);
		for (const { port } of servers) await until(isWhole(port));
	} catch (error) {
		await close();
		throw error;
	}
	const primaries = async (port: number): Promise<number[]> =>
		(await ask(port, "cluster", "nodes"))
			.split("\n")
			.filter((line) => / (myself,)?master - /.test(line))
			.map((line) => Number(/:(\d+)@/.exec(line)?.[1]));
	return {
		addresses,
		/** Kills a primary, waits until its replica has its keys, and returns the milliseconds. */
		failOver: async (): Promise<number> => {
			const began = performance.now();
			const [first] = await primaries(servers[0]?.port ?? 0);
			const [other] = servers.filter(({ port }) => port !== first);
			await servers.find(({ port }) => port === first)?.stop();
			while ((await primaries(other?.port ?? 0)).includes(first ?? 0)) await wait(50);
			await until(isWhole(other?.port ?? 0));
			return Math.round(performance.now() - began);
		},
		/** Every key, by the port of its primary. */
		keys: async (): Promise<Map<number, string[]>> =>
			new Map(
				await Promise.all(
					(await primaries(servers[0]?.port ?? 0)).map(
						async (port) => [port, (await ask(port, "keys", "*")).split("\n").filter(Boolean)] as const,
					),
				),
			),
		close,
	};
};
