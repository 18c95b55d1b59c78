import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { prismaAdapter } from "better-auth/adapters/prisma";
import type { Pool } from "pg";
import type { TestDatabase } from "test-kit/databases";
import { onTestFinished } from "vitest";
import { authCli, prismaCli } from "./command-line.ts";

/** The files of `prisma init`, with a client that Node loads directly. */
const EMPTY = `generator client {
  provider            = "prisma-client"
  output              = "./client"
  importFileExtension = "ts"
}

datasource db {
  provider = "postgresql"
}
`;

/** The schema that the engine's command line writes into an application's own. */
export const generatePrisma = async (folder: string, { bare = false, over = EMPTY } = {}): Promise<string> => {
	const file = join(folder, "schema.prisma");
	writeFileSync(file, over);
	await authCli("generate", { kind: "prisma", provider: "postgresql", bare }, "--output", file);
	return readFileSync(file, "utf8");
};

/** Runs `prisma validate` and `prisma generate`. */
export const openPrisma = async (own: TestDatabase, folder: string, schema: string) => {
	const file = join(folder, "schema.prisma");
	writeFileSync(file, schema);
	await prismaCli("validate", file);
	await prismaCli("generate", file);
	const { PrismaClient } = await import(pathToFileURL(join(folder, "client/client.ts")).href);
	const client = new PrismaClient({ adapter: new PrismaPg(own.connection as Pool) });
	onTestFinished(() => client.$disconnect());
	const adapter = prismaAdapter(client, { provider: "postgresql", transaction: true });
	return { client: client as object, adapter, tenants: { database: { client: client as object } } };
};
