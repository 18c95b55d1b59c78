import { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { assertRowSecurity } from "../../src/rows.ts";
import { secureShop } from "./support/secure-shop.ts";

const TABLES = ["customer", "invoice"];
const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });
const INACTIVE = code("ROW_SECURITY_INACTIVE");

describe("assertRowSecurity", () => {
	it("accepts the role and the policies of the guide", async () => {
		const { app } = await secureShop();
		await expect(assertRowSecurity(app, TABLES)).resolves.toBeUndefined();
	});

	// threat 105
	it("throws for a superuser, BYPASSRLS, a table without row-level security, a missing table and no table", async () => {
		const { app, owner, query, role } = await secureShop();
		await expect(assertRowSecurity(owner, TABLES)).rejects.toEqual(INACTIVE);
		await expect(assertRowSecurity(app, [])).rejects.toEqual(INACTIVE);
		await expect(assertRowSecurity(app, [...TABLES, "missing"])).rejects.toThrow(/^missing: /);
		await query(`alter role ${role} bypassrls`);
		await expect(assertRowSecurity(app, TABLES)).rejects.toEqual(INACTIVE);
		await query(`alter role ${role} nobypassrls`);
		await query('alter table "invoice" disable row level security');
		await expect(assertRowSecurity(app, TABLES)).rejects.toThrow(/^invoice: /);
	});

	// threat 105
	it("throws for the owner of a table, unless row-level security is forced", async () => {
		const { app, query, role } = await secureShop();
		for (const table of TABLES) await query(`alter table "${table}" owner to ${role}`);
		await expect(assertRowSecurity(app, TABLES)).resolves.toBeUndefined();
		await expect(app.query('select * from "invoice"')).rejects.toThrow("No tenant is set");
		await query('alter table "invoice" no force row level security');
		await expect(assertRowSecurity(app, TABLES)).rejects.toThrow(/^invoice: /);
		expect((await app.query('select * from "invoice"')).rowCount).toBe(4);
	});

	// threat 105
	it("throws for a table whose policy was replaced or applies to some commands only", async () => {
		const { app, query } = await secureShop();
		await query('drop policy tenant_rows on "invoice"');
		await expect(assertRowSecurity(app, TABLES)).rejects.toThrow(/^invoice: /);
		await query('create policy tenant_rows on "invoice" using (true)');
		await expect(assertRowSecurity(app, TABLES)).rejects.toThrow(/^invoice: /);
		await query('drop policy tenant_rows on "invoice"');
		await query('create policy tenant_rows on "invoice" as restrictive for update using (true)');
		await expect(assertRowSecurity(app, TABLES)).rejects.toThrow(/^invoice: /);
	});

	// threat 106
	it("throws if connections have a tenant from the start", async () => {
		const { query, role, url } = await secureShop();
		await query(`alter role ${role} set app.tenant_id = 'a'`);
		const app = new Pool({ connectionString: url });
		await expect(assertRowSecurity(app, TABLES)).rejects.toEqual(code("ROW_SETTING_PRESENT"));
		await app.end();
	});
});
