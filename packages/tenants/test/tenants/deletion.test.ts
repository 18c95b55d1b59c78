import { twoFactor } from "better-auth/plugins/two-factor";
import { globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const idp = useIdentityProvider();

describe("deleting a tenant", () => {
	// threat 10
	it("frees its slug for a new tenant that inherits nothing", async () => {
		const world = await createWorld({ engine: { socialProviders: globalProviders(idp()) } });
		const person = { sub: "s-1", email: "ada@example.com" };
		const first = await world.newTenant("acme");
		const { browser } = await signInSocially(world, idp(), first, person);
		const before = (await world.call("/get-session", { browser })).json.user.id;
		await world.call("/tenant/delete", { operator: true, body: { tenantId: first } });
		const second = await world.newTenant("acme");
		expect(second).not.toBe(first);
		const again = await signInSocially(world, idp(), second, person);
		expect((await world.call("/get-session", { browser: again.browser })).json.user.id).not.toBe(before);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});

	// threats 41 and 43
	it("ends its sessions in a storage that cannot list keys, too", async () => {
		const stored = new Map<string, string>();
		const take = (key: string) => {
			const value = stored.get(key) ?? null;
			stored.delete(key);
			return value;
		};
		const world = await createWorld({
			engine: {
				secondaryStorage: {
					get: (key) => stored.get(key) ?? null,
					getAndDelete: take,
					set: (key, value) => void stored.set(key, value),
					delete: (key) => void stored.delete(key),
					increment: () => 1,
				},
			},
		});
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [gone, stays]) await world.signUp(tenantId, "ada@example.com");
		const keysOf = (tenantId: string) => [...stored.keys()].filter((key) => key.includes(tenantId));
		const untouched = keysOf(stays);
		expect([keysOf(gone).length, untouched.length]).toEqual([2, 2]);
		await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
		expect([keysOf(gone), keysOf(stays)]).toEqual([[], untouched]);
	});

	it("never deletes the platform", async () => {
		const world = await createWorld();
		await world.signUp(undefined, "ada@example.com");
		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: "platform" } })).status).toBe(404);
		expect((await world.database.query('select count(*) as n from "user"'))[0]?.n).toBe(1);
	});

	// threat 41
	it("deletes the rows of composed plugins", async () => {
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, deletion: { drainTime: 0, batchSize: 1 } }, [
				twoFactor(),
			]),
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) {
			const browser = await world.signUp(tenantId, "ada@example.com");
			expect(
				(await world.call("/two-factor/enable", { browser, body: { password: "correct horse battery" } })).status,
			).toBe(200);
		}
		await world.call("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect((await world.database.query('select "tenantId" from "twoFactor"')).map((row) => row.tenantId)).toEqual([b]);
	});
});
