import { username } from "better-auth/plugins/username";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant, withTenants } from "../../src/index.ts";

const createNamedWorld = (): Promise<World> =>
	createWorld({ allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [username()]) });

const columnOf = async (world: World, email: string, tenantId: string) =>
	(
		await world.database.query(
			`select "tenantUnique_username" as name from "user" where "email" = '${email}' and "tenantId" = '${tenantId}'`,
		)
	)[0]?.name;

describe("the column that makes a name unique per tenant", () => {
	it("is set by a sign-up, with the tenant of the request", async () => {
		const world = await createNamedWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, b]) {
			const body = { name: "Ada", email: "ada@example.com", password: PASSWORD, username: "ada" };
			expect((await world.call("/sign-up/email", { tenant, body })).status).toBe(200);
			expect(await columnOf(world, "ada@example.com", tenant)).toBe(`${tenant}:ada`);
		}
	});

	// threat 65
	it("cannot be written, so nobody reserves a name in another tenant", async () => {
		const world = await createNamedWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) await world.signUp(tenantId, "ada@example.com");
		const { adapter } = await world.auth.$context;
		const foreign = { tenantUnique_username: `${b}:ada` };
		const where = [{ field: "email", value: "ada@example.com" }];
		await runWithTenant(a, async () => {
			// nothing else is written, so the row is read instead
			expect(await adapter.update({ model: "user", where, update: foreign })).toMatchObject({ tenantId: a });
			const data = { name: "Eve", email: "eve@example.com", emailVerified: false, ...foreign };
			const dates = { createdAt: new Date(), updatedAt: new Date() };
			await adapter.create({ model: "user", data: { ...data, ...dates } });
		});
		expect(await columnOf(world, "ada@example.com", a)).toBeNull();
		expect(await columnOf(world, "eve@example.com", a)).toBeNull();
		await runWithTenant(b, () => adapter.update({ model: "user", where, update: { username: "ada" } }));
		expect(await columnOf(world, "ada@example.com", b)).toBe(`${b}:ada`);
	});

	it("is empty for users who give their name up", async () => {
		const world = await createNamedWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const { adapter } = await world.auth.$context;
		for (const tenantId of [a, b])
			for (const email of ["ada@example.com", "grace@example.com"]) {
				await world.signUp(tenantId, email);
				const where = [{ field: "email", value: email }];
				await runWithTenant(tenantId, async () => {
					await adapter.update({ model: "user", where, update: { username: email.slice(0, 3) } });
					await adapter.update({ model: "user", where, update: { username: null } });
				});
				expect(await columnOf(world, email, tenantId)).toBeNull();
			}
	});
});
