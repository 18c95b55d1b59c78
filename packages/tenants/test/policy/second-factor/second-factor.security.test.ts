import { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { EMAIL, REFUSED, secondFactorWorld, tokenIn } from "./support.ts";

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["Redis", { redis: true }],
	["Redis and the database", { redis: true, engine: { session: { storeSessionInDatabase: true } } }],
	["MySQL", { database: "mysql" as const }],
])("a tenant that requires a second factor (%s)", (_, given) => {
	// threat 117
	it("asks a user who has one on every way, and nobody in the other tenant", async () => {
		const { a, b, ok, call, signUp, enroll, require, signIn, magic, whoami, asMember, database } =
			await secondFactorWorld(given);
		const enrolled = [await enroll(await signUp(a, EMAIL)), await enroll(await signUp(b, EMAIL))];
		// the first proof of an address would end the sign-in of the other browser
		await database.query('update "user" set "emailVerified" = true');
		await require(a);

		const password = new Browser();
		expect((await signIn(a, password)).json).toEqual({
			twoFactorRedirect: true,
			twoFactorMethods: ["totp", "otp"],
			secondFactor: "verify",
		});
		const link = new Browser();
		const redirected = await magic(a, link);
		expect([redirected.status, redirected.location]).toEqual([302, `${ORIGIN}/home?second_factor=verify`]);
		for (const name of ["set-auth-jwt", "set-auth-token", "set-ott"]) expect(redirected.headers.get(name)).toBeNull();
		for (const browser of [password, link]) {
			expect(tokenIn(browser)).toBe("");
			expect(await whoami(browser)).toBeNull();
			expect(await asMember({ browser })).toEqual([401, "UNAUTHORIZED"]);
			// a code of the neighbor's second factor
			const foreign = await call("/two-factor/verify-totp", { browser, body: { code: await enrolled[1]?.code() } });
			if ((await enrolled[0]?.code()) !== (await enrolled[1]?.code()))
				expect([foreign.status, foreign.code]).toEqual([401, "INVALID_CODE"]);
			await ok("/two-factor/verify-totp", { browser, body: { code: await enrolled[0]?.code() } });
			expect((await whoami(browser)).user.email).toBe(EMAIL);
			expect(await asMember({ browser })).toEqual([200, undefined]);
		}
		// as Better Auth does it: after a password only
		const neighbor = new Browser();
		expect((await magic(b, neighbor)).location).toBe(`${ORIGIN}/home`);
		expect((await whoami(neighbor)).user.tenantId).toBe(b);
	});

	// threat 117
	it("lets a user without one do nothing but set it up", async () => {
		const { a, b, ok, call, signUp, require, signIn, magic, whoami, asMember, enroll, sessions } =
			await secondFactorWorld(given);
		await signUp(b, EMAIL);
		await require(a);
		const browser = new Browser();
		const body = { name: "Ada", email: EMAIL, password: PASSWORD };
		const signedUp = await call("/sign-up/email", { tenant: a, browser, body });
		expect(signedUp.json).toEqual({ twoFactorRedirect: true, twoFactorMethods: [], secondFactor: "enroll" });
		expect(signedUp.headers.get("set-ott")).toBeNull();
		const session = await call("/get-session", { browser });
		expect([session.status, session.json, session.headers.get("x-second-factor")]).toEqual([200, null, "enroll"]);
		expect(session.headers.get("set-auth-jwt")).toBeNull();
		// the cookie stays: it is needed to set up the second factor
		expect(tokenIn(browser)).not.toBe("");
		expect(await asMember({ browser })).toEqual(REFUSED);
		for (const path of ["/token", "/one-time-token/generate", "/multi-session/list-device-sessions"])
			expect((await call(path, { browser })).text).not.toContain(EMAIL);
		for (const path of ["/two-factor/disable", "/two-factor/get-totp-uri", "/two-factor/generate-backup-codes"]) {
			const refused = await call(path, { browser, body: { password: PASSWORD } });
			expect([path, refused.status, refused.code]).toEqual([path, ...REFUSED]);
		}
		expect((await ok("/tenant/second-factor", { browser })).json).toEqual({ secondFactor: "enroll" });

		const pending = tokenIn(browser);
		await enroll(browser);
		expect((await whoami(browser)).user.email).toBe(EMAIL);
		expect(await asMember({ browser })).toEqual([200, undefined]);
		expect((await ok("/tenant/second-factor", { browser })).json).toEqual({ secondFactor: null });
		const old = new Browser();
		old.cookies.set("better-auth.session_token", pending);
		expect(await asMember({ tenant: a, headers: { authorization: `Bearer ${pending}` } })).toEqual([
			401,
			"UNAUTHORIZED",
		]);
		if (!("redis" in given)) expect((await sessions(a)).map(({ token }) => token)).toEqual([tokenIn(browser)]);
		// from now on they are asked
		expect((await signIn(a)).json.secondFactor).toBe("verify");
		expect((await magic(a)).location).toBe(`${ORIGIN}/home?second_factor=verify`);
		expect((await signIn(b)).json.user.email).toBe(EMAIL);
	});
});

