import { Redis } from "ioredis";
import { Pool } from "pg";
import { startProcess } from "test-kit/processes";
import { startRedis } from "test-kit/servers/redis-server";
import { type Household, settle } from "../neighbors/household.ts";
import { openClient } from "../server/client.ts";
import type { ServerSettings } from "../server/settings.ts";
import { startServer } from "../server/start-server.ts";
import { fillForeignKeys } from "./fill-sessions.ts";
import type { MoverProcess } from "./mover.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export const KEY_PREFIX = "bulk:";
const CONNECTIONS = 256;
const PEOPLE = 20;

type StageOptions = {
	/** sessions are in Redis, otherwise in the database */
	inRedis: boolean;
	/** sessions of other tenants in Redis */
	foreignSessions: number;
};

/** A server, a mover of users, and another tenant with active users. */
export const openStage = async (databaseURL: string, { inRedis, foreignSessions }: StageOptions) => {
	const closing: (() => Promise<unknown>)[] = [];
	const close = async (): Promise<void> => {
		for (const end of closing.toReversed()) await end();
	};
	try {
		let redis: Redis | null = null;
		let storage: ServerSettings["redis"];
		if (inRedis) {
			const redisServer = await startRedis({ persistent: true });
			closing.push(redisServer.close);
			redis = new Redis(redisServer.port, "127.0.0.1");
			closing.push(async () => redis?.disconnect());
			// as used for sessions; by default it persists every key, which waits for the disk
			await redis.config("SET", "appendfsync", "everysec");
			storage = { url: `redis://127.0.0.1:${redisServer.port}`, prefix: KEY_PREFIX };
		}
		const server = await startServer({
			databaseURL,
			hashing: "cheap",
			transfer: true,
			redis: storage,
			tenants: { deletion: { drainTime: 0 } },
		});
		closing.push(server.close);
		const mover = startProcess<MoverProcess>(new URL("./mover.ts", import.meta.url));
		closing.push(mover.kill);
		const client = openClient(server.origin, { connections: CONNECTIONS });
		closing.push(client.close);
		const pool = new Pool({ connectionString: databaseURL, max: 1 });
		closing.push(() => pool.end());
		const neighbor: Household = await settle(client, "neighbor", PEOPLE);
		const foreignKeys = redis ? await fillForeignKeys(redis, KEY_PREFIX, foreignSessions) : 0;
		return { server, mover, client, pool, redis, neighbor, foreignKeys, close };
	} catch (error) {
		await close();
		throw error;
	}
};
