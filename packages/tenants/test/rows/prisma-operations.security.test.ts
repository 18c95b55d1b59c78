import { describe, expect, it } from "vitest";
import type { PrismaOperation } from "../../src/features/rows/prisma.ts";
import { runWithTenant } from "../../src/index.ts";
import { tenantRowsForPrisma } from "../../src/rows.ts";

const SCHEMA = `model Country {
  code     String    @id
  invoices Invoice[]
}
model Customer {
  id       String    @id
  tenantId String
  name     String
  invoices Invoice[]
  @@unique([tenantId, id])
}
model Invoice {
  id          String   @id
  tenantId    String
  customerId  String
  customer    Customer @relation(fields: [tenantId, customerId], references: [tenantId, id])
  countryCode String?
  country     Country? @relation(fields: [countryCode], references: [code])
}
`;

type Extension = { query: { $allOperations: (operation: PrismaOperation) => Promise<unknown> } };

/** Calls the extension as Prisma does, and returns the arguments that Prisma would run. */
const run = (model: string, operation: string, args: object): Promise<unknown> => {
	const rows = tenantRowsForPrisma({ own: ["Invoice", "Customer"], shared: ["Country"], schema: SCHEMA });
	let $allOperations: Extension["query"]["$allOperations"] | undefined;
	rows({ $extends: ({ query }: Extension) => ({ $allOperations } = query) });
	const query = async (scoped: never): Promise<unknown> => scoped;
	return runWithTenant("a", async () => $allOperations?.({ model, operation, args, query }));
};
const refused = (what: string) =>
	expect.objectContaining({
		message: expect.stringContaining(what),
		body: expect.objectContaining({ code: "ROW_QUERY_NOT_SUPPORTED" }),
	});

describe("tenantRowsForPrisma", () => {
	it("refuses operations that it does not know, such as those of other databases", async () => {
		for (const model of ["Invoice", "Country"])
			await expect(run(model, "findRaw", {})).rejects.toEqual(refused("findRaw"));
		expect(await run("Invoice", "findMany", {})).toEqual({ where: { AND: [{ tenantId: "a" }] } });
		expect(await run("Country", "findMany", {})).toEqual({});
	});

	// threat 168
	it("refuses names beside the filters of a relation", async () => {
		const where = (customer: object) => run("Invoice", "findMany", { where: { customer } });
		await expect(where({ is: { name: "x" }, future: {} })).rejects.toEqual(refused("Customer.future"));
		await expect(where({ is: { name: "x" }, isNot: { name: "y" } })).resolves.toBeDefined();
	});

	// threat 168
	it("counts no rows of other tenants in an aggregate", async () => {
		const count = (model: string, _count: object) => run(model, "aggregate", { _count });
		await expect(count("Country", { invoices: true })).rejects.toEqual(refused("Country.invoices"));
		await expect(count("Country", { _all: true, code: true })).resolves.toBeDefined();
	});
});
