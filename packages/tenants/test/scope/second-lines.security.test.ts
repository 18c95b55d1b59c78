import type { AuthContext } from "@better-auth/core";
import { runWithRequestState } from "@better-auth/core/context";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createReservedIds } from "../../src/scope/data/reserved-ids.ts";
import { createTenantContext, pinOf } from "../../src/scope/pin/tenant-context.ts";
import { orIllTyped } from "../../src/scope/tenants/known-tenants.ts";

describe("what only a mistake of a plugin or another engine reaches", () => {
	it("pins a request once", async () => {
		const context = createTenantContext();
		await context.ready();
		await runWithRequestState(new WeakMap(), async () => {
			context.set("acme", {});
			expect(() => context.set("globex", {})).toThrow("a request cannot change its tenant");
			expect(context.ofRequest()).toBe("acme");
		});
		expect(() => context.set("acme", {})).toThrow("only a request has a tenant");
	});

	// threat 40
	it("stores no session whose token names no tenant, or another one", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const { user } = (await world.call("/get-session", { browser })).json;
		const { adapter } = await world.auth.$context;
		const rows = await world.database.query(`select "token", "tenantId" from "session"`);
		const foreign = String(rows.find(({ tenantId }) => tenantId === b)?.token);
		for (const token of ["plain", `${foreign}x`]) {
			const data = { token, userId: user.id, expiresAt: new Date(Date.now() + 60_000) };
			const created = runWithTenant(a, () => adapter.create({ model: "session", data }));
			await expect(created).rejects.toThrow("a session token does not name its tenant");
		}
		expect(await world.database.query(`select "token" from "session"`)).toHaveLength(2);
	});

	// threat 40
	it("stores no such session in Redis only", async () => {
		const world = await createWorld({ redis: true });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const { user } = (await world.call("/get-session", { browser })).json;
		const { internalAdapter } = await world.auth.$context;
		const stored = await world.redisKeys();
		const created = runWithTenant(a, () => internalAdapter.createSession(user.id, false, { token: "plain" }, true));
		await expect(created).rejects.toThrow("a session token does not name its tenant");
		expect((await world.redisKeys()).sort()).toEqual(stored.sort());
	});

	it("reserves no name where ids are numbers", async () => {
		const name = "n".repeat(43);
		await expect(createReservedIds("serial").idOf("verification", "acme", name)).rejects.toThrow(
			"cannot detect a reused SAML assertion",
		);
		expect(await createReservedIds("serial").idOf("verification", "acme", "17")).toBe("17");
	});

	it("serves no request whose context another plugin replaced", async () => {
		const context = (await (await createWorld()).auth.$context) as AuthContext;
		expect(pinOf({ context })).toBeDefined();
		const { tenantAuth: _services, ...replaced } = { tenantAuth: null, ...context };
		expect(() => pinOf({ context: replaced })).toThrow("tenants cannot be isolated");
	});

	it("takes an outage of the database for no missing row", () => {
		expect(() => orIllTyped(new Error("connection refused"))).toThrow("connection refused");
	});
});
