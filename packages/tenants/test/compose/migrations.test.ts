import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createDatabase, type DatabaseKind, type TestDatabase } from "test-kit/databases";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tenantMigrationSteps } from "../../src/index.ts";
import { authCli } from "./support/command-line.ts";
import { composedOptions } from "./support/composed.ts";
import { urlOf } from "./support/database-url.ts";
import { bareOptions, growApplication } from "./support/grown-application.ts";
import { type ComposedAuth, callOn, walkThroughTwoTenants } from "./support/two-tenants.ts";

// each run of the command line takes seconds
vi.setConfig({ testTimeout: 180_000 });

const database = async (kind: DatabaseKind): Promise<TestDatabase> => {
	const own = await createDatabase(kind);
	onTestFinished(own.close);
	return own;
};
const compose = (own: TestDatabase): ComposedAuth => betterAuth(composedOptions(own.connection));

/** Runs the statements as docs/database.md describes. */
const runSteps = async (own: TestDatabase): Promise<string[]> => {
	const steps = await tenantMigrationSteps(compose(own));
	for (const step of steps) await own.query(step);
	return steps;
};

const migrations = {
	"auth migrate": async (own: TestDatabase) =>
		void (await authCli("migrate", { kind: own.kind, url: await urlOf(own) })),
	getMigrations: async (own: TestDatabase) => (await getMigrations(composedOptions(own.connection))).runMigrations(),
};

const openTenant = async (auth: ComposedAuth) => {
	const { id } = await auth.api.createTenant({
		body: { name: "First", slug: `first-${Math.random().toString(36).slice(2)}` },
	});
	return callOn(auth)("/get-session", { tenant: id });
};

describe.each(["postgres", "mysql", "sqlite"] as const)("on %s", (kind) => {
	describe.each(Object.entries(migrations))("%s", (_name, migrate) => {
		it("prepares an empty database for tenants, with no step left", async () => {
			const own = await database(kind);
			await migrate(own);
			expect(await tenantMigrationSteps(compose(own))).toEqual([]);
			const left = await getMigrations(composedOptions(own.connection));
			expect([left.toBeCreated, left.toBeAdded, left.toBeAddedIndexes]).toEqual([[], [], []]);
			await walkThroughTwoTenants(compose(own));
		});

		it("keeps existing rows on the platform, and opens tenants after the steps", async () => {
			const own = await database(kind);
			await (await getMigrations(bareOptions(own.connection))).runMigrations();
			const grown = await growApplication(own.connection);
			const early = await runSteps(own);
			expect(early.length > 0).toBe(kind === "mysql");
			await migrate(own);

			const auth = compose(own);
			await grown.expectUnchanged(auth);
			expect(await openTenant(auth)).toMatchObject({ status: 503, json: { code: "DATABASE_NOT_ISOLATED" } });
			expect((await runSteps(own)).length).toBeGreaterThan(0);
			expect(await runSteps(own)).toEqual([]);
			await grown.expectUnchanged(compose(own));
			await walkThroughTwoTenants(compose(own));
		});
	});
});
