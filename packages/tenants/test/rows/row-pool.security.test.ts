import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Pool, Query } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { rowSecuritySql, tenantRowPool } from "../../src/rows.ts";
import { secureShop } from "./support/secure-shop.ts";
import { ids } from "./support/shop.ts";

type Tables = { invoice: { id: string; tenantId: string; customerId: string; amount: number } };
const ALL = 'select "id", "tenantId" from "invoice"';
const VIOLATION = expect.objectContaining({ code: "42501" });
const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });

const kysely = (pool: Pool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool: tenantRowPool(pool) }) });

describe("tenantRowPool", () => {
	// threat 166
	it("limits Kysely, Drizzle and plain SQL, in raw SQL as well", async () => {
		const { app } = await secureShop();
		const db = kysely(app);
		await runWithTenant("a", async () => {
			expect(ids(await db.selectFrom("invoice").selectAll().execute())).toEqual(["a1", "a2"]);
			expect(ids((await sql<{ id: string }>`select * from invoice`.execute(db)).rows)).toEqual(["a1", "a2"]);
			const either = db.selectFrom("invoice").selectAll().where("id", "=", "b1").modifyEnd(sql`or 1 = 1`);
			expect(ids(await either.execute())).toEqual(["a1", "a2"]);
			const rows = await drizzle(tenantRowPool(app)).execute<{ id: string }>(drizzleSql.raw(ALL));
			expect(ids(rows.rows)).toEqual(["a1", "a2"]);
			expect(ids((await tenantRowPool(app).query(ALL)).rows)).toEqual(["a1", "a2"]);
		});
		expect(ids(await runWithTenant("b", () => db.selectFrom("invoice").selectAll().execute()))).toEqual(["b1", "b2"]);
	});

	// threat 167
	it("runs a compiled query in the tenant that runs it", async () => {
		const { app } = await secureShop();
		const db = kysely(app);
		const compiled = await runWithTenant("b", async () => db.selectFrom("invoice").selectAll().compile());
		expect(ids((await runWithTenant("a", () => db.executeQuery(compiled))).rows)).toEqual(["a1", "a2"]);
		await expect(db.executeQuery(compiled)).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
	});

	// threat 166
	it("sets the tenant in transactions of the library, and refuses another tenant in them", async () => {
		const { app, invoices } = await secureShop();
		const db = kysely(app);
		await runWithTenant("a", () =>
			db.transaction().execute(async (trx) => {
				await trx.updateTable("invoice").set({ amount: 70 }).execute();
				const other = runWithTenant("b", () => trx.selectFrom("invoice").selectAll().execute());
				await expect(other).rejects.toEqual(code("ROW_QUERY_OF_ANOTHER_TENANT"));
			}),
		);
		expect(await invoices()).toEqual(["a1:a:70", "a2:a:70", "b1:b:1", "b2:b:2"]);
		const moved = () => db.updateTable("invoice").set({ tenantId: "b" }).execute();
		await expect(runWithTenant("a", moved)).rejects.toEqual(VIOLATION);
		const drizzled = drizzle(tenantRowPool(app));
		const read = () => drizzled.transaction((tx) => tx.execute<{ id: string }>(drizzleSql.raw(ALL)));
		expect(ids((await runWithTenant("b", read)).rows)).toEqual(["b1", "b2"]);
	});

	// threat 106
	it("leaves no tenant on the connection, also if a transaction is left open or a statement fails", async () => {
		const { app } = await secureShop(1);
		const pool = tenantRowPool(app);
		const withoutTenant = () => expect(app.query(ALL)).rejects.toEqual(VIOLATION);
		await runWithTenant("a", () => pool.query(ALL));
		await withoutTenant();
		await expect(runWithTenant("a", () => pool.query("select 1 / 0"))).rejects.toThrow("division by zero");
		await withoutTenant();
		await runWithTenant("a", async () => {
			const client = await pool.connect();
			await expect(client.query("select 1 / 0")).rejects.toThrow("division by zero");
			expect(ids((await client.query(ALL)).rows)).toEqual(["a1", "a2"]);
			client.release();
		});
		await withoutTenant();
		await runWithTenant("a", async () => {
			const client = await pool.connect();
			await client.query("begin");
			await client.query("savepoint s");
			await client.query("rollback to savepoint s");
			expect(ids((await client.query(ALL)).rows)).toEqual(["a1", "a2"]);
			client.release();
		});
		await withoutTenant();
	});

	// threat 106
	it("keeps statements of two tenants apart on one connection that nobody waits for", async () => {
		const { app } = await secureShop(1);
		const client = await runWithTenant("a", () => tenantRowPool(app).connect());
		const read = (tenant: string) => runWithTenant(tenant, () => client.query<{ tenantId: string }>(ALL));
		const tenants = Array.from({ length: 20 }, (_, n) => (n % 2 ? "a" : "b"));
		const found = await Promise.all(tenants.map(read));
		expect(found.map(({ rows }) => [...new Set(rows.map(({ tenantId }) => tenantId))])).toEqual(
			tenants.map((tenant) => [tenant]),
		);
		client.release();
	});

	// threat 106
	it("refuses a connection that was given back, which another tenant may have", async () => {
		const { app } = await secureShop(1);
		const pool = tenantRowPool(app);
		const early = await runWithTenant("a", () => pool.connect());
		early.release();
		await runWithTenant("b", async () => {
			const client = await pool.connect();
			onTestFinished(() => client.release());
			await client.query("begin");
			const late = () => runWithTenant("a", () => early.query(ALL));
			expect(late).toThrow(code("ROW_CLIENT_RELEASED"));
			expect(() => early.release()).toThrow(code("ROW_CLIENT_RELEASED"));
			expect(ids((await client.query(ALL)).rows)).toEqual(["b1", "b2"]);
			expect(app.idleCount).toBe(0);
			await client.query("commit");
		});
	});

	// threat 106
	it("does not run a statement that nobody waited for on the connection of another tenant", async () => {
		const { app } = await secureShop(1);
		const pool = tenantRowPool(app);
		const forgotten = await runWithTenant("a", async () => {
			const client = await pool.connect();
			const statements = [1, 2].map(() => client.query(ALL).then(({ rows }) => ids(rows)));
			const settled = Promise.allSettled(statements);
			client.release();
			return settled;
		});
		expect(ids((await runWithTenant("b", () => pool.query(ALL))).rows)).toEqual(["b1", "b2"]);
		expect(forgotten.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	});

	// threat 166
	it("refuses callbacks, which would run after the tenant's transaction", async () => {
		const { app } = await secureShop();
		const pool = tenantRowPool(app);
		await runWithTenant("a", async () => {
			expect(() => pool.query(ALL, () => {})).toThrow("a callback");
			await expect(pool.connect(() => {})).rejects.toThrow("a callback");
		});
		expect(app.totalCount).toBe(0);
	});

	// threat 166
	it("takes no connection without a tenant, and refuses streams outside of a transaction and callbacks", async () => {
		const { app } = await secureShop();
		const pool = tenantRowPool(app);
		await expect(pool.query(ALL)).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		await expect(pool.connect()).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		expect(app.totalCount).toBe(0);
		await runWithTenant("a", async () => {
			const client = await pool.connect();
			expect(() => client.query(new Query(ALL))).toThrow("a stream outside of a transaction");
			expect(() => client.query(ALL, () => {})).toThrow("a callback");
			await client.query("begin");
			const streamed = client.query(new Query<{ id: string }>(ALL));
			const found: { id: string }[] = [];
			streamed.on("row", (row) => found.push(row));
			await new Promise((resolve) => streamed.on("end", resolve));
			expect(ids(found)).toEqual(["a1", "a2"]);
			await client.query("commit");
			client.release();
		});
	});

	it("costs three statements, and one in a transaction", async () => {
		const { app } = await secureShop(1);
		const sent: string[] = [];
		const client = await app.connect();
		const send = client.query.bind(client) as (...args: unknown[]) => unknown;
		const query = (...args: unknown[]) => {
			sent.push(String(args[0]));
			return send(...args);
		};
		Object.assign(client, { query });
		client.release();
		const db = kysely(app);
		await runWithTenant("a", () => db.selectFrom("invoice").select("id").execute());
		const set = "select set_config($1, $2, true)";
		expect(sent).toEqual(["begin", set, 'select "id" from "invoice"', "commit"]);
		sent.length = 0;
		await runWithTenant("a", () => db.transaction().execute((trx) => trx.selectFrom("invoice").select("id").execute()));
		expect(sent).toEqual(["begin", set, 'select "id" from "invoice"', "commit"]);
	});
});

describe("rowSecuritySql", () => {
	// threat 166
	it("lets no other policy show rows of another tenant, and can run again", async () => {
		const { app, query, invoices } = await secureShop();
		await query(rowSecuritySql({ own: ["customer", "invoice"] }));
		await query('create policy open on "invoice" using (true) with check (true)');
		const pool = tenantRowPool(app);
		expect(ids((await runWithTenant("a", () => pool.query(ALL))).rows)).toEqual(["a1", "a2"]);
		const planted = () => pool.query(`insert into "invoice" values ('n1', 'b', 'c-b', 1)`);
		await expect(runWithTenant("a", planted)).rejects.toEqual(VIOLATION);
		await runWithTenant("a", () =>
			pool.query(`insert into "invoice" ("id", "customerId", "amount") values ('n2', 'c-a', 1)`),
		);
		expect(await invoices()).toEqual(["a1:a:1", "a2:a:2", "b1:b:1", "b2:b:2", "n2:a:1"]);
	});

	it("quotes names, and refuses no tables", () => {
		expect(rowSecuritySql({ own: ['shop.in"voice'], column: "org" })).toContain('on "shop"."in""voice" as restrictive');
		expect(() => rowSecuritySql({ own: [] })).toThrow("no tables");
	});
});
