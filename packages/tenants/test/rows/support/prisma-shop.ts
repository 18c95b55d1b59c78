import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { onTestFinished } from "vitest";
import { prismaCli, temporaryFolder } from "../../compose/support/command-line.ts";
import { openShop } from "./shop.ts";

const SCHEMA = `generator client {
  provider            = "prisma-client"
  output              = "./client"
  importFileExtension = "ts"
}
datasource db {
  provider = "postgresql"
}
model Country {
  code     String    @id
  invoices Invoice[]
  @@map("country")
}
model Unlisted {
  id String @id
  @@map("unlisted")
}
model Customer {
  id       String    @id
  tenantId String    @default("")
  name     String
  invoices Invoice[]
  strays   Invoice[] @relation("stray")
  @@unique([tenantId, id])
  @@map("customer")
}
model Invoice {
  id          String   @id
  tenantId    String   @default("")
  customerId  String
  customer    Customer @relation(fields: [tenantId, customerId], references: [tenantId, id])
  stray       Customer @relation("stray", fields: [customerId], references: [id])
  amount      Int
  countryCode String?
  country     Country? @relation(fields: [countryCode], references: [code])
  @@map("invoice")
}
`;

type Row = Record<string, unknown> & { id: string };
/** Every method of a model takes one object. The client is generated when the test runs, so its types are not known here. */
type Model = Record<"findMany" | "createManyAndReturn", (args?: object) => Promise<Row[]>> &
	Record<"count", (args?: object) => Promise<number>> &
	Record<"findUnique" | "findFirst", (args?: object) => Promise<Row | null>> &
	Record<
		"aggregate" | "groupBy" | "create" | "createMany" | "update" | "updateMany" | "upsert" | "delete" | "deleteMany",
		(args?: object) => Promise<unknown>
	>;
export type ShopClient = Record<"invoice" | "customer" | "country" | "unlisted", Model> & {
	$queryRaw: (parts: TemplateStringsArray) => Promise<unknown>;
	$executeRawUnsafe: (text: string) => Promise<unknown>;
	$transaction: <Result>(work: (transaction: ShopClient) => Promise<Result>) => Promise<Result>;
	$extends: (extension: object) => ShopClient;
	$disconnect: () => Promise<void>;
};

/** Generates a Prisma client for the tables of the application. */
export const generateClient = async (): Promise<(pool: Pool) => ShopClient> => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, "schema.prisma"), SCHEMA);
	await prismaCli("generate", join(folder, "schema.prisma"));
	const { PrismaClient } = await import(pathToFileURL(join(folder, "client/client.ts")).href);
	return (pool) => {
		const client: ShopClient = new PrismaClient({ adapter: new PrismaPg(pool) });
		onTestFinished(() => client.$disconnect());
		return client;
	};
};

/** A generated client, and the database that it uses. */
export const prismaShop = async () => {
	const shop = await openShop("postgres");
	const clientOf = await generateClient();
	return { shop, client: clientOf(shop.pool) };
};
