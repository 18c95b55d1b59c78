import { admin } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";
import { EMAIL, secondFactorWorld } from "./support.ts";

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["Redis", { redis: true }],
	["hashed identifiers", { engine: { verification: { storeIdentifier: "hashed" as const } } }],
])("a trusted device (%s)", (_, given) => {
	// threat 118
	it("is not trusted after an administrator resets the second factor, nor in another tenant", async () => {
		const world = await secondFactorWorld({
			...given,
			adminPlugin: admin({ ...tenantRoles }),
			plugins: [tenantAdmin()],
		});
		const { a, b, ok, signUp, enroll, require, signIn, asMember, whoami } = world;
		const devices = new Map<string, Browser>();
		const ids = new Map<string, string>();
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, EMAIL);
			ids.set(tenant, (await whoami(browser)).user.id);
			const { code } = await enroll(browser);
			await require(tenant);
			const device = new Browser();
			await signIn(tenant, device);
			await ok("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
			await ok("/sign-out", { browser: device, body: {} });
			devices.set(tenant, device);
		}
		const [atA, atB] = [devices.get(a) as Browser, devices.get(b) as Browser];
		// the neighbor's trusted device is a stranger here
		expect((await signIn(a, atB.copy())).json.secondFactor).toBe("verify");
		const known = atA.copy();
		expect((await signIn(a, known)).json.secondFactor).toBeUndefined();
		expect(await asMember({ browser: known })).toEqual([200, undefined]);
		await ok("/sign-out", { browser: known, body: {} });

		await ok("/tenant/user/reset-second-factor", { operator: true, body: { tenantId: a, userId: ids.get(a) } });
		const fresh = new Browser();
		expect((await signIn(a, fresh)).json.secondFactor).toBe("enroll");
		await enroll(fresh);
		for (const device of [atA, known]) {
			const answer = await signIn(a, device);
			expect([answer.status, answer.json.secondFactor]).toEqual([200, "verify"]);
		}
		const other = atB.copy();
		expect((await signIn(b, other)).json.secondFactor).toBeUndefined();
	});

	// threat 125
	it("is not trusted after the user turns the second factor off and on again elsewhere", async () => {
		const world = await secondFactorWorld(given);
		const { a, b, ok, signUp, enroll, require, signIn, whoami } = world;
		const devices = new Map<string, Browser>();
		const homes = new Map<string, Browser>();
		for (const tenant of [a, b]) {
			const home = await signUp(tenant, EMAIL);
			const { code } = await enroll(home);
			await require(tenant);
			const device = new Browser();
			await signIn(tenant, device);
			await ok("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
			await ok("/sign-out", { browser: device, body: {} });
			devices.set(tenant, device);
			homes.set(tenant, home);
		}
		const home = homes.get(a) as Browser;
		await ok("/two-factor/disable", { browser: home, body: { password: PASSWORD } });
		await enroll(home);
		expect((await whoami(home)).user.email).toBe(EMAIL);
		expect((await signIn(a, devices.get(a))).json.secondFactor).toBe("verify");
		// the neighbor turned nothing off
		expect((await signIn(b, devices.get(b))).json.secondFactor).toBeUndefined();
		expect(await whoami(devices.get(b) as Browser)).not.toBeNull();
	});

	// threat 125
	it("stays trusted if turning the second factor off fails", async () => {
		const { a, b, ok, call, signUp, enroll, require, signIn } = await secondFactorWorld(given);
		await signUp(b, EMAIL);
		const home = await signUp(a, EMAIL);
		const { code } = await enroll(home);
		await require(a);
		const device = new Browser();
		await signIn(a, device);
		await ok("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
		expect((await call("/two-factor/disable", { browser: home, body: { password: "wrong" } })).status).toBe(400);
		await ok("/sign-out", { browser: device, body: {} });
		expect((await signIn(a, device)).json.secondFactor).toBeUndefined();
	});
});
