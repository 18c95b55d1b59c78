import { Redis } from "ioredis";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { watchMemory } from "../bulk/watch-memory.ts";
import { openClient, orThrow, textOf } from "../server/client.ts";
import { startServer } from "../server/start-server.ts";
import { round } from "../stage/statistics.ts";
import type { KeysResult } from "./result.ts";

type Sizes = { foreign: number; own: number };

const PREFIX = "bench:";
const CHUNK = 10_000;
const FOREIGN_TENANTS = 1_000;
const MEMORY_EVERY_MS = 250;

/** Deletes a tenant whose keys are among many others in Redis, and watches the server's heap. */
export const deleteAmongKeys = async ({ foreign, own }: Sizes): Promise<KeysResult> => {
	const closing: (() => Promise<unknown>)[] = [];
	try {
		const postgres = await startPostgres();
		closing.push(postgres.close);
		const redisServer = await startRedis();
		closing.push(redisServer.close);
		const redis = new Redis(redisServer.port, "127.0.0.1");
		closing.push(async () => redis.disconnect());
		const server = await startServer({
			databaseURL: postgres.url,
			hashing: "cheap",
			redis: { url: redisServer.url, prefix: PREFIX },
			tenants: { deletion: { drainTime: 0 } },
		});
		closing.push(server.close);
		const client = openClient(server.origin, { connections: 2 });
		closing.push(client.close);
		const newTenant = async (slug: string): Promise<string> =>
			textOf(orThrow(await client.send("/tenant/create", { operator: true, body: { name: slug, slug } })), "id");
		const remove = async (tenantId: string) =>
			orThrow(await client.send("/tenant/delete", { operator: true, body: { tenantId } }));
		// compiles and connects everything before measuring
		await remove(await newTenant("warm-up"));

		const tenantId = await newTenant("deleted");
		// every second one begins with the id of the deleted tenant
		await fillKeys(redis, foreign, (n) =>
			n % 2 === 0 ? `${tenantId}${n % FOREIGN_TENANTS}` : `f${n % FOREIGN_TENANTS}`,
		);
		await fillKeys(redis, own, () => tenantId);
		const endMemory = watchMemory(server, MEMORY_EVERY_MS);
		const before = await server.call("memory");
		const began = performance.now();
		await remove(tenantId);
		const seconds = round((performance.now() - began) / 1000, 2);
		const { memory } = await endMemory();
		const left = await redis.dbsize();
		const ownLeft = await countKeys(redis, `${PREFIX}tenant:${tenantId}:*`);
		return {
			own,
			foreign,
			seconds,
			heapMB: { before: round((before.heapUsed + before.external) / 2 ** 20, 1), most: memory.mostMB },
			ownLeft,
			foreignLost: foreign + ownLeft - left,
		};
	} finally {
		for (const close of closing.toReversed()) await close();
	}
};

/** Values as small as possible: only their names are read. */
const fillKeys = async (redis: Redis, count: number, tenantOf: (n: number) => string): Promise<void> => {
	for (let first = 0; first < count; first += CHUNK) {
		const length = Math.min(CHUNK, count - first);
		const names = Array.from(
			{ length },
			(_, n) => `${PREFIX}tenant:${tenantOf(first + n)}:verification:state-${first + n}`,
		);
		await redis.mset(names.flatMap((name) => [name, "1"]));
	}
};

const countKeys = async (redis: Redis, pattern: string): Promise<number> => {
	const found = new Set<string>();
	for await (const keys of redis.scanStream({ match: pattern, count: CHUNK }))
		for (const key of keys as string[]) found.add(key);
	return found.size;
};
