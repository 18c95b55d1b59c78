import { expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { tenantRowPool, tenantRowsForPrisma } from "../../src/rows.ts";
import { generateClient, prismaShop, type ShopClient } from "./support/prisma-shop.ts";
import { secureShop } from "./support/secure-shop.ts";
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

// threat 168
it("follows relations whose keys contain the tenant, and relations to shared models", async () => {
	const { db } = await open();
	await runWithTenant("a", async () => {
		const [customer] = await db.customer.findMany({ include: { invoices: { orderBy: { id: "asc" } } } });
		expect(customer).toMatchObject({ id: "c-a", invoices: [{ id: "a1" }, { id: "a2" }] });
		const named = { customer: { is: { name: { contains: "Customer" } } }, country: { code: "DE" } };
		const found = await db.invoice.findMany({
			where: named,
			include: { country: true },
			orderBy: { customer: { name: "asc" } },
		});
		expect(ids(found)).toEqual(["a1", "a2"]);
		const counts = await db.customer.findMany({ select: { id: true, _count: { select: { invoices: true } } } });
		expect(counts).toEqual([{ id: "c-a", _count: { invoices: 2 } }]);
	});
});

// threats 168 and 169
it("refuses relations that lead to rows of other tenants, in every argument and from shared models", async () => {
	const { db, shop } = await open();
	const DE = { where: { code: "DE" } };
	shop.statements.length = 0;
	const tries: (() => Promise<unknown>)[] = [
		() => db.country.findMany({ include: { invoices: true } }),
		() => db.country.findMany({ select: { invoices: { select: { amount: true } } } }),
		() => db.country.findMany({ include: { _count: true } }),
		() => db.country.findMany({ select: { _count: { select: { invoices: true } } } }),
		() => db.country.findMany({ select: { _count: { select: { invoices: { where: { amount: 1 } } } } } }),
		() => db.country.findMany({ orderBy: { invoices: { _count: "asc" } } }),
		...["some", "every", "none"].map(
			(filter) => () => db.country.findMany({ where: { NOT: [{ OR: [{ invoices: { [filter]: { amount: 1 } } }] }] } }),
		),
		() => db.country.count({ where: { AND: { invoices: { some: {} } } } }),
		() => db.country.deleteMany({ where: { invoices: { none: { amount: 7 } } } }),
		() => db.invoice.findMany({ include: { country: { include: { invoices: true } } } }),
		() => db.invoice.findMany({ where: { country: { is: { invoices: { some: { tenantId: "b" } } } } } }),
		() => db.invoice.findMany({ where: { stray: { name: "Customer of b" } } }),
		() => db.invoice.findMany({ where: { stray: { isNot: { name: "Customer of b" } } } }),
		() => db.invoice.findMany({ include: { stray: true } }),
		() => db.invoice.findMany({ orderBy: [{ stray: { name: "asc" } }] }),
		() => db.customer.findMany({ include: { strays: true } }),
		() => db.customer.findMany({ include: { invoices: { cursor: { id: "b1" } } } }),
		...[
			{ connect: { id: "b1" } },
			{ connectOrCreate: { where: { id: "b1" }, create: { id: "n1", tenantId: "b", customerId: "c-b", amount: 1 } } },
			{ create: { id: "n1", tenantId: "b", customerId: "c-b", amount: 1 } },
			{ createMany: { data: [{ id: "n1", tenantId: "b", customerId: "c-b", amount: 1 }] } },
			{ delete: { id: "b1" } },
			{ deleteMany: {} },
			{ disconnect: { id: "b1" } },
			{ set: [] },
			{ update: { where: { id: "b1" }, data: { amount: 0 } } },
			{ updateMany: { where: {}, data: { amount: 0 } } },
			{ upsert: { where: { id: "b1" }, create: {}, update: { amount: 0 } } },
		].map((invoices) => () => db.country.update({ ...DE, data: { invoices } })),
		() => db.country.create({ data: { code: "FR", invoices: { connect: { id: "b1" } } } }),
		() => db.country.upsert({ ...DE, create: { code: "DE" }, update: { invoices: { set: [] } } }),
		() => db.invoice.findMany({ unknown: true }),
		() => db.invoice.findMany({ constructor: true }),
		() => db.invoice.findMany({ where: { unknown: 1 } }),
	];
	await runWithTenant("a", async () => {
		for (const attempt of tries)
			await expect(attempt(), attempt.toString()).rejects.toEqual(code("ROW_QUERY_NOT_SUPPORTED"));
	});
	expect(shop.statements).toEqual([]);
	expect(await shop.invoices()).toEqual(BEFORE);
});

// threat 168
it("takes another tenant's row for a missing one as a cursor", async () => {
	const { db } = await open();
	const from = (cursor: object, amount = "asc") =>
		runWithTenant("a", async () => ids(await db.invoice.findMany({ cursor, orderBy: [{ amount }, { id: "asc" }] })));
	expect(await from({ id: "a2" })).toEqual(["a-stray", "a2"]);
	// where the other tenant's row stands among the own ones, at their beginning or at their end
	for (const id of ["b1", "b2"])
		for (const order of ["asc", "desc"])
			expect([id, order, await from({ id }, order)]).toEqual([id, order, await from({ id: "missing" }, order)]);
	const named = from({ id: "a2", tenantId: "b" });
	await expect(named).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
	const keyed = runWithTenant(
		"a",
		async () => await db.customer.findMany({ cursor: { tenantId_id: { tenantId: "b", id: "c-b" } } }),
	);
	await expect(keyed).rejects.toEqual(code("ROW_OF_ANOTHER_TENANT"));
});

// threat 166
it("is limited by row-level security without the extension, in raw SQL and transactions as well", async () => {
	const { app, query, invoices } = await secureShop();
	await query('alter table "invoice" add column "countryCode" text');
	const db = (await generateClient())(tenantRowPool(app));
	await runWithTenant("a", async () => {
		expect(ids(await db.invoice.findMany())).toEqual(["a1", "a2"]);
		expect(await db.$queryRaw`select "id" from "invoice" order by "id"`).toEqual([{ id: "a1" }, { id: "a2" }]);
		await db.$transaction(async (transaction) => {
			await transaction.invoice.updateMany({ data: { amount: 70 } });
		});
	});
	await expect(db.invoice.findMany()).rejects.toThrow("No tenant is set");
	expect(await invoices()).toEqual(["a1:a:70", "a2:a:70", "b1:b:1", "b2:b:2"]);
});

it("takes the schema as text, and throws without models", async () => {
	const { client } = await prismaShop();
	expect(() => client.$extends(tenantRowsForPrisma({ ...LISTS, schema: "" }))).toThrow("schema.prisma");
	const db = client.$extends(tenantRowsForPrisma({ ...LISTS, schema: "model Invoice {\n  id String @id\n}" }));
	await runWithTenant("a", async () => {
		expect(ids(await db.invoice.findMany())).toEqual(["a-stray", "a1", "a2"]);
		await expect(db.invoice.findMany({ where: { amount: 1 } })).rejects.toEqual(code("ROW_QUERY_NOT_SUPPORTED"));
	});
});
