import { CamelCasePlugin, type ColumnType, Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { tenantRowsForKysely } from "../../src/rows.ts";
import { BEFORE, ids, openShop } from "./support/shop.ts";

type Tables = {
	country: { code: string };
	customer: { id: string; tenantId: ColumnType<string, string | undefined>; name: string };
	invoice: {
		id: string;
		tenantId: ColumnType<string, string | undefined>;
		TENANTID: ColumnType<string, string | undefined>;
		customerId: string;
		amount: number;
	};
	bill: { id: string; tenant_id: ColumnType<string, string | undefined>; amount: number };
	secret: { id: string };
};
const LISTS = { own: ["invoice", "customer", "bill"], shared: ["country"] };
const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });

const open = async (kind: "postgres" | "sqlite", renames = false) => {
	const shop = await openShop(kind);
	await shop.query(`create table "bill" ("id" text primary key, "tenant_id" text not null, "amount" integer not null)`);
	await shop.query(`insert into "bill" values ('a1', 'a', 1), ('b1', 'b', 42)`);
	await shop.query(`create table "secret" ("id" text primary key)`);
	await shop.query(`insert into "secret" values ('of b')`);
	const dialect =
		kind === "postgres" ? new PostgresDialect({ pool: shop.pool }) : new SqliteDialect({ database: shop.sqlite });
	const plugins = [tenantRowsForKysely(LISTS), ...(renames ? [new CamelCasePlugin()] : [])];
	return { shop, db: new Kysely<Tables>({ dialect, plugins }) };
};

