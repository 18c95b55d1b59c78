import { globalProviders, registerClient, signInSocially, startSocial, useIdentityProvider } from "test-kit/social";
import { createWorld, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { rowsOf } from "./rows-of.ts";

const idp = useIdentityProvider();

/** A tenant with users, sessions, accounts, configs and open flows. */
const fill = async (world: World) => {
	const tenantId = await world.newTenant();
	await registerClient(world, idp(), tenantId, `client-${tenantId}`);
	const browsers = [await world.signUp(tenantId, "ada@example.com"), await world.signUp(tenantId, "grace@example.com")];
	browsers.push((await signInSocially(world, idp(), tenantId, { sub: "s-1", email: "social@example.com" })).browser);
	const flow = await startSocial(world, idp(), tenantId, { sub: "s-2", email: "late@example.com" });
	await world.call("/request-password-reset", {
		tenant: tenantId,
		body: { email: "ada@example.com", redirectTo: "/reset" },
	});
	const reset = world.lastMail("reset");
	await world.call("/send-verification-email", { tenant: tenantId, body: { email: "ada@example.com" } });
	return { tenantId, browsers, flow, reset, verify: world.lastMail("verify") };
};

const configurations: [string, WorldOptions][] = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
	[
		"postgres with Redis and sessions in both",
		{
			database: "postgres",
			redis: true,
			engine: { session: { storeSessionInDatabase: true }, verification: { storeInDatabase: true } },
		},
	],
	["sqlite with a cookie cache", { engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } } }],
	[
		"postgres with Redis and a cookie cache",
		{ database: "postgres", redis: true, engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } } },
	],
];

describe.each(configurations)("deleting a tenant on %s", (_name, options) => {
	// threats 41, 42 and 43
	it("leaves no row, key, session or open flow, and keeps the other tenant", async () => {
		const world = await createWorld({
			...options,
			engine: { ...options.engine, socialProviders: globalProviders(idp()) },
		});
		const [gone, stays] = [await fill(world), await fill(world)];
		expect(await rowsOf(world, gone.tenantId)).toBeGreaterThan(0);
		const untouched = [
			await rowsOf(world, stays.tenantId),
			(await world.redisKeys()).filter((key) => key.startsWith(`tenant:${stays.tenantId}:`)).length,
		];

		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: gone.tenantId } })).json).toEqual({
			success: true,
		});

		expect(await rowsOf(world, gone.tenantId)).toBe(0);
		expect(await world.database.query(`select * from "tenant" where "id" = '${gone.tenantId}'`)).toEqual([]);
		expect((await world.redisKeys()).filter((key) => key.includes(gone.tenantId))).toEqual([]);
		for (const browser of gone.browsers) {
			expect((await world.call("/get-session", { browser: browser.copy() })).json).toBeNull();
			expect((await world.call("/list-sessions", { browser: browser.copy() })).status).toBe(401);
			expect((await world.call("/get-session", { browser: browser.copy(), tenant: gone.tenantId })).status).toBe(404);
		}
		expect((await world.call(gone.flow.callback, { browser: gone.flow.browser })).location).toContain("error=");
		expect((await world.call(gone.reset.url)).location).toContain("INVALID_TOKEN");
		expect(
			(await world.call("/reset-password", { body: { token: gone.reset.token, newPassword: "too late now" } })).status,
		).toBe(400);
		expect((await world.call("/verify-email", { query: { token: gone.verify.token } })).status).toBe(401);
		const signIn = { email: "ada@example.com", password: "correct horse battery" };
		expect(await world.call("/tenant/sign-in/email", { body: { ...signIn, tenantId: gone.tenantId } })).toMatchObject({
			status: 404,
			code: "TENANT_NOT_FOUND",
		});
		expect(await rowsOf(world, gone.tenantId)).toBe(0);

		expect([
			await rowsOf(world, stays.tenantId),
			(await world.redisKeys()).filter((key) => key.startsWith(`tenant:${stays.tenantId}:`)).length,
		]).toEqual(untouched);
		for (const browser of stays.browsers)
			expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(stays.tenantId);
		expect((await world.call(stays.flow.callback, { browser: stays.flow.browser })).location).toBe("/home");
	});
});
