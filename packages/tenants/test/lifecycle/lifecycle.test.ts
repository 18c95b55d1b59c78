import { betterAuth } from "better-auth";
import { MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { lifecycleWorld } from "./support/lifecycle-world.ts";

const stores = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const;

describe.each(stores)("the life of a tenant on %s", (_name, where) => {
	it("goes from active to suspended, archived and active again", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b } = world;
		const [ada, bob] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "bob@example.com")];
		const before = await world.call("/tenant/get", { operator: true, query: { id: a } });
		expect(before.json.lifecycle).toEqual({
			status: "active",
			reason: null,
			by: null,
			at: null,
			sessionsSince: null,
			endsSessions: false,
		});

		const suspended = await world.suspend(a, { reason: "unpaid invoice" });
		expect(suspended.status).toBe(200);
		expect(suspended.json.lifecycle).toMatchObject({ status: "suspended", reason: "unpaid invoice" });
		expect(suspended.json.lifecycle).toMatchObject({
			by: expect.stringMatching(/^key:/),
			at: expect.stringMatching(/^\d{4}-/),
		});
		expect((await world.call("/get-session", { browser: ada })).code).toBe("TENANT_SUSPENDED");
		expect((await world.call("/get-session", { browser: bob })).json.session.tenantId).toBe(b);

		// again: the first reason and time stay
		const again = await world.suspend(a, { reason: "another" });
		expect(again.json.lifecycle).toEqual(suspended.json.lifecycle);

		const archived = await world.archive(a, { reason: "left us" });
		expect(archived.json.lifecycle).toMatchObject({ status: "archived", reason: "left us" });
		expect((await world.call("/get-session", { browser: ada })).code).toBe("TENANT_ARCHIVED");
		expect(await world.suspend(a)).toMatchObject({ status: 409, code: "TENANT_ARCHIVED" });

		const restored = await world.restore(a, { reason: "came back" });
		expect(restored.json.lifecycle).toMatchObject({ status: "active", reason: "came back", sessionsSince: null });
		expect((await world.call("/get-session", { browser: ada })).json.session.tenantId).toBe(a);
		expect((await world.restore(a)).json.lifecycle).toEqual(restored.json.lifecycle);
		expect(await world.restore(a, { endSessions: true })).toMatchObject({ status: 409, code: "TENANT_NOT_SUSPENDED" });
		expect((await world.call("/get-session", { browser: ada })).json.session.tenantId).toBe(a);
		expect((await world.call("/get-session", { browser: bob })).json.session.tenantId).toBe(b);
	});

	it("lets operators read a closed tenant, and change or impersonate nothing in it", async () => {
		const world = await lifecycleWorld([], {
			...where,
			tenants: { management: { transfer: true, impersonation: {} } },
		});
		const { a, b } = world;
		await world.signUp(a, "ada@example.com");
		const config = { providerId: "github", clientId: "id", clientSecret: "secret" };
		const operator = true;
		await world.call("/tenant/oauth-config/register", { operator, body: { tenantId: a, ...config } });
		await world.call("/tenant/domain/add", { operator, body: { tenantId: a, domain: "login.acme.com" } });
		await world.suspend(a);
		const query = { tenantId: a };
		expect((await world.call("/tenant/get", { operator, query: { slug: "acme" } })).json.id).toBe(a);
		const listed = await world.call("/tenant/list", { operator });
		expect((listed.json as unknown as { id: string }[]).map(({ id }) => id).sort()).toEqual([a, b].sort());
		expect((await world.call("/tenant/oauth-config/list", { operator, query })).text).toContain("github");
		expect((await world.call("/tenant/domain/list", { operator, query })).text).toContain("login.acme.com");
		const users = await world.call("/tenant/export-users", { operator, query });
		expect(users.text).toContain("ada@example.com");
		const userId = (users.json as unknown as { id: string }[])[0]?.id;
		for (const [path, body] of [
			["/tenant/update", { name: "New" }],
			["/tenant/oauth-config/register", config],
			["/tenant/oauth-config/delete", { providerId: "github" }],
			["/tenant/oauth-config/test", { providerId: "github", callbackURL: "/admin" }],
			["/tenant/domain/add", { domain: "other.acme.com" }],
			["/tenant/domain/remove", { domain: "login.acme.com" }],
			["/tenant/import-users", { users: users.json }],
		] as const) {
			const changed = await world.call(path, { operator, body: { tenantId: a, ...body } });
			expect([path, changed.status, changed.code]).toEqual([path, 403, "TENANT_SUSPENDED"]);
		}
		const entered = await world.call("/tenant/impersonate", {
			operator,
			body: { tenantId: a, userId, reason: "support" },
		});
		expect(entered).toMatchObject({ status: 404, code: "IMPERSONATION_TARGET_NOT_FOUND" });
		expect((await world.call("/tenant/update", { operator, body: { tenantId: b, name: "New" } })).status).toBe(200);
	});

	it("deletes a suspended and an archived tenant, and no other", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b } = world;
		const c = await world.newTenant("initech");
		const [, , bob] = [
			await world.signUp(a, "ada@example.com"),
			await world.signUp(c, "ada@example.com"),
			await world.signUp(b, "ada@example.com"),
		];
		await world.suspend(a);
		await world.archive(c);
		for (const tenantId of [a, c]) {
			const deleted = await world.call("/tenant/delete", { operator: true, body: { tenantId } });
			expect(deleted.json).toEqual({ success: true });
			expect(await world.statusOf(tenantId)).toBeUndefined();
			expect(await world.database.query(`select "id" from "user" where "tenantId" = '${tenantId}'`)).toEqual([]);
			expect(await world.restore(tenantId)).toMatchObject({ status: 404, code: "TENANT_NOT_FOUND" });
		}
		expect((await world.call("/get-session", { browser: bob })).json.session.tenantId).toBe(b);
	});
});

