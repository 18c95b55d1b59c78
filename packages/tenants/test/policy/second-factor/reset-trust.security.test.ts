import { admin } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";
import { EMAIL, secondFactorWorld } from "./support.ts";

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["Redis", { redis: true }],
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
});
