import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { tenantLifecycle } from "../../../src/lifecycle.ts";
import { EMAIL, REFUSED, secondFactorWorld } from "./support.ts";

const strategies = ["compact", "jwt", "jwe"] as const;

describe.each([
	["before", true],
	["after", false],
])("a required second factor, with tenantLifecycle() %s the policy and the cookie cache", (_, isFirst) => {
	// threats 108, 117
	it.each(strategies)("holds while the tenant is suspended and after it is restored (%s)", async (strategy) => {
		const world = await secondFactorWorld({
			[isFirst ? "plugins" : "after"]: [tenantLifecycle()],
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } },
		});
		const { a, b, call, ok, signUp, enroll, require, whoami, asMember, signIn } = world;
		const [ada, bob, neighbor] = [await signUp(a, EMAIL), await signUp(a, "bob@example.com"), await signUp(b, EMAIL)];
		const { code } = await enroll(ada);
		for (const browser of [ada, bob, neighbor]) expect((await whoami(browser)).user.id).toBeTruthy();
		const held = [ada.copy(), bob.copy()];
		await require(a);
		const change = (verb: string, more: object = {}) =>
			ok(`/tenant/${verb}`, { operator: true, body: { tenantId: a, reason: "unpaid", ...more } });

		await change("suspend");
		for (const browser of [ada, bob])
			expect((await call("/get-session", { browser: browser.copy() })).status).toBe(403);
		await change("restore");
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		expect(await asMember({ browser: bob })).toEqual(REFUSED);
		expect((await call("/get-session", { browser: bob.copy() })).json).toBeNull();

		// a challenge from before the end of the sessions ends with them
		const waiting = new Browser();
		expect((await signIn(a, waiting)).json.secondFactor).toBe("verify");
		await change("suspend");
		await change("restore", { endSessions: true });
		for (const browser of [ada, bob, ...held]) {
			expect((await call("/get-session", { browser: browser.copy() })).json).toBeNull();
			expect((await asMember({ browser: browser.copy() }))[0]).toBe(401);
		}
		const late = await call("/two-factor/verify-totp", { browser: waiting, body: { code: await code() } });
		expect(late.status).toBe(401);
		// the second factor itself stays
		const again = new Browser();
		expect((await signIn(a, again)).json.secondFactor).toBe("verify");
		await ok("/two-factor/verify-totp", { browser: again, body: { code: await code() } });
		expect(await asMember({ browser: again })).toEqual([200, undefined]);
		expect((await whoami(neighbor)).user.tenantId).toBe(b);
	});
});
