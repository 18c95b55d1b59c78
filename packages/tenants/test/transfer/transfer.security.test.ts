import { createHash } from "node:crypto";
import { admin } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type AuditEntry, currentTenantId, withTenants } from "../../src/index.ts";
import { createTransferable, stored, transferring, userNamed, ways } from "./transferable.ts";

const KEY_NAME = createHash("sha256").update(MANAGEMENT_KEY).digest("hex").slice(0, 12);

const idOf = async (world: World, browser: Browser): Promise<string> =>
	(await world.call("/get-session", { browser })).json.user.id;

describe("transferring tenants and users", () => {
	// threat 49
	it("is off by default: a key gets TRANSFER_DISABLED, other callers the usual 401 or 403", async () => {
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
		// without the option
		const bare = await createWorld();
		for (const tenantId of [await bare.newTenant(), await bare.newTenant()])
			for (const [, path, call] of ways(tenantId))
				expect((await bare.call(path, { ...call, operator: true })).code).toBe("TRANSFER_DISABLED");
	});

	// threats 49 and 54
	it("is for keys only: not for operators by id or role, owners by authorize, or an impersonated session", async () => {
		const operators: string[] = [];
		const asked: string[] = [];
		const entries: AuditEntry[] = [];
		const options = transferring(entries, {
			management: {
				userIds: operators,
				roles: ["admin"],
				authorize: ({ action }) => asked.push(action) > 0,
				impersonation: {},
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
		const impersonated = listed.copy();
		const target = { tenantId: a, userId: await idOf(world, owner), reason: "ticket 4711" };
		expect((await world.call("/tenant/impersonate", { browser: impersonated, body: target })).status).toBe(200);
		// all of them may manage
		for (const browser of [listed, byRole, owner])
			expect((await world.call("/tenant/get", { browser: browser.copy(), query: { id: a } })).status).toBe(200);
		asked.length = 0;
		const before = await stored(world);
		for (const [browser, status, code] of [
			[listed, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[byRole, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[owner, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
			[impersonated, 403, "IMPERSONATION_NOT_ALLOWED"],
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
	it("is audited before it happens, with no hash, key or email in the audit or the log", async () => {
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
	it("exports one tenant's users only, whatever tenant a hint names", async () => {
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
		// another tenant's id as cursor is a position, and returns none of its users
		const cursor = btoa(`${String(last)}`.slice(0, -1));
		const shown = await world.call("/tenant/export-users", { operator: true, query: { tenantId: a, cursor } });
		expect(shown.text).not.toContain("grace");
		// another tenant's session with a key changes nothing
		const browser = await world.signUp(b, "barbara@example.com");
		const beside = await world.call("/tenant/export-users", { operator: true, browser, query: { tenantId: a } });
		expect(beside.json.map(({ email }) => email)).toEqual(["ada@example.com"]);
		await importUsers(a, [userNamed("tony")]);
		expect((await usersOf(b)).map(({ email }) => email)).toEqual(["barbara@example.com", "grace@example.com"]);
		expect((await usersOf("platform")).map(({ email }) => email)).toEqual(["edsger@example.com"]);
	});

	it("runs no hooks of the application, and only in the given tenant", async () => {
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
