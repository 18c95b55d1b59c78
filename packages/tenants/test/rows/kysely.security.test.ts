import { type ColumnType, Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import { jsonArrayFrom as jsonArrayOfPostgres } from "kysely/helpers/postgres";
import { jsonArrayFrom as jsonArrayOfSqlite } from "kysely/helpers/sqlite";
import { describe, expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { tenantRowsForKysely } from "../../src/rows.ts";
import { BEFORE, ids, openShop } from "./support/shop.ts";

/** `tenantId` can be inserted here, because the tests try to. */
type Tables = {
	country: { code: string };
	customer: { id: string; tenantId: ColumnType<string, string | undefined>; name: string };
	invoice: { id: string; tenantId: ColumnType<string, string | undefined>; customerId: string; amount: number };
	unlisted: { id: string };
};

const LISTS = { own: ["invoice", "customer"], shared: ["country"] };

const open = async (kind: "postgres" | "sqlite") => {
	const shop = await openShop(kind);
	const dialect =
		kind === "postgres" ? new PostgresDialect({ pool: shop.pool }) : new SqliteDialect({ database: shop.sqlite });
	const db = new Kysely<Tables>({ dialect, plugins: [tenantRowsForKysely(LISTS)] });
	return { shop, db };
};

const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });

describe.each(["postgres", "sqlite"] as const)("tenantRowsForKysely on %s", (kind) => {
	// threat 103
	it("reads only rows of the current tenant: all, by id, with or, in subqueries, unions and with", async () => {
		const { db } = await open(kind);
		const read = () => db.selectFrom("invoice").selectAll();
		await runWithTenant("a", async () => {
			expect(ids(await read().execute())).toEqual(["a-stray", "a1", "a2"]);
			expect(await read().where("id", "=", "b1").execute()).toEqual([]);
			const either = read().where((eb) => eb.or([eb("amount", "=", 1), eb("id", "=", "b2")]));
			expect(ids(await either.execute())).toEqual(["a1"]);
			const raw = read().where(sql<boolean>`"amount" = 1 or "id" = 'b2'`);
			expect(ids(await raw.execute())).toEqual(["a1"]);
			const aliased = db.selectFrom("invoice as i").select("i.id").where("i.amount", ">", 0);
			expect(ids(await aliased.execute())).toEqual(["a-stray", "a1", "a2"]);
			const inside = db.selectFrom((eb) => eb.selectFrom("invoice").selectAll().as("x")).select("x.id");
			expect(ids(await inside.execute())).toEqual(["a-stray", "a1", "a2"]);
			const exists = db
				.selectFrom("country")
				.selectAll()
				.where((eb) => eb.exists(eb.selectFrom("invoice").select("id").where("id", "=", "b1")));
			expect(await exists.execute()).toEqual([]);
			const copied = db
				.insertInto("country")
				.columns(["code"])
				.expression((eb) => eb.selectFrom("invoice").select("id"))
				.onConflict((conflict) =>
					conflict.column("code").doUpdateSet((eb) => ({ code: eb.selectFrom("customer").select("id") })),
				)
				.returning("code as id");
			const { query } = copied.compile();
			expect(JSON.stringify(query).match(/"value":"a"/g)).toHaveLength(2);
			if (kind === "postgres") expect(ids(await copied.execute())).toEqual(["a-stray", "a1", "a2"]);
			const union = db.selectFrom("customer").select("id").union(db.selectFrom("invoice").select("id"));
			expect(ids(await union.execute())).toEqual(["a-stray", "a1", "a2", "c-a"]);
			const named = db
				.with("open", (q) => q.selectFrom("invoice").select("id"))
				.selectFrom("open")
				.selectAll();
			expect(ids(await named.execute())).toEqual(["a-stray", "a1", "a2"]);
		});
		expect(ids(await runWithTenant("b", () => read().execute()))).toEqual(["b1", "b2"]);
	});

	// threat 103
	it("counts and joins only rows of the current tenant, and keeps a left join", async () => {
		const { db } = await open(kind);
		await runWithTenant("a", async () => {
			const { count } = await db
				.selectFrom("invoice")
				.select((eb) => eb.fn.countAll().as("count"))
				.executeTakeFirstOrThrow();
			expect(Number(count)).toBe(3);
			const joined = db.selectFrom("invoice as i").innerJoin("customer as c", "c.id", "i.customerId");
			expect(ids(await joined.select("i.id").execute())).toEqual(["a1", "a2"]);
			const left = db.selectFrom("invoice").leftJoin("customer", "customer.id", "invoice.customerId");
			expect(await left.select(["invoice.id", "name"]).orderBy("invoice.id").execute()).toEqual([
				{ id: "a-stray", name: null },
				{ id: "a1", name: "Customer of a" },
				{ id: "a2", name: "Customer of a" },
			]);
			const crossed = db.selectFrom("country").crossJoin("customer").select("customer.id");
			expect(ids(await crossed.execute())).toEqual(["c-a"]);
			const jsonArray = kind === "postgres" ? jsonArrayOfPostgres : jsonArrayOfSqlite;
			const nested = db
				.selectFrom("invoice")
				.where("id", "=", "a-stray")
				.select((eb) =>
					jsonArray(eb.selectFrom("customer").select("name").whereRef("id", "=", "invoice.customerId")).as("names"),
				);
			const [{ names } = { names: null }] = await nested.execute();
			expect(typeof names === "string" ? JSON.parse(names) : names).toEqual([]);
		});
	});

	// threat 104
	it("inserts for the current tenant, and refuses another", async () => {
		const { db, shop } = await open(kind);
		const row = { customerId: "c-a", amount: 3 };
		await runWithTenant("a", async () => {
			await db
				.insertInto("invoice")
				.values({ id: "n1", ...row })
				.execute();
			await db
				.insertInto("invoice")
				.values([
					{ id: "n2", ...row },
					{ id: "n3", tenantId: "a", ...row },
				])
				.execute();
			await db
				.insertInto("invoice")
				.values({ id: "n4", ...row, amount: sql<number>`1 + 2` })
				.execute();
			for (const values of [
				{ id: "n5", tenantId: "b", ...row },
				{ id: "n5", tenantId: sql<string>`'b'`, ...row },
			])
				await expect(db.insertInto("invoice").values(values).execute()).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
		});
		expect(await shop.invoices()).toEqual([...BEFORE, "n1:a:3", "n2:a:3", "n3:a:3", "n4:a:3"].sort());
	});

	// threat 104
	it("changes no row of another tenant by update, delete or on conflict", async () => {
		const { db, shop } = await open(kind);
		await runWithTenant("a", async () => {
			await db.updateTable("invoice").set({ amount: 70 }).where("id", "in", ["a1", "b1"]).execute();
			await db
				.insertInto("invoice")
				.values({ id: "b2", customerId: "c-a", amount: 70 })
				.onConflict((conflict) => conflict.column("id").doUpdateSet({ amount: 70 }))
				.execute();
			await db
				.deleteFrom("invoice")
				.where((eb) => eb.or([eb("id", "=", "a2"), eb("id", "=", "b1")]))
				.execute();
			const moved = db.updateTable("invoice").set({ tenantId: "b" });
			await expect(moved.execute()).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
			const conflicting = db
				.insertInto("invoice")
				.values({ id: "a1", customerId: "c-a", amount: 1 })
				.onConflict((conflict) => conflict.column("id").doUpdateSet({ tenantId: "b" }));
			await expect(conflicting.execute()).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
		});
		expect(await shop.invoices()).toEqual(["a-stray:a:9", "a1:a:70", "b1:b:1", "b2:b:2"]);
		await runWithTenant("a", () => db.deleteFrom("invoice").execute());
		expect(await shop.invoices()).toEqual(["b1:b:1", "b2:b:2"]);
	});

	// threat 103
	it("sends nothing without a tenant, on the platform, and for a table in no list", async () => {
		const { db, shop } = await open(kind);
		const read = () => db.selectFrom("invoice").selectAll().execute();
		shop.statements.length = 0;
		await expect(read()).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		await expect(runWithTenant(PLATFORM, read)).rejects.toEqual(code("ROW_TENANT_IS_PLATFORM"));
		await expect(db.deleteFrom("invoice").execute()).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
		await runWithTenant("a", async () => {
			await expect(db.selectFrom("unlisted").selectAll().execute()).rejects.toEqual(code("ROW_TABLE_NOT_LISTED"));
			await expect(db.insertInto("unlisted").values({ id: "x" }).execute()).rejects.toEqual(
				code("ROW_TABLE_NOT_LISTED"),
			);
		});
		expect(shop.statements).toEqual([]);
		expect(await db.selectFrom("country").selectAll().execute()).toEqual([{ code: "DE" }]);
	});

	// threat 103
	it("refuses what it cannot limit", async () => {
		const { db, shop } = await open(kind);
		const raw = sql<number>`(select max(amount) from invoice)`;
		const harmless = db.selectFrom("country").selectAll();
		const disguised = sql<string>`(select max(id), (select max(id) from invoice) from ${harmless} as agg)`;
		const tries = [
			() => sql`select * from invoice`.execute(db),
			() => db.selectFrom("country").select(raw.as("max")).execute(),
			() => db.selectFrom("country").select(disguised.as("names")).execute(),
			() => db.selectFrom("country").selectAll().where(raw, ">", 1).execute(),
			() => db.selectFrom(sql<{ id: string }>`invoice`.as("i")).selectAll().execute(),
			() => db.selectFrom(sql.table<{ id: string }>("invoice").as("i")).selectAll().execute(),
			() =>
				db
					.selectFrom("country")
					.select(sql`${sql.table("invoice")}`.as("all"))
					.execute(),
			() =>
				db
					.selectFrom("country")
					.rightJoin("invoice", (join) => join.onTrue())
					.selectAll()
					.execute(),
			() =>
				db
					.selectFrom("invoice")
					.fullJoin("customer", (join) => join.onTrue())
					.selectAll()
					.execute(),
			() => db.replaceInto("invoice").values({ id: "b1", customerId: "c-a", amount: 1 }).execute(),
			() => db.insertInto("invoice").orReplace().values({ id: "b1", customerId: "c-a", amount: 1 }).execute(),
			() => db.insertInto("invoice").defaultValues().execute(),
			() =>
				db
					.insertInto("invoice")
					.columns(["id", "tenantId", "customerId", "amount"])
					.expression((eb) => eb.selectFrom("invoice").select(["id", eb.val("b").as("t"), "customerId", "amount"]))
					.execute(),
			() =>
				db
					.insertInto("invoice")
					.values({ id: "b1", customerId: "c-a", amount: 1 })
					.onDuplicateKeyUpdate({ amount: 1 })
					.execute(),
			() =>
				db
					.mergeInto("invoice")
					.using("customer", "customer.id", "invoice.customerId")
					.whenMatched()
					.thenDelete()
					.execute(),
		];
		await runWithTenant("a", async () => {
			for (const attempt of tries)
				await expect(attempt(), attempt.toString()).rejects.toEqual(code("ROW_QUERY_NOT_SUPPORTED"));
		});
		expect(await shop.invoices()).toEqual(BEFORE);
	});

	it("keeps concurrent requests of two tenants apart, in transactions as well", async () => {
		const { db } = await open(kind);
		const read = (tenant: string) =>
			runWithTenant(tenant, () =>
				kind === "postgres"
					? db.transaction().execute((transaction) => transaction.selectFrom("invoice").select("tenantId").execute())
					: db.selectFrom("invoice").select("tenantId").execute(),
			);
		const tenants = Array.from({ length: 40 }, (_, n) => (n % 2 ? "a" : "b"));
		const found = await Promise.all(tenants.map(read));
		expect(found.map((rows) => [...new Set(rows.map(({ tenantId }) => tenantId))])).toEqual(tenants.map((t) => [t]));
	});
});
