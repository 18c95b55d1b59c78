import { describe, expect, it } from "vitest";
import { failing } from "../database/support/refused-writes.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

describe("a tenant's domain", () => {
	it("is not added if the database fails, and the error is the database's", async () => {
		const { auth, acme, globex, addDomain, database } = await createHostedWorld();
		await database.query(failing('insert on "tenantDomain"'));
		const add = (tenantId: string) => auth.api.addTenantDomain({ body: { tenantId, domain: "login.acme.com" } });
		for (const tenantId of [acme, globex]) await expect(add(tenantId)).rejects.toThrow("the disk is full");
		await database.query('drop trigger "failing"');
		expect((await addDomain(acme, "login.acme.com")).status).toBe(200);
	});

	// threat 89
	it("belongs to a tenant that exists, and not to the platform", async () => {
		const { acme, addDomain, call, database } = await createHostedWorld();
		expect((await addDomain(acme, "login.acme.com")).status).toBe(200);
		for (const tenantId of ["missing", "platform"]) {
			const added = await addDomain(tenantId, "login.other.com");
			const body = { tenantId, domain: "login.acme.com" };
			const removed = await call("/tenant/domain/remove", { operator: true, body });
			expect([added.status, added.code]).toEqual([404, "TENANT_NOT_FOUND"]);
			expect([removed.status, removed.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		expect(await database.query('select "domain" from "tenantDomain"')).toEqual([{ domain: "login.acme.com" }]);
	});
});
