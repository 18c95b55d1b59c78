import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createAdministered } from "./support/administered.ts";

/** Every endpoint of the engine's admin plugin that acts on another user. */
const ENGINE: [path: string, body: (userId: string) => object | null][] = [
	["/admin/set-role", (userId) => ({ userId, role: "owner" })],
	["/admin/create-user", () => ({ email: "made@example.com", name: "Made", role: "owner", password: PASSWORD })],
	["/admin/update-user", (userId) => ({ userId, data: { role: "owner" } })],
	["/admin/ban-user", (userId) => ({ userId })],
	["/admin/unban-user", (userId) => ({ userId })],
	["/admin/impersonate-user", (userId) => ({ userId })],
	["/admin/revoke-user-sessions", (userId) => ({ userId })],
	["/admin/revoke-user-session", () => ({ sessionToken: "token" })],
	["/admin/remove-user", (userId) => ({ userId })],
	["/admin/set-user-password", (userId) => ({ userId, newPassword: "another password" })],
	["/admin/list-user-sessions", (userId) => ({ userId })],
	["/admin/list-users", () => null],
	["/admin/get-user", () => null],
];

// threat 111
describe("a role", () => {
	it("cannot be chosen at sign-up or by an update, in any shape", async () => {
		const { world, a, inA, rolesIn } = await createAdministered();
		const before = await rolesIn(a);
		for (const role of ["owner", "admin", ["owner"], "member,owner"]) {
			const body = { name: "Eve", email: "eve@example.com", password: PASSWORD, role };
			for (const path of ["/sign-up/email", "/tenant/sign-up/email"])
				await world.call(path, { tenant: a, body: path.startsWith("/tenant") ? { ...body, tenantId: a } : body });
			await world.call("/update-user", { browser: inA.member.browser, body: { role } });
			await world.call("/update-user", { browser: inA.member.browser, body: { name: "Eve", role } });
		}
		const { "eve@example.com": eve, ...others } = await rolesIn(a);
		expect([undefined, "member"]).toContain(eve);
		expect(others).toEqual(before);
	});

	it("cannot be set by a hook or a profile in a request, even if the application lets it through", async () => {
		const { world, a, rolesIn } = await createAdministered({
			engine: {
				databaseHooks: {
					user: {
						create: { before: async (user) => ({ data: { ...user, role: user.name === "Eve" ? "owner" : "member" } }) },
					},
				},
			},
		});
		const body = { name: "Eve", email: "eve@example.com", password: PASSWORD };
		const refused = await world.call("/sign-up/email", { tenant: a, body });
		expect([refused.status, await rolesIn(a)]).toEqual([
			403,
			expect.not.objectContaining({ "eve@example.com": "owner" }),
		]);
		expect(refused.code).toBe("ROLE_NOT_ASSIGNABLE");
	});

	it("is one role, also for server code", async () => {
		const { world, a, inA, rolesIn } = await createAdministered();
		const { internalAdapter } = await world.auth.$context;
		for (const role of ["owner,admin", "", null])
			await expect(runWithTenant(a, () => internalAdapter.updateUser(inA.member.id, { role }))).rejects.toMatchObject({
				body: { code: "INVALID_TENANT_ROLE" },
			});
		await runWithTenant(a, () => internalAdapter.updateUser(inA.member.id, { role: "admin" }));
		expect(await rolesIn(a)).toMatchObject({ "member@example.com": "admin" });
	});

	it("does not come with an import", async () => {
		const { world, a, rolesIn } = await createAdministered();
		const user = { email: "imported@example.com", name: "Imported", role: "owner" };
		const answer = await world.auth.api
			.importTenantUsers({ body: { tenantId: a, users: [user] } } as never)
			.catch(String);
		expect(JSON.stringify(answer)).toContain("INVALID_USER");
		expect(await rolesIn(a)).not.toHaveProperty("imported@example.com");
	});
});

// threat 109
describe("the endpoints of the admin plugin", () => {
	it("are closed in tenants, for owners and admins too", async () => {
		const { world, inA, a, rolesIn } = await createAdministered();
		const before = await rolesIn(a);
		for (const [path, body] of ENGINE)
			for (const by of [inA.owner, inA.admin, inA.member]) {
				const sent = body(inA.other.id);
				const answer = await world.call(path, {
					browser: by.browser,
					...(sent ? { body: sent } : { query: { id: inA.other.id } }),
				});
				expect([path, answer.status, answer.code]).toEqual([path, 403, "ADMIN_ENDPOINT_CLOSED"]);
			}
		// also if the application calls them with the headers of a request
		const headers = new Headers({ cookie: inA.admin.browser.header() });
		const api: Record<string, (input: object) => Promise<unknown>> = world.auth.api as never;
		await expect(
			runWithTenant(a, () => api.setRole?.({ headers, body: { userId: inA.member.id, role: "owner" } })),
		).rejects.toMatchObject({ body: { code: "ADMIN_ENDPOINT_CLOSED" } });
		expect(await rolesIn(a)).toEqual(before);
		const asked = { permissions: { user: ["ban"] } };
		const may = await world.call("/admin/has-permission", { browser: inA.admin.browser, body: asked });
		expect(may.json).toMatchObject({ success: true });
	});

	it("keep their meaning on the platform", async () => {
		const { world } = await createAdministered();
		const operator = await world.signUp(undefined, "operator@example.com");
		const other = await world.signUp(undefined, "colleague@example.com");
		const idOf = async (browser: Browser) => (await world.ok("/get-session", { browser })).json.user.id;
		const { internalAdapter } = await world.auth.$context;
		await internalAdapter.updateUser(await idOf(operator), { role: "admin" });
		const userId = await idOf(other);
		const set = await world.call("/admin/set-role", { browser: operator, body: { userId, role: ["admin", "user"] } });
		expect([set.status, set.json?.user?.role]).toEqual([200, "admin,user"]);
		// a platform admin is no operator, unless management.roles says so
		const { a, inA } = { a: world.a, inA: await idOf(other) };
		const refused = await world.call("/tenant/user/ban", { browser: operator, body: { tenantId: a, userId: inA } });
		expect(refused.code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
	});
});

// threat 111
describe("an impersonated session", () => {
	it("manages nothing, whoever created it", async () => {
		const { world, a, inA } = await createAdministered();
		const { internalAdapter } = await world.auth.$context;
		// a session that the admin plugin created, before its endpoint was closed or by server code
		const session = await runWithTenant(a, () =>
			internalAdapter.createSession(inA.owner.id, false, { impersonatedBy: inA.admin.id }),
		);
		const headers = { authorization: `Bearer ${session.token}` };
		const browser = new Browser();
		const { setSessionCookieFor } = await import("./support/session-cookie.ts");
		await setSessionCookieFor(world, a, browser, session.token);
		expect((await world.call("/get-session", { browser })).json?.user.id).toBe(inA.owner.id);
		const body = { tenantId: a, userId: inA.member.id, role: "owner" };
		const refused = await world.call("/tenant/user/set-role", { browser, headers, body });
		expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	});
});
