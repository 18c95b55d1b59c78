import type { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { withTenantRows } from "../../src/rows.ts";
import { secureShop } from "./support/secure-shop.ts";
import { ids, openShop } from "./support/shop.ts";

type Invoice = { id: string; tenantId: string };
const ALL = 'select "id", "tenantId" from "invoice"';
const VIOLATION = expect.objectContaining({ code: "42501" });
const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });

/** Without a tenant, the policies refuse to look at rows. */
const expectNoTenant = async (pool: Pool): Promise<void> => {
	// the pool's own `query` would end the connection that a later check looks at
	const client = await pool.connect();
	await expect(client.query(ALL)).rejects.toEqual(VIOLATION);
	client.release();
};
const readIn = (tenant: string, pool: Pool): Promise<string[]> =>
	runWithTenant(tenant, () => withTenantRows(pool, async (client) => ids((await client.query<Invoice>(ALL)).rows)));

describe("withTenantRows", () => {
	// threat 105
	it("shows a query without a condition only rows of the current tenant", async () => {
		const { app } = await secureShop();
		expect(await readIn("a", app)).toEqual(["a1", "a2"]);
		expect(await readIn("b", app)).toEqual(["b1", "b2"]);
		const joined = await runWithTenant("a", () =>
			withTenantRows(app, (client) =>
				client.query('select i."id" from "invoice" i join "customer" c on c."id" = i."customerId"'),
			),
		);
		expect(ids(joined.rows)).toEqual(["a1", "a2"]);
		const counted = await runWithTenant("b", () =>
			withTenantRows(app, (client) => client.query('select count(*)::int as n from "invoice"')),
		);
		expect(counted.rows).toEqual([{ n: 2 }]);
	});

	// threat 105
	it("refuses to write rows of another tenant, and does not find them", async () => {
		const { app, invoices } = await secureShop();
		const run = (statement: string) =>
			runWithTenant("a", () => withTenantRows(app, async (client) => (await client.query(statement)).rowCount));
		await expect(run(`insert into "invoice" values ('n1', 'b', 'c-b', 1)`)).rejects.toEqual(VIOLATION);
		await expect(run(`update "invoice" set "tenantId" = 'b'`)).rejects.toEqual(VIOLATION);
		expect(await run(`update "invoice" set "amount" = 70 where "id" = 'b1'`)).toBe(0);
		expect(await run(`delete from "invoice" where "tenantId" = 'b'`)).toBe(0);
		expect(await invoices()).toEqual(["a1:a:1", "a2:a:2", "b1:b:1", "b2:b:2"]);
		expect(await run(`insert into "invoice" ("id", "customerId", "amount") values ('n2', 'c-a', 1)`)).toBe(1);
		expect(await run(`update "invoice" set "amount" = 70`)).toBe(3);
		expect(await invoices()).toEqual(["a1:a:70", "a2:a:70", "b1:b:1", "b2:b:2", "n2:a:70"]);
	});

	// threat 106
	it("refuses its connection after the transaction, when another tenant has it", async () => {
		const { app, invoices } = await secureShop(1);
		const early = await runWithTenant("a", () => withTenantRows(app, async (client) => client));
		await runWithTenant("b", () =>
			withTenantRows(app, async (client) => {
				for (const statement of [ALL, `update "invoice" set "amount" = 70`])
					expect(() => early.query(statement)).toThrow(code("ROW_CLIENT_RELEASED"));
				expect(() => client.release()).toThrow(code("ROW_QUERY_NOT_SUPPORTED"));
				expect(app.idleCount).toBe(0);
			}),
		);
		const failing = runWithTenant("a", () =>
			withTenantRows(app, async (client) => {
				throw Object.assign(new Error("failed"), { client });
			}),
		);
		const { client } = await failing.catch((error) => error);
		expect(() => client.query(ALL)).toThrow(code("ROW_CLIENT_RELEASED"));
		expect(await invoices()).toEqual(["a1:a:1", "a2:a:2", "b1:b:1", "b2:b:2"]);
	});

	// threat 105
	it("refuses queries outside of its transaction", async () => {
		const { app } = await secureShop(1);
		await expectNoTenant(app);
		await expect(app.query(`insert into "invoice" values ('n1', 'a', 'c-a', 1)`)).rejects.toEqual(VIOLATION);
	});

	// threat 106
	it("leaves no tenant on the connection after commit, rollback and a failed statement", async () => {
		const { app } = await secureShop(1);
		const backend = async () => (await app.query("select pg_backend_pid() as pid")).rows[0].pid;
		const before = await backend();
		await readIn("a", app);
		await expectNoTenant(app);
		const failing = (work: () => Promise<unknown>) =>
			runWithTenant("a", () =>
				withTenantRows(app, async (client) => {
					await client.query(ALL);
					await work();
					await client.query("select 1 / 0");
				}),
			);
		await expect(failing(() => Promise.reject(new Error("of the application")))).rejects.toThrow("of the application");
		await expectNoTenant(app);
		await expect(failing(async () => {})).rejects.toThrow("division by zero");
		await expectNoTenant(app);
		expect(await readIn("b", app)).toEqual(["b1", "b2"]);
		expect(await backend()).toBe(before);
	});

	// threat 106
	it("does not reuse a connection whose transaction could not be ended", async () => {
		const { app } = await secureShop(1);
		// as with pg's query_timeout
		const connect = async () => {
			const client = await app.connect();
			const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
			const query = (...args: unknown[]) =>
				args[0] === "rollback" ? Promise.reject(new Error("Query read timeout")) : send(...args);
			return Object.assign(client, { query });
		};
		const failing = () => withTenantRows({ connect }, () => Promise.reject(new Error("of the application")));
		await expect(runWithTenant("a", failing)).rejects.toThrow("of the application");
		await expectNoTenant(app);
	});

	it("throws if the connection is lost, and continues with another", async () => {
		const { app, query } = await secureShop(1);
		const lost = runWithTenant("a", () =>
			withTenantRows(app, async (client) => {
				const { rows } = await client.query("select pg_backend_pid() as pid");
				const closed = new Promise((resolve) => client.once("end", resolve));
				await query(`select pg_terminate_backend(${rows[0].pid})`);
				await closed;
				await client.query(ALL);
			}),
		);
		await expect(lost).rejects.toThrow();
		await expectNoTenant(app);
		expect(await readIn("b", app)).toEqual(["b1", "b2"]);
	});

	// threat 106
	it("keeps concurrent requests of two tenants apart on two connections", async () => {
		const { app } = await secureShop(2);
		const tenants = Array.from({ length: 60 }, (_, n) => (n % 2 ? "a" : "b"));
		const found = await Promise.all(
			tenants.map((tenant, n) =>
				runWithTenant(tenant, () =>
					withTenantRows(app, async (client) => {
						await client.query("select pg_sleep(0.001)");
						const { rows } = await client.query<Invoice>(ALL);
						if (n % 5 === 0) throw Object.assign(new Error("rolled back"), { rows });
						return rows;
					}).catch((error: { rows: Invoice[] }) => error.rows),
				),
			),
		);
		expect(found.map((rows) => [...new Set(rows.map(({ tenantId }) => tenantId))])).toEqual(tenants.map((t) => [t]));
		await expectNoTenant(app);
	});

	// threat 103
	it("takes no connection without a tenant", async () => {
		const { app } = await secureShop();
		await expect(withTenantRows(app, (client) => client.query(ALL))).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		expect(app.totalCount).toBe(0);
	});

	it("costs one statement in addition to begin and commit", async () => {
		const shop = await openShop("postgres");
		shop.statements.length = 0;
		await runWithTenant("a", () => withTenantRows(shop.pool, (client) => client.query(ALL)));
		expect(shop.statements).toEqual(["begin", "select set_config($1, $2, true)", ALL, "commit"]);
	});
});
