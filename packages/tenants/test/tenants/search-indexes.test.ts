import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createDatabase } from "test-kit/databases";
import { expect, it } from "vitest";
import { tenantMigrationSteps, withTenants } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";

it.each(["postgres", "mysql", "sqlite"] as const)("gets its indexes in a database from before, on %s", async (kind) => {
	const own = await createDatabase(kind);
	const timestamp = kind === "postgres" ? "timestamptz" : kind === "mysql" ? "timestamp(3)" : "date";
	const key = kind === "mysql" ? "varchar(36)" : "text";
	// as the version before created it
	await own.query(
		`create table "tenant" ("id" ${key} not null primary key, "name" text not null, "slug" varchar(255) not null unique, "metadata" text, "status" text not null, "unserved" ${kind === "sqlite" ? "integer" : "boolean"}, "createdAt" ${timestamp} not null, "updatedAt" ${timestamp} not null)`,
	);
	for (const slug of ["acme", "globex"])
		await own.query(
			`insert into "tenant" ("id", "name", "slug", "status", "createdAt", "updatedAt") values ('${slug}', 'The ${slug}', '${slug}', 'active', '2026-01-01 00:00:00', '2026-01-01 00:00:00')`,
		);
	const options = {
		secret: "a-secret-of-32-characters-or-more",
		baseURL: "http://localhost:3000",
		database: own.connection,
		advanced: { database: { validateSchema: false } },
		plugins: withTenants({}, [tenantLifecycle()]),
	};
	const auth = betterAuth(options);
	for (const step of await tenantMigrationSteps(auth)) await own.query(step);
	await (await getMigrations(options)).runMigrations();
	const { toBeAddedIndexes } = await getMigrations(options);
	expect(toBeAddedIndexes).toEqual([]);
	const query = { name: "The a", status: "active" as const };
	expect((await auth.api.listTenants({ query })).map(({ id }) => id)).toEqual(["acme"]);
	await own.close();
});
