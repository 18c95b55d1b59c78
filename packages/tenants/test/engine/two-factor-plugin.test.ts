import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { challengeInstead } from "../../src/engine/two-factor-plugin.ts";
import { EMAIL, secondFactorWorld } from "../policy/second-factor/support.ts";

it("the two-factor plugin has one hook, which challenges after a sign-in with a password", () => {
	const { after, ...others } = twoFactor().hooks;
	expect([after.length, Object.keys(others)]).toEqual([1, []]);
	const matches = (path: string) => after[0]?.matcher({ path } as never);
	expect(["/sign-in/email", "/sign-in/username", "/magic-link/verify"].map(matches)).toEqual([true, true, false]);
});

it("the two-factor plugin keeps a challenge and a trusted device in the cookies that this package reads", async () => {
	const { a, b, ok, signUp, enroll, signIn, database } = await secondFactorWorld();
	for (const tenant of [a, b]) {
		const { code } = await enroll(await signUp(tenant, EMAIL));
		const browser = new Browser();
		await signIn(tenant, browser);
		const read = (name: string) => decodeURIComponent(browser.cookies.get(`better-auth.${name}`) ?? "");
		expect(read("two_factor")).toMatch(/^2fa-[\w-]{20}\./);
		await ok("/two-factor/verify-totp", { browser, body: { code: await code(), trustDevice: true } });
		const [, identifier] = /^[\w-]{43}!(trust-device-[\w-]{32})\./.exec(read("trust_device")) ?? [];
		const stored = await database.query(
			`select "user"."tenantId" from "verification" join "user" on "user"."id" = "verification"."value" where "identifier" = '${identifier}'`,
		);
		expect(stored.map(({ tenantId }) => tenantId)).toEqual([tenant]);
	}
});

it("a session is not replaced with a challenge if the two-factor plugin is missing", async () => {
	const { auth } = await composedWorld([]);
	const context = await auth.$context;
	const replaced = challengeInstead({ context } as never, {} as never);
	await expect(replaced).rejects.toThrow("the twoFactor() plugin is missing");
});
