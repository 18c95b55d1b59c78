import { createWorld, PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";

it("stores new sessions in the storage too, also beside older ones of the user", async () => {
	const stored = new Map<string, string>();
	const world = await createWorld({
		engine: {
			session: { storeSessionInDatabase: true },
			secondaryStorage: {
				get: async (key) => stored.get(key) ?? null,
				set: async (key, value) => void stored.set(key, value),
				delete: async (key) => void stored.delete(key),
				getAndDelete: async (key) => {
					const value = stored.get(key) ?? null;
					stored.delete(key);
					return value;
				},
				increment: async (key) => {
					const count = Number(stored.get(key) ?? 0) + 1;
					stored.set(key, String(count));
					return count;
				},
			},
		},
	});
	const tenantId = await world.newTenant();
	const body = { tenantId, email: "ada@example.com", password: PASSWORD };
	const tokens = [await world.call("/tenant/sign-up/email", { body: { ...body, name: "Ada" } })];
	for (let count = 0; count < 2; count += 1) tokens.push(await world.call("/tenant/sign-in/email", { body }));
	for (const { json } of tokens) expect([...stored.keys()].some((key) => key.includes(json.token))).toBe(true);
});
