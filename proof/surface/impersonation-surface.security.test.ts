import { describe, expect, it } from "vitest";
import { ownRequest } from "./attackers.ts";
import { createSurface, endpointsOf } from "./engine.ts";
import { furnish } from "./side.ts";
import { SURFACE } from "./surface.ts";
import { changedTables, createSweep } from "./sweep.ts";

const ALLOWED = ["/get-session", "/sign-out", "/ok", "/error", "/tenant/current"];
/** Public, and independent of its caller. */
const PUBLIC = "/tenant/methods";

const SESSION_COOKIE = "better-auth.session_token";

describe("an impersonated session, on every endpoint of the engine and its plugins", () => {
	// threats 40, 49 and 65
	it("can read itself and sign out; everything else is rejected, including another sign-in", async () => {
		const world = await createSurface();
		const tenantId = await world.newTenant("acme");
		const side = await furnish(world, { tenant: tenantId, label: "acme", marked: false });
		// as the tenant's most powerful user: its admin, who owns an organization and may manage the tenant
		const inside = side.boss.browser.copy();
		const body = { tenantId, userId: side.boss.id, reason: "surface" };
		expect((await world.call("/tenant/impersonate", { browser: inside, body })).status).toBe(200);
		const impersonated = side.flow.copy();
		impersonated.cookies.set(SESSION_COOKIE, inside.cookies.get(SESSION_COOKIE) ?? "");
		expect((await world.call("/get-session", { browser: impersonated })).json.session.operatorId).toBe(
			`user:${side.boss.id}`,
		);
		const sweep = await createSweep(world);

		const found: unknown[] = [];
		let refused = 0;
		for (const { path, methods } of endpointsOf(world)) {
			const row = path === undefined ? undefined : SURFACE[path];
			if (path === undefined || !row || ALLOWED.includes(path) || path === PUBLIC) continue;
			for (const method of methods) {
				const request = { method, ...ownRequest(row, side, method) };
				const hint = row.kind === "member" ? undefined : tenantId;
				const outcome = await sweep.send(path, { ...request, browser: impersonated, hint });
				const changed = changedTables(outcome.before, outcome.after);
				const answer = [outcome.status, outcome.code, changed.sort()];
				if (JSON.stringify(answer) !== JSON.stringify([403, "IMPERSONATION_NOT_ALLOWED", []]))
					found.push([method, path, answer]);
				if (outcome.headers.getSetCookie().length > 0) found.push([method, path, "set a cookie"]);
				refused += 1;
			}
		}
		expect(found).toEqual([]);
		expect(refused).toBeGreaterThan(150);
	}, 180_000);

	// threat 65
	it("is refused by server code that hands its headers on, to endpoints without a path too", async () => {
		const world = await createSurface();
		const tenantId = await world.newTenant("acme");
		const browser = await world.signUp(tenantId, "ada@example.com");
		const { user } = (await world.call("/get-session", { browser })).json;
		const made = await world.auth.api.impersonateTenantUser({ body: { tenantId, userId: user.id, reason: "surface" } });
		const headers = new Headers({ authorization: `Bearer ${made.token}` });
		const refused = { body: { code: "IMPERSONATION_NOT_ALLOWED" } };
		const { api } = world.auth;
		await expect(api.setPassword({ headers, body: { newPassword: "a new password 123" } })).rejects.toMatchObject(
			refused,
		);
		await expect(api.listSessions({ headers })).rejects.toMatchObject(refused);
		await expect(api.updateUser({ headers, body: { name: "Mallory" } })).rejects.toMatchObject(refused);
		expect((await api.getSession({ headers }))?.user.id).toBe(user.id);
	});
});
