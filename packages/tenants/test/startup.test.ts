import { oauthProvider } from "@better-auth/oauth-provider";
import { scim } from "@better-auth/scim";
import { sso } from "@better-auth/sso";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin } from "better-auth/plugins/admin";
import { jwt } from "better-auth/plugins/jwt";
import { oAuthProxy } from "better-auth/plugins/oauth-proxy";
import { organization } from "better-auth/plugins/organization";
import { twoFactor } from "better-auth/plugins/two-factor";
import { username } from "better-auth/plugins/username";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import { createDatabase } from "test-kit/databases";
import { passTime } from "test-kit/pass-time";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tenantAuth, withTenants } from "../src/index.ts";

const base = {
	baseURL: ORIGIN,
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	emailAndPassword: { enabled: true },
	logger: { disabled: true },
};
const refusal = async (options: Parameters<typeof betterAuth>[0]): Promise<string> => {
	try {
		await betterAuth({ ...base, ...options }).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

afterEach(() => vi.restoreAllMocks());

describe("starting up", () => {
	it("works without options, alone and before plugins without tables", async () => {
		expect(await refusal({ plugins: [tenantAuth()] })).toBe("started");
		expect(await refusal({ plugins: [tenantAuth(), admin()] })).toBe("started");
	});

	// threat 65
	it("throws after another plugin, and says to move it", async () => {
		expect(await refusal({ plugins: [admin(), tenantAuth()] })).toMatch(
			/must be the first plugin.*Move it to the front/s,
		);
	});

	// threat 65
	it("throws if it is mounted twice, and says which to keep", async () => {
		expect(await refusal({ plugins: [tenantAuth(), tenantAuth()] })).toMatch(/is 2 times in `plugins`. Keep one/);
		expect(await refusal({ plugins: [tenantAuth(), ...withTenants({}, [twoFactor()])] })).toMatch(
			/withTenants\(options, plugins\) contains it/,
		);
	});

	it("throws for a secondary storage that would fail every callback or every counted request, and says what it needs", async () => {
		const whole = {
			get: async () => null,
			set: async () => {},
			delete: async () => {},
			getAndDelete: async () => null,
			increment: async () => 1,
		};
		const startWithout = (name: string, rateLimit: object) => {
			const secondaryStorage = Object.fromEntries(Object.entries(whole).filter(([method]) => method !== name));
			return refusal({ secondaryStorage: secondaryStorage as typeof whole, rateLimit, plugins: [tenantAuth()] });
		};
		const counted = { enabled: true };
		expect(await startWithout("nothing", counted)).toBe("started");
		for (const name of ["get", "set", "delete", "getAndDelete"])
			expect(await startWithout(name, { enabled: false })).toMatch(
				new RegExp(`secondaryStorage.*has no ${name}\\(\\).*redisStorage.*${name}\\(key`, "s"),
			);
		expect(await startWithout("increment", counted)).toMatch(/has no increment\(\), which counts requests/);
		for (const rateLimit of [
			{ enabled: false },
			{ enabled: true, storage: "memory" },
			{ enabled: true, storage: "database" },
		])
			expect(await startWithout("increment", rateLimit)).toBe("started");
	});

	it("throws for serial ids in the in-memory database, which would give two tenants one id", async () => {
		const advanced = { database: { generateId: "serial" as const } };
		expect(await refusal({ advanced, plugins: [tenantAuth()] })).toMatch(/in-memory database reuses serial ids/);
	});

	it("throws for a management key that cannot work, with the fix, and never repeats it", () => {
		const good = "k".repeat(32);
		const cases: [unknown, RegExp][] = [
			[[undefined], /management\.keys\[0\] is undefined. Set the environment variable/],
			[[good, ""], /management\.keys\[1\] is empty. Set the environment variable/],
			[[null], /management\.keys\[0\] is null/],
			[[7], /management\.keys\[0\] must be a string/],
			[["too-short"], /management\.keys\[0\] has 9 characters.*at least 32.*openssl rand/],
			[[`${good}\n`], /management\.keys\[0\] begins or ends with white space/],
			[good, /management\.keys must be an array/],
		];
		for (const [keys, message] of cases) {
			const start = () => tenantAuth({ management: { keys: keys as string[] } });
			expect(start).toThrow(message);
			expect(start).not.toThrow(/too-short|kkk/);
		}
		expect(() => tenantAuth({ management: { keys: [good] } })).not.toThrow();
	});

	// threat 65
	it("throws for an unscoped table or unique field, and says how to compose the plugin", async () => {
		expect(await refusal({ plugins: [tenantAuth(), organization()] })).toMatch(
			/"organization" has no tenant.*withTenants/s,
		);
		expect(await refusal({ plugins: [tenantAuth(), twoFactor()] })).toMatch(/"twoFactor" has no tenant.*withTenants/s);
		expect(await refusal({ plugins: [tenantAuth(), username()] })).toMatch(
			/"user.username" is unique among all tenants/,
		);
		const badge = { user: { additionalFields: { badge: { type: "string" as const, unique: true, required: false } } } };
		expect(await refusal({ ...badge, plugins: [tenantAuth()] })).toMatch(
			/"user.badge" is unique among all tenants.*drop `unique`/s,
		);
		expect(await refusal({ plugins: withTenants({}, [organization(), twoFactor(), username()]) })).toBe("started");
	});

	// threats 65 and 80
	it("throws for process-wide state of a plugin, and says how to fix it", async () => {
		const provider = (more: object) =>
			oauthProvider({
				loginPage: "/login",
				consentPage: "/consent",
				silenceWarnings: { oauthAuthServerConfig: true },
				...more,
			});
		const managed = { credentialHashSecret: "s".repeat(40) };
		const bearerToken = { type: "bearer" as const, id: "first", token: "a-token-of-the-configuration" };
		const shared: [RegExp, BetterAuthPlugin[]][] = [
			[
				/`cachedTrustedClients` of the oauth-provider.*Remove it/s,
				[jwt(), provider({ cachedTrustedClients: new Set() })],
			],
			[/`cachedResources` of the oauth-provider.*Remove it/s, [jwt(), provider({ cachedResources: new Set(["x"]) })]],
			[
				/`defaultSSO` of the sso.*registerSSOProvider/s,
				[sso({ defaultSSO: [{ providerId: "idp", domain: "corp.example" }] })],
			],
			[
				/`connections` of the scim.*createSCIMManagedConnection/s,
				[scim({ connections: [{ id: "okta", credentials: [bearerToken] }], managedConnections: managed })],
			],
			[/`secret` of the oauth-proxy.*the same auth secret/s, [oAuthProxy({ secret: "s".repeat(40) })]],
		];
		for (const [complaint, plugins] of shared) {
			expect(await refusal({ plugins: withTenants({}, plugins) })).toMatch(complaint);
		}
		const fine = [jwt(), provider({}), sso(), oAuthProxy(), scim({ connections: [], managedConnections: managed })];
		expect(await refusal({ plugins: withTenants({ database: { requireTransactions: false } }, fine) })).toBe("started");
	});

	// threat 67
	it("throws for a Better Auth version that is too old or was not verified", async () => {
		for (const [version, starts] of [
			["1.7.6", false],
			["1.8.0", false],
			["2.0.0", false],
			["1.7.9", true],
		] as const) {
			const plugin = tenantAuth();
			const aged = {
				...plugin,
				init: (context: Parameters<typeof plugin.init>[0]) => plugin.init({ ...context, version }),
			};
			expect([version, (await refusal({ plugins: [aged] })).includes("is not supported")]).toEqual([version, !starts]);
		}
	});

	// threat 47
	it("throws for an adapter without transactions, unless the options accept it", async () => {
		const own = await createDatabase("postgres");
		const db = new Kysely({ dialect: new PostgresDialect({ pool: own.connection as Pool }) });
		expect(await refusal({ database: { db, type: "postgres" }, plugins: [tenantAuth()] })).toMatch(
			/runs without transactions.*transaction: true/s,
		);
		expect(await refusal({ database: { db, type: "postgres", transaction: true }, plugins: [tenantAuth()] })).toBe(
			"started",
		);
		expect(
			await refusal({
				database: { db, type: "postgres" },
				plugins: [tenantAuth({ database: { requireTransactions: false } })],
			}),
		).toBe("started");
		await own.close();
	});

	it("throws for unsafe options and names them", () => {
		expect(() => tenantAuth({ management: { keys: ["short"] } })).toThrow("management.keys");
		expect(() => tenantAuth({ tenantHeader: "not a header" })).toThrow("tenantHeader");
		expect(() => tenantAuth({ deletion: { batchSize: 0 } })).toThrow("deletion.batchSize");
		expect(() => tenantAuth({ tenantCache: { maxAge: -1 } })).toThrow("tenantCache.maxAge");
	});
});

describe.each(["postgres", "mysql", "sqlite"] as const)("an application with existing users, on %s", (kind) => {
	it("keeps them on the platform, and keeps tenants closed until the old index is dropped", async () => {
		const own = await createDatabase(kind);
		const before = betterAuth({ ...base, database: own.connection });
		await (await getMigrations({ ...base, database: own.connection })).runMigrations();
		const old = await before.api.signUpEmail({ body: { name: "Ada", email: "ada@example.com", password: PASSWORD } });
		const options = {
			...base,
			database: own.connection,
			plugins: [tenantAuth({ management: { keys: [MANAGEMENT_KEY] } })],
		};

		if (kind === "mysql") {
			// text columns cannot be in a unique index, so they are bounded first, as docs/database.md shows
			await own.query(
				'alter table "account" modify "providerId" varchar(255) not null, modify "accountId" varchar(255) not null',
			);
		}
		await (await getMigrations(options)).runMigrations();
		const auth = betterAuth(options);
		// the platform works as before: same user, same session
		const signedIn = await auth.api.signInEmail({ body: { email: "ada@example.com", password: PASSWORD } });
		expect(signedIn.user.id).toBe(old.user.id);
		const tenant = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const signUp = () =>
			auth.api.signUpTenantEmail({
				body: { tenantId: tenant.id, name: "Ada", email: "ada@example.com", password: PASSWORD },
			});
		await expect(signUp()).rejects.toMatchObject({ body: { code: "DATABASE_NOT_ISOLATED" } });

		if (kind === "postgres") await own.query('alter table "user" drop constraint "user_email_key"');
		if (kind === "mysql") await own.query('alter table "user" drop index "email"');
		if (kind === "sqlite") await rebuildSqliteUsers(own.query);
		// the check runs again after a second
		passTime(1_100);
		expect((await signUp()).user.tenantId).toBe(tenant.id);
		expect((await own.query('select "tenantId" from "user"')).map((row) => row.tenantId).sort()).toEqual(
			[tenant.id, "platform"].sort(),
		);
		await own.close();
	});
});

/** SQLite cannot drop a column's constraint, so the table is rebuilt (docs/database.md). */
const rebuildSqliteUsers = async (query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<void> => {
	const [table] = await query(`select sql from sqlite_master where name = 'user'`);
	const indexes = await query(
		`select sql from sqlite_master where type = 'index' and tbl_name = 'user' and sql is not null`,
	);
	await query("pragma foreign_keys = off");
	await query(
		String(table?.sql)
			.replace('"user"', '"user_new"')
			.replace(/("email" text not null) unique/i, "$1"),
	);
	await query('insert into "user_new" select * from "user"');
	await query('drop table "user"');
	await query('alter table "user_new" rename to "user"');
	for (const index of indexes) await query(String(index.sql));
};

describe("an index that only looks right", () => {
	it("keeps tenants closed on PostgreSQL: email alone with the tenant included, and an invalid one", async () => {
		const world = await createWorld({ database: "postgres" });
		const again = () =>
			betterAuth({ ...world.options, plugins: [tenantAuth({ management: { keys: [MANAGEMENT_KEY] } })] });
		const tenant = await again().api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const ask = () => again().api.getSession({ headers: new Headers({ "x-tenant-id": tenant.id }) });
		expect(await ask()).toBeNull();
		await world.database.query('create unique index "carries" on "user" ("email") include ("tenantId")');
		await expect(ask()).rejects.toMatchObject({ body: { code: "DATABASE_NOT_ISOLATED" } });
		await world.database.query('drop index "carries"');
		expect(await ask()).toBeNull();
		await world.database.query(
			`update pg_index set indisvalid = false where indrelid = '"account"'::regclass and indisunique and not indisprimary`,
		);
		await expect(ask()).rejects.toMatchObject({ body: { code: "DATABASE_NOT_ISOLATED" } });
	});
});

describe("the old index", () => {
	it("is logged with the fix", async () => {
		const world = await createWorld();
		await world.database.query('create unique index "old_email" on "user" ("email")');
		const again = betterAuth({ ...world.options, logger: { log: (_level, message) => logs.push(message) } });
		const logs: string[] = [];
		const tenant = await again.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		await expect(again.api.getSession({ headers: new Headers({ "x-tenant-id": tenant.id }) })).rejects.toMatchObject({
			status: "SERVICE_UNAVAILABLE",
		});
		expect(logs.join("\n")).toMatch(/old_email.*docs\/database\.md/);
	});
});
