import { createHash } from "node:crypto";
import { admin } from "better-auth/plugins";
import type { Pool as MysqlPool } from "mysql2/promise";
import { Pool } from "pg";
import { Browser } from "test-kit/browser";
import { type CallOptions, createWorld, MANAGEMENT_KEY, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type AuditEntry, currentTenantId, withTenants } from "../../src/index.ts";
import { createTransferable, transferring, userNamed } from "./transferable.ts";

const KEY_NAME = createHash("sha256").update(MANAGEMENT_KEY).digest("hex").slice(0, 12);
const TABLES = ["tenant", "user", "account", "session"];

/** The three ways in and out, and what is told of each. */
const ways = (tenantId: string): [AuditEntry["action"], string, CallOptions][] => [
	["user:export", "/tenant/export-users", { query: { tenantId } }],
	["user:import", "/tenant/import-users", { body: { tenantId, users: [userNamed("planted")] } }],
	["tenant:import", "/tenant/import", { body: { id: tenantId, name: "Planted", slug: "planted" } }],
];

const stored = (world: World) =>
	Promise.all(TABLES.map((table) => world.database.query(`select * from "${table}" order by "id"`)));

/** Has the database wait for a lock before the user `slow`, and take no dates after 2038, as it is with MySQL's anyway. */
const slowDown = async ({ database }: World, kind: "postgres" | "mysql") => {
	if (kind === "mysql") {
		await database.query(
			`create trigger slowly before insert on "user" for each row set @waited = if(new."name" = 'slow', get_lock(database(), 120) + release_lock(database()), 0)`,
		);
		return;
	}
	await database.query(`alter table "user" add constraint early check ("createdAt" < '2038-01-19')`);
	await database.query(
		`create function slowly() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$`,
	);
	await database.query(
		`create trigger slowly before insert on "user" for each row when (new."name" = 'slow') execute function slowly()`,
	);
};

