import { getAdapter } from "better-auth/db/adapter";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { deletionOf } from "../../src/features/tenants/deletion.ts";
import { createRowSweep } from "../../src/features/tenants/sweep-rows.ts";
import { createRawAdapter } from "../../src/scope/data/raw-adapter.ts";
import { failing } from "../database/support/refused-writes.ts";
import { createTransferable } from "../transfer/transferable.ts";

describe("a write to the table of tenants that fails", () => {
	it("fails the change, and confirms nothing that was not stored", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		const update = (tenantId: string, changes: object) =>
			world.call("/tenant/update", { operator: true, body: { tenantId, ...changes } });
		await world.database.query(failing('update of "name" on "tenant"'));
		for (const changes of [{ name: "Other" }, { name: "Other", slug: "other" }])
			expect((await update(a, changes)).status).toBe(500);
		await world.database.query('drop trigger "failing"');
		expect((await update(b, { name: "Other" })).status).toBe(200);
		const rows = await world.database.query('select "slug", "name" from "tenant" order by "slug"');
		expect(rows).toEqual([
			{ slug: "acme", name: "Tenant acme" },
			{ slug: "globex", name: "Other" },
		]);
	});

	it("fails an import, and does not blame the id", async () => {
		const { world, importTenant } = await createTransferable({ database: "postgres" });
		await world.newTenant();
		await world.database.query(
			`create function fail() returns trigger language plpgsql as $$ begin raise exception 'going down' using errcode = '57P01'; end $$`,
		);
		await world.database.query('create trigger failing before insert on "tenant" execute function fail()');
		const body = { id: "imported", name: "Imported", slug: "imported" };
		const failed = await importTenant(body);
		expect([failed.status, failed.code]).toEqual([500, undefined]);
		await world.database.query('drop trigger failing on "tenant"');
		expect((await importTenant(body)).status).toBe(200);
		expect(await world.database.query('select "id" from "tenant"')).toHaveLength(2);
	});
});

describe("creating a tenant", () => {
	it("sends no insert for a slug that is taken", async () => {
		const world = await createWorld();
		await world.newTenant("acme");
		world.database.statements.length = 0;
		const answer = await world.call("/tenant/create", { operator: true, body: { name: "Other", slug: "acme" } });
		expect([answer.status, answer.code]).toEqual([409, "TENANT_SLUG_TAKEN"]);
		expect(world.database.statements.filter((sql) => sql.startsWith("insert"))).toEqual([]);
	});
});

describe("deleting a tenant", () => {
	it("fails if its rows cannot be deleted, after a few attempts", async () => {
		const world = await createWorld();
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [gone, stays]) await world.signUp(tenantId, "ada@example.com");
		await world.database.query(failing('delete on "account"'));
		const { adapter } = createRawAdapter(await getAdapter((await world.auth.$context).options));
		let attempts = 0;
		const sweep = createRowSweep({ adapter, batchSize: 10, oneByOne: false, byKeyOnly: false });
		const isSame = async () => {
			attempts += 1;
			return attempts < 20;
		};
		await expect(sweep(["account"], { tenantId: gone, isSame })).rejects.toThrow("the disk is full");
		expect(attempts).toBe(5);
		expect(await world.database.query('select "id" from "account"')).toHaveLength(2);
	});

	it("never deletes the platform, also from inside", async () => {
		const world = await createWorld();
		await world.signUp(undefined, "ada@example.com");
		await world.signUp(await world.newTenant(), "ada@example.com");
		const deletion = deletionOf(await contextOf(world.auth));
		await expect(deletion("platform")).rejects.toThrow("the platform cannot be deleted");
		expect(await world.database.query('select "id" from "user"')).toHaveLength(2);
	});
});
