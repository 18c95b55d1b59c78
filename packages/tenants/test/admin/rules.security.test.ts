import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createAdministered } from "./support/administered.ts";

const CHANGES: [path: string, more: object][] = [
	["set-role", { role: "member" }],
	["ban", { reason: "left" }],
	["unban", {}],
	["reset-second-factor", {}],
	["remove", {}],
	["erase", {}],
];
const EVERY: [path: string, more: object][] = [...CHANGES, ["end-sessions", {}]];

const snapshot = async ({ world }: Awaited<ReturnType<typeof createAdministered>>) =>
	JSON.stringify(
		await Promise.all(
			["user", "account", "session"].map((table) => world.database.query(`select * from "${table}" order by "id"`)),
		),
	);

// threat 111
describe("the users of a tenant", () => {
	it("are managed by owners and admins of their own tenant only", async () => {
		const all = await createAdministered();
		const { inA, inB, a, act, read, world } = all;
		const before = await snapshot(all);
		for (const [path, more] of EVERY) {
			// strangers, members, and owners of the other tenant, who name either tenant
			const stranger = await world.call(`/tenant/user/${path}`, {
				body: { tenantId: a, userId: inA.member.id, ...more },
			});
			expect([path, stranger.status, stranger.code]).toEqual([path, 401, "TENANT_MANAGEMENT_UNAUTHORIZED"]);
			for (const by of [inA.member, inB.owner, inB.admin]) {
				const refused = await act(by, path, inA.other, more);
				expect([path, refused.status, refused.code]).toEqual([path, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
			}
			// another tenant's user is not different from one that does not exist
			const foreign = await act(inB.owner, path, inA.other, more, all.b);
			const missing = await act(inB.owner, path, { id: "nobody" }, more, all.b);
			expect([path, foreign.status, foreign.code]).toEqual([path, 404, "TENANT_USER_NOT_FOUND"]);
			expect(foreign.text).toBe(missing.text);
		}
		for (const path of ["get", "export"]) {
			expect((await read(inA.member, path, inA.other)).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
			expect((await read(inB.owner, path, inA.other)).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
			expect((await read(inB.owner, path, inA.other, all.b)).code).toBe("TENANT_USER_NOT_FOUND");
		}
		// what else the roles allow
		const get = (by: typeof inA.owner) => world.call("/tenant/get", { browser: by.browser, query: { id: a } });
		expect([(await get(inA.admin)).status, (await get(inA.owner)).status]).toEqual([200, 200]);
		for (const by of [inA.member, inB.owner]) expect((await get(by)).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		for (const path of ["/tenant/update", "/tenant/delete"]) {
			const body = { tenantId: a, ...(path === "/tenant/update" ? { name: "Mine" } : {}) };
			const changed = await world.call(path, { browser: inA.owner.browser, body });
			expect([path, changed.code]).toEqual([path, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		}
		const list = await world.call("/tenant/user/list", { browser: inB.owner.browser, query: { tenantId: a } });
		expect(list.code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		expect(await snapshot(all)).toBe(before);
	});

	it("are not platform users", async () => {
		const { inA, operate, act } = await createAdministered();
		expect((await operate("ban", inA.member, {}, "platform")).code).toBe("TENANT_NOT_FOUND");
		expect((await act(inA.owner, "ban", inA.member, {}, "platform")).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
	});
});

// threat 109
describe("an admin", () => {
	it("cannot touch an owner, nor make one", async () => {
		const all = await createAdministered();
		const { inA, act, a, world } = all;
		const before = await snapshot(all);
		for (const [path, more] of EVERY) {
			const refused = await act(inA.admin, path, inA.owner, more);
			const expected = path === "erase" ? "TENANT_MANAGEMENT_NOT_ALLOWED" : "OWNER_REQUIRED";
			expect([path, refused.status, refused.code]).toEqual([path, 403, expected]);
		}
		expect((await act(inA.admin, "set-role", inA.member, { role: "owner" })).code).toBe("OWNER_REQUIRED");
		const made = await world.call("/tenant/user/create", {
			browser: inA.admin.browser,
			body: { tenantId: a, email: "new@example.com", name: "New", role: "owner" },
		});
		expect([made.status, made.code]).toEqual([403, "OWNER_REQUIRED"]);
		expect(await snapshot(all)).toBe(before);
	});

	it("manages members and admins", async () => {
		const { inA, act, a, world, rolesIn } = await createAdministered();
		expect((await act(inA.admin, "set-role", inA.member, { role: "admin" })).json).toMatchObject({ role: "admin" });
		expect((await act(inA.admin, "set-role", inA.member, { role: "member" })).json).toMatchObject({ role: "member" });
		const made = await world.call("/tenant/user/create", {
			browser: inA.admin.browser,
			body: { tenantId: a, email: "New@example.com", name: "New", role: "admin", password: "a long password" },
		});
		expect(made.json).toMatchObject({ email: "new@example.com", role: "admin", emailVerified: false });
		expect(await rolesIn(a)).toMatchObject({ "new@example.com": "admin" });
		const signIn = { email: "new@example.com", password: "a long password" };
		expect((await world.call("/sign-in/email", { tenant: a, body: signIn })).status).toBe(200);
		expect((await act(inA.admin, "ban", inA.other, { reason: "left" })).json).toMatchObject({ banned: true });
		expect((await world.call("/get-session", { browser: inA.other.browser })).json).toBeNull();
		const again = { email: inA.other.email, password: "correct horse battery" };
		expect((await world.call("/sign-in/email", { tenant: a, body: again })).code).toBe("BANNED_USER");
		expect((await act(inA.admin, "unban", inA.other)).json).toMatchObject({ banned: false });
		expect((await world.call("/sign-in/email", { tenant: a, body: again })).status).toBe(200);
		expect((await act(inA.admin, "remove", inA.other)).status).toBe(200);
		expect((await world.call("/sign-in/email", { tenant: a, body: again })).status).toBe(401);
	});

	it("loses the power at once with the role or with a ban, also with cached cookies", async () => {
		const { inA, act, operate, a, world } = await createAdministered({
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		expect((await act(inA.admin, "end-sessions", inA.other)).status).toBe(200);
		await operate("set-role", inA.admin, { role: "member" });
		expect((await act(inA.admin, "end-sessions", inA.other)).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		await operate("set-role", inA.admin, { role: "admin" });
		// a ban that server code wrote: it ends the sessions, also cached ones
		await runWithTenant(a, async () => {
			const { internalAdapter } = await world.auth.$context;
			await internalAdapter.updateUser(inA.admin.id, { banned: true });
		});
		expect((await act(inA.admin, "end-sessions", inA.other)).code).toBe("TENANT_MANAGEMENT_UNAUTHORIZED");
	});
});

// threat 109
describe("nobody", () => {
	it("changes the own role, or bans, removes or erases themselves", async () => {
		const all = await createAdministered();
		const { inA, act, rolesIn, a } = all;
		const before = await snapshot(all);
		for (const [path, more] of CHANGES)
			for (const role of path === "set-role" ? ["owner", "admin", "member"] : [undefined])
				for (const by of [inA.owner, inA.admin]) {
					const refused = await act(by, path, by, role ? { role } : more);
					const expected = path === "erase" && by === inA.admin ? "TENANT_MANAGEMENT_NOT_ALLOWED" : "NOT_ON_YOURSELF";
					expect([path, refused.status, refused.code]).toEqual([path, 403, expected]);
				}
		expect(await snapshot(all)).toBe(before);
		expect(await rolesIn(a)).toMatchObject({ "owner@example.com": "owner", "admin@example.com": "admin" });
	});
});