const WAITING = {
	postgres: `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
	mysql: `select count(*) as n from information_schema.processlist where db = database() and state = 'User lock'`,
};

/** Takes the lock that the user `slow` waits for. */
const takeLock = async ({ database: { connection } }: World): Promise<() => Promise<void>> => {
	if (connection instanceof Pool) {
		const client = await connection.connect();
		await client.query("select pg_advisory_lock(1)");
		return async () => {
			await client.query("select pg_advisory_unlock(1)");
			client.release();
		};
	}
	const client = await (connection as MysqlPool).getConnection();
	await client.query("select get_lock(database(), 120)");
	return async () => {
		await client.query("select release_lock(database())");
		client.release();
	};
};

const idOf = async (world: World, browser: Browser): Promise<string> =>
	(await world.call("/get-session", { browser })).json.user.id;

describe("moving tenants and users", () => {
	// threat 49
	it("is off unless it is turned on: a key is told how, and strangers what they are always told", async () => {
		const { world, entries } = await createTransferable({ management: { transfer: false } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const member = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const before = await stored(world);
		for (const tenantId of [a, b, "nobody"]) {
			for (const [action, path, call] of ways(tenantId)) {
				entries.length = 0;
				const answers = [
					await world.call(path, { ...call, operator: true }),
					await world.call(path, call),
					await world.call(path, { ...call, browser: member.copy() }),
					await world.call(path, { ...call, headers: { authorization: "Bearer nonsense" } }),
				];
				expect([path, answers.map(({ status, code }) => `${status} ${code}`)]).toEqual([
					path,
					[
						"403 TRANSFER_DISABLED",
						"401 TENANT_MANAGEMENT_UNAUTHORIZED",
						"403 TENANT_MANAGEMENT_NOT_ALLOWED",
						"403 TENANT_MANAGEMENT_NOT_ALLOWED",
					],
				]);
				expect(entries.map(({ action, tenantId, outcome, code }) => [action, tenantId, outcome, code])).toEqual(
					answers.map(({ code }) => [action, tenantId, "refused", code]),
				);
				expect(entries[0]?.actor).toEqual({ kind: "key", name: KEY_NAME });
			}
		}
		expect(await stored(world)).toEqual(before);
		// the option left out altogether
		const bare = await createWorld();
		for (const tenantId of [await bare.newTenant(), await bare.newTenant()])
			for (const [, path, call] of ways(tenantId))
				expect((await bare.call(path, { ...call, operator: true })).code).toBe("TRANSFER_DISABLED");
	});

	// threats 49 and 54
	it("is for keys alone: not for operators by id or role, owners by authorize, or whoever entered", async () => {
		const operators: string[] = [];
		const asked: string[] = [];
		const entries: AuditEntry[] = [];
		const options = transferring(entries, {
			management: {
				userIds: operators,
				roles: ["admin"],
				authorize: ({ action }) => asked.push(action) > 0,
				enter: {},
			},
		});
		const world = await createWorld({ allPlugins: withTenants(options, [admin()]) });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const [listed, byRole] = [
			await world.signUp(undefined, "op@example.com"),
			await world.signUp(undefined, "root@example.com"),
		];
		operators.push(await idOf(world, listed));
		await world.database.query(`update "user" set "role" = 'admin' where "email" = 'root@example.com'`);
		const owner = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const entered = listed.copy();
		const visit = { tenantId: a, userId: await idOf(world, owner), reason: "ticket 4711" };
		expect((await world.call("/tenant/enter", { browser: entered, body: visit })).status).toBe(200);
		// all of them may manage
		for (const browser of [listed, byRole, owner])
			expect((await world.call("/tenant/get", { browser: browser.copy(), query: { id: a } })).status).toBe(200);
		asked.length = 0;
		const before = await stored(world);
		for (const [browser, status, code] of [
			[listed, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[byRole, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[owner, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[entered, 403, "ENTERED_SESSION_NOT_ALLOWED"],
			[new Browser(), 401, "TENANT_MANAGEMENT_UNAUTHORIZED"],
		] as const) {
			for (const tenantId of [a, b]) {
				for (const [action, path, call] of ways(tenantId)) {
					entries.length = 0;
					const answer = await world.call(path, { ...call, browser: browser.copy() });
					expect([path, answer.status, answer.code]).toEqual([path, status, code]);
					expect(entries).toMatchObject([{ action, tenantId, outcome: "refused", code }]);
				}
			}
		}
		expect(asked).toEqual([]);
		expect(await stored(world)).toEqual(before);
		// with headers it is no longer server code
		const headers = new Headers({ cookie: listed.header() });
		await expect(world.auth.api.exportTenantUsers({ headers, query: { tenantId: a } })).rejects.toMatchObject({
			body: { code: "TENANT_MANAGEMENT_NOT_ALLOWED" },
		});
	});

	// threats 49 and 55
	it("is on record before it happens, and no hash, key or address is in the record or the log", async () => {
		const failing = { now: false };
		const entries: AuditEntry[] = [];
		const { world } = await createTransferable({
			management: {
				audit: (entry) => {
					if (failing.now) throw new Error("the disk is full");
					entries.push(entry);
				},
			},
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const [{ password }] = (await world.database.query('select "password" from "account"')) as [{ password: string }];
		const steps = ways(a).map(([action, path, call]) =>
			action === "tenant:import"
				? ([action, path, { body: { ...(call.body as object), id: "new-id" } }] as const)
				: ([action, path, call] as const),
		);
		failing.now = true;
		const before = await stored(world);
		for (const [, path, call] of steps)
			expect([path, (await world.call(path, { ...call, operator: true })).code]).toEqual([path, "AUDIT_UNAVAILABLE"]);
		expect(await stored(world)).toEqual(before);
		failing.now = false;
		for (const [action, path, call] of steps) {
			entries.length = 0;
			expect((await world.call(path, { ...call, operator: true })).status).toBe(200);
			const tenantId = action === "tenant:import" ? "new-id" : a;
			expect(entries).toEqual([
				{
					at: expect.any(Date),
					action,
					tenantId,
					actor: { kind: "key", name: KEY_NAME },
					outcome: "allowed",
					ip: "127.0.0.1",
				},
			]);
		}
		entries.length = 0;
		await world.auth.api.exportTenantUsers({ query: { tenantId: b } });
		expect(entries).toMatchObject([
			{ action: "user:export", tenantId: b, actor: { kind: "server" }, outcome: "allowed" },
		]);
		const written = [...world.logs, JSON.stringify(entries)].join("\n");
		for (const secret of [password, "a".repeat(64), MANAGEMENT_KEY, "planted@example.com"])
			expect(written).not.toContain(secret);
	});

	// threats 1 and 49
	it("shows one tenant's people and no neighbour's, whatever tenant a hint names", async () => {
		const { world, importUsers, usersOf } = await createTransferable();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const [tenant, name] of [
			[a, "ada"],
			[b, "grace"],
			[undefined, "edsger"],
		] as const)
			await world.signUp(tenant, `${name}@example.com`);
		const last = (await usersOf(b)).at(-1)?.id;
		for (const hint of [undefined, a, b, "platform"]) {
			const shown = await world.call("/tenant/export-users", { operator: true, tenant: hint, query: { tenantId: a } });
			expect(shown.json.map(({ email }) => email)).toEqual(["ada@example.com"]);
			const body = { tenantId: a, users: [userNamed(`by-${hint}`)] };
			expect((await world.call("/tenant/import-users", { operator: true, tenant: hint, body })).json.imported).toBe(1);
			await world.database.query(`delete from "user" where "email" like 'by-%'`);
		}
		// a neighbour's id as cursor is a place in the order, and no way to him
		const cursor = btoa(`${String(last)}`.slice(0, -1));
		const shown = await world.call("/tenant/export-users", { operator: true, query: { tenantId: a, cursor } });
		expect(shown.text).not.toContain("grace");
		// the neighbour's session beside a key moves nothing either
		const browser = await world.signUp(b, "barbara@example.com");
		const beside = await world.call("/tenant/export-users", { operator: true, browser, query: { tenantId: a } });
		expect(beside.json.map(({ email }) => email)).toEqual(["ada@example.com"]);
		await importUsers(a, [userNamed("tony")]);
		expect((await usersOf(b)).map(({ email }) => email)).toEqual(["barbara@example.com", "grace@example.com"]);
		expect((await usersOf("platform")).map(({ email }) => email)).toEqual(["edsger@example.com"]);
	});

	// threats 34, 37 and 44
	it("takes the platform, an unknown tenant, a closed one and what is no id for one and the same: not there", async () => {
		const { world } = await createTransferable({ tenantAuth: { tenantCache: { maxAge: 60 } } });
		const [a, closed] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, closed, undefined]) await world.signUp(tenant, "ada@example.com");
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${closed}'`);
		const before = await stored(world);
		const answers = new Set<string>();
		for (const tenantId of ["platform", "Platform", "nobody", closed, "a b", ""]) {
			for (const [action, path, call] of ways(tenantId)) {
				if (action === "tenant:import") continue;
				const answer = await world.call(path, { ...call, operator: true });
				expect([tenantId, path, answer.status, answer.code]).toEqual([tenantId, path, 404, "TENANT_NOT_FOUND"]);
				answers.add(answer.text);
			}
		}
		expect(answers.size).toBe(1);
		expect(await stored(world)).toEqual(before);
	});

	// threats 34 and 49
	it("makes no tenant that a database could take for the platform", async () => {
		for (const database of ["sqlite", "mysql"] as const) {
			const { world, importTenant } = await createTransferable({ database });
			await world.newTenant();
			await world.signUp(undefined, "ada@example.com");
			const before = await stored(world);
			for (const id of ["platform", "Platform", "PLATFORM"]) {
				const answer = await importTenant({ id, name: "x", slug: "some-slug" });
				expect([id, answer.status, answer.code]).toEqual([id, 409, "TENANT_ID_TAKEN"]);
			}
			expect(await stored(world)).toEqual(before);
		}
	});

	// threat 49
	it("takes an id for taken that the database takes for another tenant's", async () => {
		const { world, importTenant } = await createTransferable({ database: "mysql" });
		await importTenant({ id: "AbCdEf", name: "Acme", slug: "acme" });
		await world.newTenant();
		for (const slug of ["acme", "globex"]) {
			const answer = await importTenant({ id: "abcdef", name: "Acme", slug });
			expect([answer.status, answer.code]).toEqual([409, "TENANT_ID_TAKEN"]);
		}
	});

	// threat 46
	it("stays closed while the database cannot keep tenants apart", async () => {
		const { world, usersOf } = await createTransferable({ database: "postgres" });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const [index] = await world.database.query(
			`select indexname from pg_indexes where tablename = 'user' and indexdef like '%UNIQUE%email%'`,
		);
		await world.database.query(`drop index "${index?.indexname}"`);
		for (const [action, path, call] of [...ways(a), ...ways(b)]) {
			if (action === "tenant:import") continue;
			const answer = await world.call(path, { ...call, operator: true });
			expect([path, answer.status, answer.code]).toEqual([path, 503, "TENANTS_CLOSED"]);
		}
		expect([...(await usersOf(a)), ...(await usersOf(b))]).toEqual([]);
	});

	// threat 47
	it("leaves no user without his accounts when an account cannot be written", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database: "postgres" });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await world.database.query(`alter table "account" add constraint no_tony check ("providerId" <> 'tony')`);
		const two = (providerId: string) => ({
			accounts: [
				{ providerId: "credential", password: "a".repeat(64) },
				{ providerId, accountId: "1" },
			],
		});
		const { json } = await importUsers(a, [
			userNamed("ada"),
			userNamed("tony", two("tony")),
			userNamed("zoe", two("google")),
		]);
		expect(json).toMatchObject({ imported: 2, refused: [{ index: 1, code: "INVALID_VALUE" }] });
		expect((await usersOf(a)).map(({ name }) => name)).toEqual(["ada", "zoe"]);
		expect(await accountsOf(a)).toHaveLength(3);
		expect(await usersOf(b)).toEqual([]);
	});

	// threat 44
	it("answers 404 and leaves nobody behind where the tenant was deleted before the batch, or a line of it, was done", {
		timeout: 180_000,
	}, async () => {
		for (const database of ["postgres", "mysql"] as const) {
			const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
			await slowDown(world, database);
			const stays = await world.newTenant();
			await importUsers(stays, [userNamed("ada")]);
			// the second batch has a line that the database does not take, so that each goes in by itself
			for (const others of [
				[userNamed("ada")],
				[userNamed("ada"), userNamed("a-bad", { createdAt: "9000-01-01T00:00:00Z" })],
			]) {
				const gone = await world.newTenant();
				const release = await takeLock(world);
				const under = importUsers(gone, [...others, userNamed("slow")]);
				const waiting = async () => Number((await world.database.query(WAITING[database]))[0]?.n);
				await expect.poll(waiting, { timeout: 120_000, interval: 20 }).toBe(1);
				expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } })).status).toBe(200);
				await release();
				const answer = await under;
				expect([database, answer.status, answer.code]).toEqual([database, 404, "TENANT_NOT_FOUND"]);
				expect([...(await usersOf(gone)), ...(await accountsOf(gone))]).toEqual([]);
			}
			expect(await usersOf(stays)).toHaveLength(1);
		}
	});

	it("runs none of the application's hooks, and in no tenant but the named one", async () => {
		const ran: (string | null)[] = [];
		const before = async () => void ran.push(currentTenantId());
		const { world, importUsers } = await createTransferable({
			engine: { databaseHooks: { user: { create: { before, after: before } }, account: { create: { before } } } },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect((await importUsers(a, [userNamed("ada")])).json.imported).toBe(1);
		expect(ran).toEqual([]);
		await world.signUp(b, "ada@example.com");
		expect(ran).toEqual([b, b, b]);
	});
});
