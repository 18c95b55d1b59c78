import { Redis } from "ioredis";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { boundStorage } from "../../src/load/bounds/bounded-storage.ts";

/** The largest value in Redis whose key contains a text. */
const largest = async (part: string): Promise<number> => {
	const redis = new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379");
	onTestFinished(() => redis.disconnect());
	const sizes = await Promise.all((await redis.keys(`*${part}*`)).map((key) => redis.strlen(key)));
	return Math.max(0, ...sizes);
};

const google = { socialProviders: { google: { clientId: "id", clientSecret: "secret" } } };

// threat 155
it("keeps no state in Redis that is longer than a verification", async () => {
	const world = await createWorld({ redis: true, engine: google });
	const tenants = [await world.newTenant(), await world.newTenant(), undefined];
	for (const tenant of tenants) {
		const begin = (characters: number) =>
			world.call("/sign-in/social", {
				tenant,
				body: { provider: "google", additionalData: { a: "x".repeat(characters) } },
			});
		const refused = await begin(17_000);
		expect([refused.status, refused.code]).toEqual([400, "FIELD_TOO_LONG"]);
		// quotes take more room in Redis than the value has characters
		expect((await begin(15_500)).status).toBe(200);
	}
	expect(await world.redisKeys()).toHaveLength(tenants.length);
	for (const tenant of tenants.slice(0, 2)) expect(await largest(`tenant:${tenant}:`)).toBeLessThan(20_000);
});

// threat 155
it("copies no more of a user into a session than the fields of a user may have", async () => {
	const world = await createWorld({ redis: true });
	for (const tenant of [await world.newTenant(), await world.newTenant()]) {
		const browser = await world.signUp(tenant, "ada@example.com");
		const body = { image: "x".repeat(8_192), name: "x".repeat(255) };
		expect((await world.call("/update-user", { browser, body })).status).toBe(200);
		expect((await world.call("/get-session", { browser })).json.user.image).toHaveLength(8_192);
		// the whole copy, with everything else of the session
		expect(await largest(`tenant:${tenant}:`)).toBeLessThan(10_000);
	}
});

// threat 155
it("refuses other values above limits.storedValue, of a tenant and of the platform", async () => {
	const world = await createWorld({
		redis: true,
		tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, limits: { storedValue: 2_000 } },
	});
	const { secondaryStorage } = await world.auth.$context;
	for (const tenant of [await world.newTenant(), await world.newTenant()])
		await runWithTenant(tenant, async () => {
			await expect(secondaryStorage?.set("plugin", "x".repeat(2_001))).rejects.toMatchObject({
				body: { code: "FIELD_TOO_LONG", message: expect.stringContaining("limits.storedValue") },
			});
			await secondaryStorage?.set("plugin", "x".repeat(2_000));
			// a list grows with the sessions of a user
			await secondaryStorage?.set("active-sessions-x", "x".repeat(2_001));
			await expect(secondaryStorage?.set("active-sessions-x", "x".repeat(524_289))).rejects.toThrow();
		});
	await expect(secondaryStorage?.set("plugin", "x".repeat(2_001))).rejects.toThrow();
});

describe("the bound of a stored value", () => {
	const stored: [string, unknown][] = [];
	const storage = { set: async (key: string, value: unknown) => void stored.push([key, value]) };
	const bounds = (row: number) => ({
		boundOf: () => 10,
		rowOf: () => row,
		assertRow: () => {},
		assertFields: (_: string, { value }: Record<string, unknown>) => {
			if (String(value).length > 10) throw new Error("too long");
		},
	});
	const set = (row: number, key: string, value: unknown) =>
		boundStorage(storage as never, bounds(row)).set(key, value as string);

	it("is that of a user and a session together, so that fields within their bounds always fit", async () => {
		await set(50_000, "session", "x".repeat(200_000));
		await expect(set(50_000, "session", "x".repeat(200_001))).rejects.toThrow();
		await expect(set(100, "session", "x".repeat(65_537))).rejects.toThrow();
		await set(100_000, "api-key:x", "x".repeat(200_000));
		await set(10, "api-key:by-ref:x", "x".repeat(500_000));
	});

	it("is that of the row for a verification, whatever it looks like in JSON", async () => {
		await set(10, "verification:x", JSON.stringify({ value: '"""""""""' }));
		for (const value of [JSON.stringify({ value: "x".repeat(11) }), `"${"x".repeat(11)}"`, "x".repeat(11)])
			await expect(set(10, "verification:x", value)).rejects.toThrow("too long");
		await set(10, "verification:x", { parsed: "by the storage" });
	});
});