describe.each(["postgres", "sqlite"] as const)("tenantRowsForKysely on %s", (kind) => {
	// threat 167
	it("does not return the result of a query that was compiled in another tenant", async () => {
		const { db } = await open(kind);
		const query = db.selectFrom("invoice").selectAll();
		const compiled = await runWithTenant("b", async () => query.compile());
		const refused = code("ROW_QUERY_OF_ANOTHER_TENANT");
		await expect(runWithTenant("a", () => db.executeQuery(compiled))).rejects.toEqual(refused);
		await expect(db.executeQuery(compiled)).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		expect(ids((await runWithTenant("b", () => db.executeQuery(compiled))).rows)).toEqual(["b1", "b2"]);
		// the builder runs in any tenant, also at the same time
		const run = (tenant: string) => runWithTenant(tenant, async () => ids(await query.execute()));
		const [a, b] = await Promise.all([run("a"), run("b")]);
		expect([a, b]).toEqual([
			["a-stray", "a1", "a2"],
			["b1", "b2"],
		]);
		const shared = await runWithTenant("b", async () => db.selectFrom("country").selectAll().compile());
		expect((await db.executeQuery(shared)).rows).toEqual([{ code: "DE" }]);
	});

	// threat 167
	it("rolls back a write that was compiled in another tenant", async () => {
		const { db, shop } = await open(kind);
		const write = await runWithTenant("b", async () => db.updateTable("invoice").set({ amount: 70 }).compile());
		const inA = runWithTenant("a", () => db.transaction().execute((trx) => trx.executeQuery(write)));
		await expect(inA).rejects.toEqual(code("ROW_QUERY_OF_ANOTHER_TENANT"));
		expect(await shop.invoices()).toEqual(BEFORE);
	});

	// threat 169
	it("refuses the tenant column under every name that CamelCasePlugin turns into it, and twice", async () => {
		const { db, shop } = await open(kind, true);
		const values = { id: "n1", amount: 7 };
		await runWithTenant("a", async () => {
			expect(ids(await db.selectFrom("bill").selectAll().execute())).toEqual(["a1"]);
			const conflicting = db
				.insertInto("bill")
				.values({ ...values, id: "a1" })
				.onConflict((conflict) => conflict.column("id").doUpdateSet({ tenant_id: "b" }));
			for (const query of [
				db.updateTable("bill").set({ tenant_id: "b" }),
				db.insertInto("bill").values({ ...values, tenant_id: "b" }),
				conflicting,
			])
				await expect(query.execute()).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
			await db
				.insertInto("bill")
				.values({ ...values, tenant_id: "a" })
				.execute();
		});
		const plain = await open(kind);
		const twice = { id: "n1", customerId: "c-a", amount: 1, tenantId: "a", TENANTID: "b" };
		const insert = () => plain.db.insertInto("invoice").values(twice).execute();
		await expect(runWithTenant("a", insert)).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
		const bills = await shop.query(`select "id", "tenant_id" from "bill" order by "id"`);
		expect(bills.map(({ id, tenant_id }) => `${id}:${tenant_id}`)).toEqual(["a1:a", "b1:b", "n1:a"]);
	});

	// threats 167 and 169
	it("refuses raw SQL that is not one expression of known words", async () => {
		const { db, shop } = await open(kind);
		const read = () => db.selectFrom("invoice").selectAll();
		const column = sql<never>`"tenantId"`;
		const expression = [
			"1 = 1) or (1 = 1",
			"(1 = 1",
			"true, true",
			"true -- ",
			"true /* */",
			"true; delete from invoice",
			"amount = 1",
			`"amount" = e'1'`,
			`"amount" = $1`,
			`"id" = 'a\\'`,
			`query_to_xml('x', true, false, '') is null`,
			`"query_to_xml"('x', true, false, '') is null`,
			`"public".lower('x') = 'x'`,
			`"amount" in invoice`,
			`"amount" in (values (1))`,
			`(table "invoice") is null`,
			`exists (with x as (select 1) select 1)`,
			"true union all select 1",
			"true limit 1",
			"true\0",
		].map((text) => sql<boolean>([text] as never));
		// a kind of node that a later version of Kysely could have
		const unknown = { expressionType: undefined, toOperationNode: () => ({ kind: "FutureNode" }) };
		const tries = [
			() =>
				read()
					.where(unknown as never)
					.execute(),
			...expression.map((raw) => () => read().where(raw).execute()),
			() => read().where("id", "=", "x").modifyEnd(sql`or 1 = 1`).execute(),
			() => read().modifyFront(sql`distinct`).execute(),
			() =>
				db
					.updateTable("invoice")
					.set(column, "b" as never)
					.execute(),
			() =>
				db
					.updateTable("invoice")
					.set(sql.ref<never>("tenantId"), "b" as never)
					.execute(),
			() => db.updateTable("invoice").set({ amount: sql`1, "tenantId" = 'b'` }).execute(),
			() => db.updateTable("invoice").set({ amount: 1 }).modifyEnd(sql`or 1 = 1`).execute(),
			() => db.deleteFrom("invoice").where("id", "=", "x").modifyEnd(sql`or 1 = 1`).execute(),
			() => read().where("id", sql`= 'x' or 'x' =`, "x").execute(),
			() =>
				read()
					.where(sql<boolean>`${sql.ref("amount")}0 = 1`)
					.execute(),
			() =>
				read()
					.where(sql<boolean>`${sql.ref("pg_sleep")}(1) is null`)
					.execute(),
			() =>
				read()
					.where(sql<boolean>`"id" in ${sql.ref("secret")}`)
					.execute(),
			() =>
				read()
					.where((eb) => eb("id", "in", eb.ref("secret" as "id")))
					.execute(),
			() =>
				read()
					.where(sql<boolean>`(select coalesce(json_agg(agg), '[]') from ${sql.ref("secret")} as agg)`)
					.execute(),
			() => db.selectFrom("country").select(sql`1`.as(sql`x, y`)).execute(),
			() =>
				db
					.selectFrom("country")
					.select((eb) => eb.fn("query_to_xml", [eb.val("x")]).as("x"))
					.execute(),
			() =>
				db
					.selectFrom("country")
					.select((eb) => eb.fn.agg("ts_stat", [eb.val("x")]).as("x"))
					.execute(),
			() => read().explain(),
			() => db.schema.createTable("copy").as(db.selectFrom("invoice").selectAll()).execute(),
			() => db.schema.dropTable("invoice").execute(),
		];
		await runWithTenant("a", async () => {
			for (const attempt of tries)
				await expect(attempt(), attempt.toString()).rejects.toEqual(code("ROW_QUERY_NOT_SUPPORTED"));
		});
		expect(await shop.invoices()).toEqual(BEFORE);
	});

	// threat 167
	it("takes a name of with for a table where the database does", async () => {
		const { db } = await open(kind);
		const unlisted = code("ROW_TABLE_NOT_LISTED");
		await runWithTenant("a", async () => {
			const itself = db
				.with("secret", (q) => q.selectFrom("secret").select("id"))
				.selectFrom("secret")
				.selectAll();
			await expect(itself.execute()).rejects.toEqual(unlisted);
			const outside = db
				.selectFrom(() =>
					db
						.with("secret", () => db.selectFrom("country").select("code as id"))
						.selectFrom("secret")
						.select("id")
						.as("x"),
				)
				.crossJoin("secret")
				.select("secret.id");
			await expect(outside.execute()).rejects.toEqual(unlisted);
			const named = db
				.with("first", (q) => q.selectFrom("invoice").select("id"))
				.with("second", (q) => q.selectFrom("first").select("id"))
				.selectFrom("second")
				.selectAll();
			expect(ids(await named.execute())).toEqual(["a-stray", "a1", "a2"]);
		});
	});

	it("accepts expressions in raw SQL, and functions that the application names", async () => {
		const { db, shop } = await open(kind);
		await runWithTenant("a", async () => {
			const quoted = await db
				.selectFrom("invoice as i")
				.select(["i.id", sql<string>`lower(${sql.ref("i.id")}) || '-' || cast("i"."amount" as text)`.as("label")])
				.where(sql<boolean>`("i"."amount" > ${1} and "i".id <> 'x') or "i"."amount" in (${sql.join([2, 9])})`)
				.orderBy(sql`coalesce(${sql.ref("i.amount")}, 0)`, "desc")
				.limit(2)
				.execute();
			expect(quoted.map(({ label }) => label)).toEqual(["a-stray-9", "a2-2"]);
		});
		const dialect =
			kind === "postgres" ? new PostgresDialect({ pool: shop.pool }) : new SqliteDialect({ database: shop.sqlite });
		const own = new Kysely<Tables>({
			dialect,
			plugins: [tenantRowsForKysely({ ...LISTS, functions: ["Own_Function"] })],
		});
		const { sql: text } = await runWithTenant("a", async () =>
			own.selectFrom("country").select(sql`own_function(1)`.as("x")).compile(),
		);
		expect(text).toContain("own_function(1)");
	});
});
