import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { tenantPolicy } from "../../../src/policy.ts";
import { EMAIL, secondFactorWorld } from "./support.ts";

describe("a second factor and the other rules of a policy", () => {
	// threat 117
	it("keeps the sign-in method of the first factor", async () => {
		const { a, b, ok, call, signUp, enroll, require, magic, sessions, whoami } = await secondFactorWorld();
		const { code } = await enroll(await signUp(a, EMAIL));
		await enroll(await signUp(b, EMAIL));
		await require(a, { secondFactor: "required", methods: ["magicLink"] });
		const browser = new Browser();
		await magic(a, browser);
		await ok("/two-factor/verify-totp", { browser, body: { code: await code() } });
		expect((await whoami(browser)).user.email).toBe(EMAIL);
		expect((await sessions(a)).map(({ signInMethod }) => signInMethod)).toEqual(["magicLink"]);
		const other = new Browser();
		await magic(a, other);
		await require(a, { methods: ["password"] });
		const late = await call("/two-factor/verify-totp", { browser: other, body: { code: await code() } });
		expect([late.status, late.code]).toEqual([403, "SIGN_IN_METHOD_NOT_ALLOWED"]);
		expect(await whoami(browser)).toBeNull();
	});

	// threat 117
	it("counts no session that lacks it: a first factor alone ends nobody's session", async () => {
		const { a, b, ok, signUp, enroll, require, magic, asMember, signIn, database } = await secondFactorWorld();
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		// the first magic link of an unverified user ends their sessions
		await database.query('update "user" set "emailVerified" = 1');
		const { code } = await enroll(ada);
		for (const tenant of [a, b]) await require(tenant, { maxSessions: 1 });
		await require(a, { secondFactor: "required" });
		await signIn(a);
		await magic(a);
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		await magic(b);
		expect((await asMember({ browser: neighbor }))[0]).toBe(401);
		const browser = new Browser();
		await magic(a, browser);
		await ok("/two-factor/verify-totp", { browser, body: { code: await code() } });
		expect(await asMember({ browser })).toEqual([200, undefined]);
		expect((await asMember({ browser: ada }))[0]).toBe(401);
	});

	it("is refused where nobody can set one up", async () => {
		const { a, b, call } = await composedWorld([tenantPolicy()]);
		for (const tenantId of [a, b]) {
			const body = { tenantId, policy: { secondFactor: "required" } };
			const answer = await call("/tenant/policy/update", { operator: true, body });
			expect([answer.status, answer.code]).toEqual([400, "INVALID_POLICY"]);
		}
		const starting = composedWorld([tenantPolicy({ defaults: { secondFactor: "required" } })]);
		await expect(starting).rejects.toThrow(/twoFactor\(\)/);
		await composedWorld([twoFactor(), tenantPolicy({ defaults: { secondFactor: "required" } })]);
		for (const secondFactor of [{ adminRoles: [] }, { pendingMaxAge: 1 }])
			expect(() => tenantPolicy({ secondFactor })).toThrow(/secondFactor\./);
	});
});
