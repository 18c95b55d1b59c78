import { expect, it } from "vitest";
import { groupStatements, readEnginePlan } from "../../src/schema/engine-plan.ts";
import { openProcess } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

it("groups tables with their indexes, and columns by table", () => {
	expect(
		groupStatements([
			`alter table "user" add column "a" text`,
			`alter table "user" add column "b" text default 'it''s not null' not null`,
			`alter table "user" add column "c" text not null references "x" ("id") on delete cascade`,
			`create table "jwks" ("id" text not null primary key)`,
			`create index "jwks_tenantId_idx" on "jwks" ("tenantId")`,
			`create unique index "user_a_uidx" on "user" ("a")`,
		]),
	).toEqual([
		{
			kind: "columns",
			table: "user",
			says: "added a, b, c to table user",
			statements: [
				`alter table "user" add column "a" text`,
				`alter table "user" add column "b" text default 'it''s not null' not null`,
				// the previous version does not set it
				`alter table "user" add column "c" text references "x" ("id") on delete cascade`,
			],
		},
		{
			kind: "table",
			table: "jwks",
			says: "created table jwks",
			statements: [
				`create table "jwks" ("id" text not null primary key)`,
				`create index "jwks_tenantId_idx" on "jwks" ("tenantId")`,
			],
		},
		{
			kind: "index",
			table: "user",
			index: "user_a_uidx",
			says: "created index user_a_uidx on table user",
			sql: `create unique index "user_a_uidx" on "user" ("a")`,
		},
	]);
});

it("rejects a statement of an unknown kind", () => {
	expect(() => groupStatements([`alter table "user" drop column "a"`])).toThrow(/cannot be run without a stop/);
});

it("knows every statement that Better Auth writes for all plugins", async () => {
	const database = await createTestDatabase();
	const { auth, pool, close } = openProcess({
		DATABASE_URL: database.url,
		PLUGINS: "admin,bearer,jwt,multi-session,open-api,organization,two-factor,username",
	});
	try {
		const plan = await readEnginePlan(auth, pool);
		expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(["table"]));
		expect(plan.map(({ table }) => table)).toContain("organization");
	} finally {
		await close();
		await database.drop();
	}
});