describe("sessions from before", () => {
	// threat 117
	it("become incomplete when the tenant begins to require a second factor, also in the cookie cache", async () => {
		const { a, b, ok, call, signUp, enroll, require, whoami, asMember, magic, sessions, database } =
			await secondFactorWorld({ engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } } });
		const [plain, neighbor] = [await signUp(a, "bob@example.com"), await signUp(b, EMAIL)];
		const proven = await signUp(a, EMAIL);
		const { code } = await enroll(proven);
		// Better Auth ends all sessions of a user whose address a link verifies
		await database.query('update "user" set "emailVerified" = true');
		const linked = new Browser();
		await magic(a, linked);
		for (const browser of [plain, neighbor, proven, linked]) expect((await whoami(browser)).user.id).toBeTruthy();
		const rows = (await sessions(a)).length;

		await require(a);
		for (const browser of [neighbor, proven]) {
			expect((await whoami(browser)).user.id).toBeTruthy();
			expect(await asMember({ browser })).toEqual([200, undefined]);
		}
		for (const [browser, lacks] of [
			[plain, "enroll"],
			[linked, "verify"],
		] as const) {
			const seen = await call("/get-session", { browser });
			expect([seen.json, seen.headers.get("x-second-factor")]).toEqual([null, lacks]);
			expect(await asMember({ browser })).toEqual(REFUSED);
			expect((await call("/token", { browser })).code).toBe("SECOND_FACTOR_REQUIRED");
			expect((await ok("/tenant/second-factor", { browser })).json).toEqual({ secondFactor: lacks });
			const held = browser.copy();
			held.cookies.delete("better-auth.session_data");
			expect(await asMember({ browser: held })).toEqual(REFUSED);
		}
		// a session that lacks its second factor does not replace it
		const taken = await call("/two-factor/enable", { browser: linked, body: { password: PASSWORD } });
		expect([taken.status, taken.code]).toEqual(REFUSED);
		for (const path of ["/two-factor/verify-totp", "/two-factor/verify-backup-code", "/two-factor/send-otp"])
			expect((await call(path, { browser: linked, body: { code: await code() } })).status).toBe(401);
		expect((await call("/tenant/second-factor/challenge", { browser: plain, body: {} })).status).toBe(409);

		const challenged = await ok("/tenant/second-factor/challenge", { browser: linked, body: {} });
		expect(challenged.json).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp", "otp"] });
		expect((await sessions(a)).length).toBe(rows - 1);
		await ok("/two-factor/verify-totp", { browser: linked, body: { code: await code() } });
		expect((await whoami(linked)).user.email).toBe(EMAIL);
		await enroll(plain);
		expect((await whoami(plain)).user.email).toBe("bob@example.com");

		await require(a, { secondFactor: null });
	});

	// threat 118
	it("need the second factor again after it is reset", async () => {
		const { a, b, signUp, enroll, require, whoami, asMember, database } = await secondFactorWorld();
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		await enroll(ada);
		await enroll(neighbor);
		await require(a);
		await require(b);
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		await database.query(`delete from "twoFactor" where "tenantId" = '${a}'`);
		await database.query(`update "user" set "twoFactorEnabled" = 0 where "tenantId" = '${a}'`);
		expect(await asMember({ browser: ada })).toEqual(REFUSED);
		expect(await asMember({ browser: neighbor })).toEqual([200, undefined]);
		await enroll(ada);
		expect((await whoami(ada)).user.tenantId).toBe(a);
	});
});