describe("the state of a tenant", () => {
	it("is audited with its operator and reason, before it changes", async () => {
		let fails = false;
		const seen: unknown[] = [];
		const world = await lifecycleWorld([], {
			tenants: {
				management: {
					keys: [MANAGEMENT_KEY],
					audit: ({ action, tenantId, outcome, reason, actor }) => {
						if (fails) throw new Error("the audit is down");
						seen.push({ action, tenantId, outcome, reason, actor: actor.kind });
					},
				},
			},
		});
		const { a } = world;
		seen.length = 0;
		await world.suspend(a, { reason: "unpaid" });
		await world.archive(a, { reason: "gone" });
		await world.restore(a, { reason: "back" });
		expect(seen).toEqual(
			[
				["tenant:suspend", "unpaid"],
				["tenant:archive", "gone"],
				["tenant:restore", "back"],
			].map(([action, reason]) => ({ action, reason, tenantId: a, outcome: "allowed", actor: "key" })),
		);
		fails = true;
		expect(await world.suspend(a)).toMatchObject({ status: 503, code: "AUDIT_UNAVAILABLE" });
		expect(await world.statusOf(a)).toBe("active");
	});

	it("has a reason of one line, and refuses unknown fields", async () => {
		const world = await lifecycleWorld();
		for (const body of [{}, { reason: "" }, { reason: "two\nlines" }, { reason: "x", until: "tomorrow" }]) {
			const refused = await world.call("/tenant/suspend", { operator: true, body: { tenantId: world.a, ...body } });
			expect(refused.status).toBe(400);
		}
		expect(await world.statusOf(world.a)).toBe("active");
	});

	it("can be changed by server code", async () => {
		const { auth, a, statusOf } = await lifecycleWorld();
		const api = auth.api as unknown as Record<string, (call: object) => Promise<{ lifecycle: { by: string } }>>;
		const suspended = await api.suspendTenant?.({ body: { tenantId: a, reason: "script" } });
		expect(suspended?.lifecycle.by).toBe("server");
		expect(await statusOf(a)).toBe("suspended");
	});

	it("requires tenantAuth", async () => {
		const auth = betterAuth({ plugins: [tenantLifecycle()], secret: PASSWORD.repeat(3), baseURL: "http://localhost" });
		await expect(auth.$context).rejects.toThrow("tenantAuth() must come before it");
	});
});
