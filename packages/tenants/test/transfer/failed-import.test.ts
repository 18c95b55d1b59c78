import { MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { userImportOf } from "../../src/features/transfer/user-import.ts";
import { createTransferable, userNamed } from "./transferable.ts";

describe("importing users", () => {
	it("fails if the application's check of hashes does, and does not blame a user", async () => {
		let isBroken = true;
		const acceptsPasswordHash = () => {
			if (isBroken) throw new Error("the check is broken");
			return true;
		};
		const { world, importUsers, usersOf } = await createTransferable({
			tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, transfer: { acceptsPasswordHash } },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect((await importUsers(a, [userNamed("ada")])).status).toBe(500);
		expect(await usersOf(a)).toEqual([]);
		isBroken = false;
		expect((await importUsers(b, [userNamed("ada")])).json).toEqual({ imported: 1, existing: 0, refused: [] });
	});

	it("refuses an id that the database would store in another form", async () => {
		const { world, importUsers, usersOf } = await createTransferable({
			engine: { advanced: { disableOriginCheck: false, database: { generateId: "serial" } } },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const { json } = await importUsers(a, [userNamed("ada", { id: "007" }), userNamed("grace", { id: "8" })]);
		expect(json).toMatchObject({ imported: 1, refused: [{ index: 0, code: "INVALID_VALUE" }] });
		expect((await usersOf(a)).map(({ id, name }) => [id, name])).toEqual([[8, "grace"]]);
		expect(await usersOf(b)).toEqual([]);
	});

	it("is not confirmed for a tenant that was closed meanwhile, also without users", async () => {
		const { world, usersOf } = await createTransferable();
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		const importUsers = userImportOf(await contextOf(world.auth));
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${gone}'`);
		const missing = expect.objectContaining({ body: expect.objectContaining({ code: "TENANT_NOT_FOUND" }) });
		await expect(importUsers(gone, [])).rejects.toEqual(missing);
		expect(await importUsers(stays, [])).toEqual(new Map());
		expect([await usersOf(gone), await usersOf(stays)]).toEqual([[], []]);
	});
});
