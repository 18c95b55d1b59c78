import { expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { tenantRowsForPrisma } from "../../src/rows.ts";
import { prismaShop, type ShopClient } from "./support/prisma-shop.ts";
import { BEFORE, ids } from "./support/shop.ts";

const LISTS = { own: ["Invoice", "Customer"], shared: ["Country"] };
const code = (name: string) => expect.objectContaining({ body: expect.objectContaining({ code: name }) });

const open = async () => {
	const { shop, client } = await prismaShop();
	return { shop, db: client.$extends(tenantRowsForPrisma(LISTS)) };
};

// threat 103
it("reads, counts and groups only rows of the current tenant", async () => {
	const { db } = await open();
	await runWithTenant("a", async () => {
		expect(ids(await db.invoice.findMany())).toEqual(["a-stray", "a1", "a2"]);
		expect(await db.invoice.findUnique({ where: { id: "b1" } })).toBeNull();
		expect(await db.invoice.findUnique({ where: { id: "a1" } })).toMatchObject({ tenantId: "a" });
		expect(await db.invoice.findFirst({ where: { tenantId: "b" } })).toBeNull();
		expect(await db.invoice.findFirst({ where: { AND: { tenantId: "b" } } })).toBeNull();
		expect(ids(await db.invoice.findMany({ where: { OR: [{ amount: 1 }, { id: "b2" }] } }))).toEqual(["a1"]);
		expect(await db.invoice.count()).toBe(3);
		expect(await db.invoice.aggregate({ _sum: { amount: true } })).toEqual({ _sum: { amount: 12 } });
		const groups = await db.invoice.groupBy({ by: ["tenantId"], _count: true });
		expect(groups).toEqual([{ tenantId: "a", _count: 3 }]);
		// the condition of the customer is its own
		expect(ids(await db.customer.findMany({ include: { invoices: true } }))).toEqual(["c-a"]);
	});
	expect(ids(await runWithTenant("b", async () => await db.invoice.findMany()))).toEqual(["b1", "b2"]);
	const inTransaction = (transaction: ShopClient) => transaction.invoice.findMany();
	expect(ids(await runWithTenant("b", () => db.$transaction(inTransaction)))).toEqual(["b1", "b2"]);
});

// threat 104
it("writes only rows of the current tenant", async () => {
	const { db, shop } = await open();
	const row = { customerId: "c-a", amount: 3 };
	await runWithTenant("a", async () => {
		await db.invoice.create({ data: { id: "n1", tenantId: undefined, ...row } });
		await db.invoice.createMany({
			data: [
				{ id: "n2", ...row },
				{ id: "n3", tenantId: "a", ...row },
			],
		});
		await db.invoice.upsert({ where: { id: "n1" }, create: { id: "n1", ...row }, update: { amount: 4 } });
		await db.invoice.updateMany({ data: { amount: 70 }, where: { id: { in: ["a1", "b1"] } } });
		await db.invoice.deleteMany({ where: { OR: [{ id: "a2" }, { id: "b2" }] } });
		const refused = code("ROW_OF_ANOTHER_TENANT");
		await expect(db.invoice.create({ data: { id: "n4", tenantId: "b", ...row } })).rejects.toEqual(refused);
		await expect(db.invoice.createManyAndReturn({ data: [{ id: "n4", tenantId: "b", ...row }] })).rejects.toEqual(
			refused,
		);
		await expect(db.invoice.update({ where: { id: "a1" }, data: { tenantId: "b" } })).rejects.toEqual(refused);
		const missing = expect.objectContaining({ code: "P2025" });
		await expect(db.invoice.update({ where: { id: "b1" }, data: { amount: 70 } })).rejects.toEqual(missing);
		await expect(db.invoice.delete({ where: { id: "b1" } })).rejects.toEqual(missing);
		const taken = db.invoice.upsert({ where: { id: "b1" }, create: { id: "b1", ...row }, update: { amount: 70 } });
		await expect(taken).rejects.toEqual(expect.objectContaining({ code: "P2002" }));
	});
	expect(await shop.invoices()).toEqual(["a-stray:a:9", "a1:a:70", "b1:b:1", "b2:b:2", "n1:a:4", "n2:a:3", "n3:a:3"]);
});

// threats 103 and 104
it("sends nothing without a tenant, for a model in no list, in raw SQL and for nested writes", async () => {
	const { db, shop } = await open();
	shop.statements.length = 0;
	await expect(db.invoice.findMany()).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
	await expect(db.invoice.deleteMany()).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
	// Prisma starts a query when it is awaited, here outside of the tenant
	await expect(runWithTenant("a", () => db.invoice.findMany())).rejects.toEqual(code("ROW_TENANT_REQUIRED"));
	await expect(runWithTenant(PLATFORM, async () => await db.invoice.findMany())).rejects.toEqual(
		code("ROW_TENANT_IS_PLATFORM"),
	);
	await runWithTenant("a", async () => {
		await expect(db.unlisted.findMany()).rejects.toEqual(code("ROW_TABLE_NOT_LISTED"));
		const refused = code("ROW_QUERY_NOT_SUPPORTED");
		await expect(db.$queryRaw`select * from invoice`).rejects.toEqual(refused);
		await expect(db.$executeRawUnsafe("delete from invoice")).rejects.toEqual(refused);
		for (const customer of [{ connect: { id: "c-b" } }, { create: { id: "c-n", tenantId: "b", name: "x" } }])
			await expect(db.invoice.create({ data: { id: "n1", amount: 1, customer } })).rejects.toEqual(refused);
		for (const invoices of [
			{ deleteMany: {} },
			{ updateMany: { where: {}, data: { amount: 0 } } },
			{ set: [{ id: "b1" }] },
		])
			await expect(db.customer.update({ where: { id: "c-a" }, data: { invoices } })).rejects.toEqual(refused);
	});
	expect(shop.statements).toEqual([]);
	expect(await db.country.findMany()).toEqual([{ code: "DE" }]);
	expect(await shop.invoices()).toEqual(BEFORE);
});