describe("who needs a second factor", () => {
	// threat 117
	it("is an administrator, from the moment that they become one", async () => {
		const { a, b, signUp, require, asMember, database } = await secondFactorWorld();
		const [ada, bob, neighbor] = [await signUp(a, EMAIL), await signUp(a, "bob@example.com"), await signUp(b, EMAIL)];
		for (const tenant of [a, b]) await require(tenant, { secondFactor: "required-for-admins" });
		for (const browser of [ada, bob, neighbor]) expect(await asMember({ browser })).toEqual([200, undefined]);
		for (const role of ["admin", "owner", "support,owner"]) {
			await database.query(`update "user" set "role" = '${role}' where "email" = '${EMAIL}' and "tenantId" = '${a}'`);
			expect(await asMember({ browser: ada })).toEqual(REFUSED);
			for (const browser of [bob, neighbor]) expect(await asMember({ browser })).toEqual([200, undefined]);
		}
	});

	it("is not a user whose time to set one up has not ended", async () => {
		const { a, b, ok, signUp, signIn, require, asMember, enroll, magic } = await secondFactorWorld();
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		const [past, future] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
		await require(a, { secondFactor: "required", secondFactorFrom: future });
		await require(b, { secondFactor: "required", secondFactorFrom: past });
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		expect(await asMember({ browser: neighbor })).toEqual(REFUSED);
		await require(a, { secondFactorFrom: null, secondFactorGrace: 86_400 });
		await require(b, { secondFactorFrom: null });
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		expect((await signIn(a)).json.user.email).toBe(EMAIL);
		expect(await asMember({ browser: neighbor })).toEqual(REFUSED);
		// whoever has set one up is asked
		await enroll(ada);
		expect(await asMember({ browser: ada })).toEqual([200, undefined]);
		expect((await magic(a)).location).toContain("second_factor=verify");
		expect((await ok("/tenant/policy/get", { operator: true, query: { tenantId: b } })).json.own).toEqual({
			secondFactor: "required",
		});
	});
});

describe("trusted devices", () => {
	// threat 118
	it("skip the second factor of their user on every way, unless the tenant forbids it", async () => {
		const { a, b, ok, signUp, enroll, require, signIn, magic, whoami, call } = await secondFactorWorld();
		for (const tenant of [a, b]) {
			const { code } = await enroll(await signUp(tenant, EMAIL));
			await signUp(tenant, "bob@example.com").then(enroll);
			await require(tenant);
			const device = new Browser();
			await signIn(tenant, device);
			await ok("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
			await ok("/sign-out", { browser: device, body: {} });
			expect((await signIn(tenant, device)).json.user.email).toBe(EMAIL);
			await ok("/sign-out", { browser: device, body: {} });
			// another user on this device
			expect((await signIn(tenant, device.copy(), { email: "bob@example.com" })).json.secondFactor).toBe("verify");
			// the same user of the other tenant
			if (tenant === b) expect((await magic(a, device.copy())).location).toContain("second_factor=verify");
			const forged = device.copy();
			const name = "better-auth.trust_device";
			forged.cookies.set(name, (forged.cookies.get(name) ?? "").replace(/^./, "!"));
			expect((await signIn(tenant, forged)).json).toMatchObject({ secondFactor: "verify" });
			await magic(tenant, device);
			expect((await whoami(device)).user.tenantId).toBe(tenant);
			await ok("/sign-out", { browser: device, body: {} });
			await require(tenant, { trustDevices: false });
			expect((await magic(tenant, device)).location).toContain("second_factor=verify");
			expect((await call("/get-session", { browser: device })).json).toBeNull();
			await require(tenant, { trustDevices: null });
		}
	});
});
