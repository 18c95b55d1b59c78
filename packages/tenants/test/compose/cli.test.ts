import { readFileSync } from "node:fs";
import { join } from "node:path";
import { betterAuth } from "better-auth";
import { createDatabase } from "test-kit/databases";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tenantMigrationSteps } from "../../src/index.ts";
import { authCli, temporaryFolder } from "./support/command-line.ts";
import { composedOptions } from "./support/composed.ts";
import { expectComposedTables } from "./support/composed-tables.ts";
import { urlOf } from "./support/database-url.ts";
import { walkThroughTwoTenants } from "./support/two-tenants.ts";

// each run of the command line takes seconds
vi.setConfig({ testTimeout: 180_000 });

// other ways to the same tables: migrations.test.ts (auth migrate, getMigrations), orm.test.ts (Drizzle, Prisma)
describe.each(["postgres", "mysql", "sqlite"] as const)("auth generate for %s", (kind) => {
	it("writes SQL for the composed tables, on which tenants work", async () => {
		const own = await createDatabase(kind);
		onTestFinished(own.close);
		const file = join(temporaryFolder(), "schema.sql");
		await authCli("generate", { kind, url: await urlOf(own) }, "--output", file);
		for (const statement of readFileSync(file, "utf8").split(/;\s*/).filter(Boolean)) await own.query(statement);
		await expectComposedTables(own);
		const auth = betterAuth(composedOptions(own.connection));
		expect(await tenantMigrationSteps(auth)).toEqual([]);
		await walkThroughTwoTenants(auth);
	});
});
