import { sso } from "@better-auth/sso";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { describe, expect, it } from "vitest";
import { callbackOf } from "../../sso/support/sso-world.ts";
import { REFUSED, secondFactorWorld, tokenIn } from "./support.ts";

const ADA = { sub: "ada", email: "ada@corp.example", name: "Ada" };

describe.each([
	["sqlite", {}],
	["postgres and Redis", { database: "postgres" as const, redis: true }],
])("a tenant that trusts its identity provider with the second factor (%s)", (_, where) => {
	const idp = useIdentityProvider();

	/** Two tenants that require a second factor and have the same identity provider. The first one trusts it. */
	const start = async () => {
		const { issuer } = idp().gitlab;
		const world = await secondFactorWorld({
			...where,
			plugins: [sso()],
			engine: { trustedOrigins: [issuer], socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		const { a, b, ok, require } = world;
		for (const tenant of [a, b]) {
			const [clientId, clientSecret] = [`sso-${tenant}`, canarySecret(`sso-${tenant}`)];
			idp().addClient({ clientId, clientSecret, redirectURIs: [callbackOf(tenant)] });
			const oidcConfig = { clientId, clientSecret, pkce: true };
			const body = { providerId: "okta", issuer, domain: "corp.example", oidcConfig };
			await ok("/sso/register", { tenant, operator: true, body });
			await require(tenant, { secondFactor: "required", trustSso: tenant === a });
		}
		const begin = async (tenant: string) => {
			const browser = new Browser();
			const body = { providerId: "okta", callbackURL: "/home" };
			const started = await ok("/sign-in/sso", { tenant, browser, body });
			return { browser, back: await idp().authorize(started.json.url, ADA) };
		};
		const signInBySso = async (tenant: string) => {
			const { browser, back } = await begin(tenant);
			return { browser, location: (await world.call(back, { browser })).location };
		};
		return { ...world, begin, signInBySso };
	};

	// threats 117, 126
	it("asks for nothing more after a sign-in there, and the neighbor asks", async () => {
		const { a, b, signInBySso, asMember, whoami, call, require } = await start();
		const [mine, neighbor] = [await signInBySso(a), await signInBySso(b)];
		expect([mine.location, neighbor.location]).toEqual(["/home", "/home?second_factor=enroll"]);
		expect((await whoami(mine.browser)).user).toMatchObject({ email: ADA.email, tenantId: a });
		expect(await asMember({ browser: mine.browser })).toEqual([200, undefined]);
		expect(await asMember({ browser: neighbor.browser })).toEqual(REFUSED);
		// the mark of a token is part of it
		const [trusted, other] = [tokenIn(mine.browser), tokenIn(neighbor.browser)];
		expect([trusted.slice(0, 4), other.slice(0, 4)]).toEqual(["sso-", "sso-"]);
		for (const token of [trusted.slice(4), trusted.replace("sso-", "factor-"), other.replace("sso-", "factor-")])
			expect((await call("/list-sessions", { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
		// the session of the one tenant is nobody's in the other
		expect((await asMember({ tenant: b, browser: mine.browser.copy() }))[0]).toBe(403);
		await require(a, { trustSso: null });
		expect(await asMember({ browser: mine.browser })).toEqual(REFUSED);
	});

	// threats 117, 126
	it("asks after every other way, also by the same server or for the same user", async () => {
		const world = await start();
		const { a, b, asMember, signInBySso, database, ok } = world;
		const social = await signInSocially(world, idp(), a, { ...ADA, sub: "eve", email: "eve@corp.example" });
		expect(social.answer.location).toContain("second_factor=enroll");
		expect(await asMember({ browser: social.browser })).toEqual(REFUSED);
		expect(tokenIn(social.browser)).not.toMatch(/^sso-/);

		const { browser } = await signInBySso(a);
		// the first magic link of an unverified user ends their sessions
		await database.query('update "user" set "emailVerified" = true');
		const link = new Browser();
		await ok("/sign-in/magic-link", { tenant: a, body: { email: ADA.email } });
		const opened = await world.call("/magic-link/verify", {
			tenant: a,
			browser: link,
			query: { token: world.last("magic"), callbackURL: "/home" },
		});
		expect(opened.location).toContain("second_factor=enroll");
		expect(await asMember({ browser: link })).toEqual(REFUSED);
		expect(await asMember({ browser })).toEqual([200, undefined]);
		// the neighbor's user by the same server, whose tenant does not trust it
		expect(await asMember({ browser: (await signInBySso(b)).browser })).toEqual(REFUSED);
	});

	// threat 126
	it("does not complete a sign-in of the neighbor at its callback", async () => {
		const { a, b, begin, call, whoami } = await start();
		const { browser, back } = await begin(b);
		const misled = await call(back.replace(callbackOf(b), callbackOf(a)), { browser });
		expect(misled.location).not.toBe("/home");
		expect(await whoami(browser)).toBeNull();
		expect(tokenIn(browser)).toBe("");
	});
});
