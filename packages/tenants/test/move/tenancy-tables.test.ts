import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Browser } from "test-kit/browser";
import { cheapHash } from "test-kit/cheap-hash";
import { createDatabase, type TestDatabase } from "test-kit/databases";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { PLATFORM, tenantAuth, tenantMigrationSteps } from "../../src/index.ts";
import { recipe } from "./support/recipe.ts";

const options = ({ connection }: TestDatabase) => ({
	database: connection,
	baseURL: ORIGIN,
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	emailAndPassword: { enabled: true, password: cheapHash },
	rateLimit: { enabled: false },
	advanced: { disableOriginCheck: false },
	// the schema differs until the migration
	logger: { disabled: true },
});

/** The tables that the documentation of better-auth-tenancy describes, with two tenants. */
const createOldTables = async (database: TestDatabase): Promise<void> => {
	await (await getMigrations(options(database))).runMigrations();
	const { kind, query } = database;
	const [text, date] = kind === "mysql" ? ["varchar(191)", "datetime(3)"] : ["text", "timestamp with time zone"];
	// the key that a MySQL table refers to must have the same type
	const id = kind === "mysql" ? "varchar(36)" : "text";
	await query(
		`create table "tenant" ("id" ${id} primary key, "name" ${text} not null, "slug" ${text} not null unique, "ownerId" ${id} references "user" ("id"), "metadata" text, "createdAt" ${date} not null, "updatedAt" ${date} not null)`,
	);
	await query(
		`create table "tenantMember" ("id" ${id} primary key, "tenantId" ${id} not null references "tenant" ("id") on delete cascade, "userId" ${id} not null references "user" ("id") on delete cascade, "role" ${text} not null, "createdAt" ${date} not null)`,
	);
	await query(
		`create table "tenantOauthConfig" ("id" ${id} primary key, "tenantId" ${id} not null references "tenant" ("id") on delete cascade, "providerId" ${text} not null, "clientId" text not null, "clientSecret" text not null, "scopes" text, "redirectURI" text, "enabled" boolean not null, "createdAt" ${date} not null, "updatedAt" ${date} not null)`,
	);
	for (const table of ["user", "session", "account"]) {
		await query(`alter table "${table}" add column "tenantId" ${id}`);
		await query(
			`alter table "${table}" add constraint "${table}_tenant" foreign key ("tenantId") references "tenant" ("id") on delete cascade`,
		);
	}
	await query(`alter table "verification" add column "tenantId" ${id}`);
	await query(
		kind === "mysql" ? 'alter table "user" drop index "email"' : 'alter table "user" drop constraint "user_email_key"',
	);
	const now = kind === "mysql" ? "'2026-01-01 00:00:00'" : "'2026-01-01T00:00:00Z'";
	for (const name of ["acme", "globex"]) {
		await query(
			`insert into "tenant" ("id", "name", "slug", "createdAt", "updatedAt") values ('${name}-id', '${name}', '${name}', ${now}, ${now})`,
		);
		await query(
			`insert into "tenantOauthConfig" ("id", "tenantId", "providerId", "clientId", "clientSecret", "enabled", "createdAt", "updatedAt") values ('config-${name}', '${name}-id', 'google', 'old', 'old', true, ${now}, ${now})`,
		);
	}
	for (const [user, tenant] of [
		["ada-1", "'acme-id'"],
		["ada-2", "'globex-id'"],
		["ada-3", "null"],
	] as const) {
		const hash = await cheapHash.hash(`${PASSWORD} ${user}`);
		await query(
			`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId") values ('${user}', 'Ada', 'ada@example.com', true, ${now}, ${now}, ${tenant})`,
		);
		await query(
			`insert into "account" ("id", "accountId", "providerId", "userId", "password", "createdAt", "updatedAt", "tenantId") values ('account-${user}', '${user}', 'credential', '${user}', '${hash}', ${now}, ${now}, ${tenant})`,
		);
		await query(
			`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt", "tenantId") values ('session-${user}', 'token-${user}', '${user}', ${now}, ${now}, ${now}, ${tenant})`,
		);
	}
	await query(
		`insert into "tenantMember" ("id", "tenantId", "userId", "role", "createdAt") values ('member', 'acme-id', 'ada-3', 'owner', ${now})`,
	);
	await query(`update "tenant" set "ownerId" = 'ada-3' where "id" = 'acme-id'`);
};

const statements = (sql: string): string[] => sql.split(";\n").filter(Boolean);

describe.each(["postgres", "mysql"] as const)("the tables of better-auth-tenancy on %s", (kind) => {
	it("become tables of this package, and every user signs in to the same tenant as before", async () => {
		const database = await createDatabase(kind);
		onTestFinished(database.close);
		await createOldTables(database);
		for (const table of ["user", "session", "account"])
			await database.query(
				`alter table "${table}" drop ${kind === "mysql" ? "foreign key" : "constraint"} "${table}_tenant"`,
			);
		for (const statement of [recipe("tenancy"), recipe(`tenancy-${kind}`)].flatMap(statements))
			await database.query(statement);

		const composed = { ...options(database), plugins: [tenantAuth()] };
		const steps = async () => tenantMigrationSteps(betterAuth(composed));
		for (const sql of await steps()) await database.query(sql);
		await (await getMigrations(composed)).runMigrations();
		for (const sql of await steps()) await database.query(sql);
		expect(await steps()).toEqual([]);

		const auth = betterAuth(composed);
		const signIn = async (tenant: string | null, password: string) => {
			const headers = new Headers({ origin: ORIGIN, "content-type": "application/json" });
			if (tenant) headers.set("x-tenant-id", tenant);
			const body = JSON.stringify({ email: "ada@example.com", password });
			const url = `${ORIGIN}/api/auth/sign-in/email`;
			const response = await auth.handler(new Request(url, { method: "POST", headers, body }));
			const browser = new Browser();
			browser.take(response);
			const { user } = await response.json();
			return [response.status, user?.id, user?.tenantId];
		};
		const places = { "ada-1": "acme-id", "ada-2": "globex-id", "ada-3": null };
		for (const [user, tenant] of Object.entries(places)) {
			expect(await signIn(tenant, `${PASSWORD} ${user}`)).toEqual([200, user, tenant ?? PLATFORM]);
			for (const other of Object.values(places))
				if (other !== tenant) expect((await signIn(other, `${PASSWORD} ${user}`))[0]).toBe(401);
		}
		const tenants = await auth.api.listTenants({ query: {} });
		expect(tenants.map(({ id, slug }) => [id, slug]).sort()).toEqual([
			["acme-id", "acme"],
			["globex-id", "globex"],
		]);
		const members = await database.query('select "userId", "tenantId" from "tenantMember"');
		expect(members).toEqual([{ userId: "ada-3", tenantId: "acme-id" }]);
	});
});
