import { redisStorage } from "@better-auth/redis-storage";
import { Redis } from "ioredis";
import { startRedis } from "test-kit/servers/redis-server";
import { createWorld } from "test-kit/world";
import { expect, it, onTestFinished } from "vitest";
import { withKeyScan } from "../../src/index.ts";

const FOREIGN = 20_000;
const OWN = 5_000;
const CHUNK = 1_000;

// threats 43 and 94
it("deleting a tenant among many keys never holds the names of others, and few of its own at once", async () => {
	const server = await startRedis();
	onTestFinished(server.close);
	const client = new Redis(server.port, "127.0.0.1");
	onTestFinished(async () => void (await client.quit()));
	const storage = withKeyScan(redisStorage, { client, keyPrefix: "app:" });
	const pages: string[][] = [];
	const watched = {
		...storage,
		scanKeys: async function* (prefix: string) {
			for await (const keys of storage.scanKeys(prefix)) {
				pages.push(keys);
				yield keys;
			}
		},
		listKeys: () => Promise.reject(new Error("The names of all keys were read")),
	};
	const world = await createWorld({ engine: { secondaryStorage: watched } });
	const [gone, stays] = [await world.newTenant(), await world.newTenant()];
	const fill = async (count: number, tenantOf: (n: number) => string): Promise<void> => {
		for (let first = 0; first < count; first += CHUNK) {
			const names = Array.from(
				{ length: CHUNK },
				(_, n) => `app:tenant:${tenantOf(first + n)}:verification:${first + n}`,
			);
			await client.mset(names.flatMap((name) => [name, "{}"]));
		}
	};
	// ids that begin with the tenant's, and other tenants
	await fill(FOREIGN, (n) => (n % 2 === 0 ? `${gone}${n % 7}` : stays));
	await fill(OWN, () => gone);

	expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } })).json).toEqual({
		success: true,
	});

	expect(await client.dbsize()).toBe(FOREIGN);
	expect(new Set(pages.flat()).size).toBe(OWN);
	expect(pages.flat().filter((key) => !key.startsWith(`tenant:${gone}:`))).toEqual([]);
	// Redis looks at 1,000 names for a page, or a few more; keys are spread over them evenly
	expect(Math.max(...pages.map((keys) => keys.length))).toBeLessThan(OWN / 4);
});
