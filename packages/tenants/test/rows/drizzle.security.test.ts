import { and, type Column, count, eq, inArray, or } from "drizzle-orm";
import { drizzle as drizzleSqlite } from "drizzle-orm/better-sqlite3";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { requireTenantId } from "../../src/rows.ts";
import { BEFORE, ids, openShop } from "./support/shop.ts";

// as docs/guides/row-level-data.md shows it
const ownRows = (column: Column) => eq(column, requireTenantId());
const own = <Values extends object>(values: Values) => ({ ...values, tenantId: requireTenantId() });

const inPostgres = {
	customer: pg.pgTable("customer", {
		id: pg.text().primaryKey(),
		tenantId: pg.text().notNull().$defaultFn(requireTenantId),
		name: pg.text().notNull(),
	}),
	invoice: pg.pgTable("invoice", {
		id: pg.text().primaryKey(),
		tenantId: pg.text().notNull().$defaultFn(requireTenantId),
		customerId: pg.text().notNull(),
		amount: pg.integer().notNull(),
	}),
};
const inSqlite = {
	customer: lite.sqliteTable("customer", {
		id: lite.text().primaryKey(),
		tenantId: lite.text().notNull().$defaultFn(requireTenantId),
		name: lite.text().notNull(),
	}),
	invoice: lite.sqliteTable("invoice", {
		id: lite.text().primaryKey(),
		tenantId: lite.text().notNull().$defaultFn(requireTenantId),
		customerId: lite.text().notNull(),
		amount: lite.integer().notNull(),
	}),
};

const onPostgres = async () => {
	const shop = await openShop("postgres");
	return { shop, db: drizzlePostgres(shop.pool), ...inPostgres };
};

/** The same methods with the same results. Drizzle has separate types for each database. */
const onSqlite = async (): ReturnType<typeof onPostgres> => {
	const shop = await openShop("sqlite");
	return Object.assign({ shop }, { db: drizzleSqlite(shop.sqlite), ...inSqlite }) as never;
};

const noTenant = expect.objectContaining({ body: expect.objectContaining({ code: "ROW_TENANT_REQUIRED" }) });

describe.each([
	["postgres", onPostgres],
	["sqlite", onSqlite],
] as const)("Drizzle with requireTenantId on %s", (_, open) => {
	// threat 103
	it("reads, counts and joins only rows of the current tenant", async () => {
		const { db, invoice, customer } = await open();
		await runWithTenant("a", async () => {
			expect(ids(await db.select().from(invoice).where(ownRows(invoice.tenantId)))).toEqual(["a-stray", "a1", "a2"]);
			const either = or(eq(invoice.amount, 1), eq(invoice.id, "b2"));
			expect(
				ids(
					await db
						.select()
						.from(invoice)
						.where(and(ownRows(invoice.tenantId), either)),
				),
			).toEqual(["a1"]);
			expect(await db.select({ n: count() }).from(invoice).where(ownRows(invoice.tenantId))).toEqual([{ n: 3 }]);
			const joined = db
				.select({ id: invoice.id })
				.from(invoice)
				.innerJoin(customer, and(eq(customer.id, invoice.customerId), ownRows(customer.tenantId)))
				.where(ownRows(invoice.tenantId));
			expect(ids(await joined)).toEqual(["a1", "a2"]);
		});
		const inB = await runWithTenant("b", async () => db.select().from(invoice).where(ownRows(invoice.tenantId)));
		expect(ids(inB)).toEqual(["b1", "b2"]);
	});

	// threat 104
	it("writes only rows of the current tenant, whatever the values name", async () => {
		const { db, invoice, shop } = await open();
		const row = { customerId: "c-a", amount: 3 };
		await runWithTenant("a", async () => {
			await db.insert(invoice).values({ id: "n1", ...row });
			await db.insert(invoice).values(own({ id: "n2", tenantId: "b", ...row }));
			const both = and(ownRows(invoice.tenantId), inArray(invoice.id, ["a1", "b1"]));
			await db.update(invoice).set({ amount: 70 }).where(both);
			await db.delete(invoice).where(and(ownRows(invoice.tenantId), inArray(invoice.id, ["a2", "b2"])));
		});
		expect(await shop.invoices()).toEqual(["a-stray:a:9", "a1:a:70", "b1:b:1", "b2:b:2", "n1:a:3", "n2:a:3"]);
	});

	// threat 103
	it("throws without a tenant", async () => {
		const { db, invoice, shop } = await open();
		expect(() => ownRows(invoice.tenantId)).toThrow(noTenant);
		const insert = async () => db.insert(invoice).values({ id: "n1", customerId: "c-a", amount: 1 });
		await expect(insert()).rejects.toEqual(noTenant);
		expect(await shop.invoices()).toEqual(BEFORE);
	});
});
