import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createDatabase, type DatabaseKind } from "test-kit/databases";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type TenantAuthOptions, tenantMigrationSteps } from "../../src/index.ts";
import { prismaCli, temporaryFolder } from "./support/command-line.ts";
import { composedOptions } from "./support/composed.ts";
import { expectComposedTables } from "./support/composed-tables.ts";
import { expectDeletionByKey } from "./support/deletion-by-key.ts";
import { applyDrizzle, generateDrizzle, openDrizzle, PROVIDERS } from "./support/drizzle.ts";
import { growApplication } from "./support/grown-application.ts";
import { generatePrisma, openPrisma } from "./support/prisma.ts";
import { callOn, walkThroughTwoTenants } from "./support/two-tenants.ts";

// each run of the command line takes seconds
vi.setConfig({ testTimeout: 180_000 });

type Opened = { adapter: Parameters<typeof composedOptions>[0]; tenants: TenantAuthOptions };

const database = async (kind: DatabaseKind) => {
	const own = await createDatabase(kind);
	onTestFinished(own.close);
	return own;
};

const compose = ({ adapter, tenants }: Opened, logs: string[] = []) =>
	betterAuth(composedOptions(adapter, tenants, { log: (_level, message) => logs.push(message) }));

/** A new engine's response to a tenant's request, and the errors it logs. */
const ask = async (opened: Opened) => {
	const logs: string[] = [];
	const auth = compose(opened, logs);
	const { id } = await auth.api.createTenant({ body: { name: "Asked", slug: `asked-${Date.now()}` } });
	const { status } = await callOn(auth)("/get-session", { tenant: id });
	return { status, complaints: logs.filter((line) => line.startsWith("tenantAuth keeps tenants closed")) };
};

describe.each(["postgres", "mysql", "sqlite"] as const)("Drizzle on %s", (kind) => {
	it("works on the generated schema, and reads the indexes through the client", async () => {
		const own = await database(kind);
		const schema = await generateDrizzle(temporaryFolder(), PROVIDERS[kind]);
		await applyDrizzle(own, {}, schema);
		await expectComposedTables(own);
		const opened = openDrizzle(own, schema);
		await walkThroughTwoTenants(compose(opened));
		const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
		if (kind === "postgres") await expectDeletionByKey(own, compose(opened), snakeCase);

		await own.query('create unique index "old_code" on "device_code" ("user_code")');
		expect(await ask(opened)).toMatchObject({ status: 503, complaints: [expect.stringMatching(/old_code.*ORM/)] });
		await own.query(`drop index "old_code"${kind === "mysql" ? ' on "device_code"' : ""}`);
		expect(await ask(opened)).toEqual({ status: 200, complaints: [] });
		await own.query(`drop index "user_tenantId_email_uidx"${kind === "mysql" ? ' on "user"' : ""}`);
		expect(await ask(opened)).toMatchObject({
			status: 503,
			complaints: [expect.stringMatching(/user has no unique index on \(tenant_id, email\).*auth generate/)],
		});
	});
});

describe("Drizzle in an application with existing users", () => {
	it("moves them to the platform with drizzle-kit's migration and one step", async () => {
		const own = await database("postgres");
		const folder = temporaryFolder();
		const [bare, composed] = await Promise.all([generateDrizzle(folder, "pg", true), generateDrizzle(folder, "pg")]);
		await applyDrizzle(own, {}, bare);
		const grown = await growApplication(openDrizzle(own, bare).adapter);
		expect(await applyDrizzle(own, bare, composed)).toContainEqual(
			expect.stringMatching(/DROP CONSTRAINT "user_email_unique"/),
		);

		const opened = openDrizzle(own, composed);
		await grown.expectUnchanged(compose(opened));
		expect(await ask(opened)).toMatchObject({
			status: 503,
			complaints: expect.arrayContaining([
				expect.stringMatching(/tenant_unique_username is empty.*tenantMigrationSteps/),
			]),
		});
		const steps = await tenantMigrationSteps(compose(opened));
		expect(steps.filter((step) => !step.startsWith("update "))).toEqual([]);
		for (const step of steps) await own.query(step);
		expect(await tenantMigrationSteps(compose(opened))).toEqual([]);
		await grown.expectUnchanged(compose(opened));
		await walkThroughTwoTenants(compose(opened));
	});
});

describe("Prisma on postgres", () => {
	it("works on the generated schema and client, and reads the indexes through the client", async () => {
		const own = await database("postgres");
		const folder = temporaryFolder();
		// Prisma's migration tool requires a download; the same options create the same tables
		await (await getMigrations(composedOptions(own.connection))).runMigrations();
		// an application may map a column to another name
		const schema = (await generatePrisma(folder)).replace(
			/(model User \{[^}]*?tenantId +String +@default\("platform"\))/,
			'$1 @map("tenant")',
		);
		await own.query('alter table "user" rename column "tenantId" to "tenant"');
		const opened = await openPrisma(own, folder, schema);
		await walkThroughTwoTenants(compose(opened));
		await expectDeletionByKey(own, compose(opened), (name) => (name === "tenantId" ? "tenant" : name));

		expect(await ask({ ...opened, tenants: {} })).toMatchObject({
			status: 503,
			complaints: [expect.stringMatching(/cannot be read.*database: \{ client/)],
		});
		await own.query('create unique index "old_code" on "deviceCode" ("userCode")');
		expect(await ask(opened)).toMatchObject({ status: 503, complaints: [expect.stringMatching(/old_code.*ORM/)] });
	});

	it("keeps the old unique fields if it is generated over an older schema", async () => {
		const [fresh, before] = await Promise.all([
			generatePrisma(temporaryFolder()),
			generatePrisma(temporaryFolder(), { bare: true }),
		]);
		const folder = temporaryFolder();
		const after = await generatePrisma(folder, { over: before });
		expect(after.match(OLD_UNIQUE)).toHaveLength(7);
		expect(uniqueFields(after)).not.toEqual(uniqueFields(fresh));
		// without them, as docs/database.md describes, it is the schema of a new application
		const fixed = after.replace(OLD_UNIQUE, "");
		expect(uniqueFields(fixed)).toEqual(uniqueFields(fresh));
		writeFileSync(join(folder, "schema.prisma"), fixed);
		expect(await prismaCli("validate", join(folder, "schema.prisma"))).toContain("is valid");
	});
});

const OLD_UNIQUE =
	/^ *@@unique\(\[(email|username|phoneNumber|membershipKey|deviceCode|userCode)\].*\n|(?<=model Organization \{[^}]*)^ *@@unique\(\[slug\]\)\n/gm;

const uniqueFields = (schema: string): string[] => schema.match(/@@unique\(.*/g)?.sort() ?? [];
