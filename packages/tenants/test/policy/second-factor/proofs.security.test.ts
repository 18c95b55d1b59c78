import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { createAuthMiddleware } from "better-auth/api";
import { admin, deviceAuthorization, organization } from "better-auth/plugins";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";
import { runWithTenant } from "../../../src/index.ts";
import { EMAIL, REFUSED, secondFactorWorld, tokenIn } from "./support.ts";

describe("passkeys", () => {
	it.each([
		[true, 200],
		[false, 401],
	])(
		"count as two factors where the tenant trusts them, if they verify their user: %s",
		async (verifiesUser, status) => {
			const { a, b, ok, signUp, require, asMember } = await secondFactorWorld({
				plugins: [passkey({ rpID: "localhost", origin: ORIGIN })],
			});
			const keys = new Map<string, ReturnType<typeof createAuthenticator>>();
			for (const tenant of [a, b]) {
				const browser = await signUp(tenant, EMAIL);
				const key = createAuthenticator({ origin: ORIGIN, rpId: "localhost" });
				const options = (await ok("/passkey/generate-register-options", { browser })).json;
				await ok("/passkey/verify-registration", { browser, body: { response: key.register(options as never) } });
				keys.set(tenant, key);
			}
			await require(a, { secondFactor: "required", trustPasskeys: true });
			await require(b, { secondFactor: "required" });
			const signIn = async (tenant: string): Promise<Browser> => {
				const browser = new Browser();
				const options = (await ok("/passkey/generate-authenticate-options", { tenant, browser })).json;
				const response = keys.get(tenant)?.authenticate(options as never, { verifiesUser });
				await ok("/passkey/verify-authentication", { tenant, browser, body: { response } });
				return browser;
			};
			expect((await asMember({ browser: await signIn(a) }))[0]).toBe(status);
			expect(await asMember({ browser: await signIn(b) })).toEqual(REFUSED);
		},
	);
});

describe("a new session in place of a complete one", () => {
	it("is complete too after a changed password, and not after the second factor is turned off", async () => {
		const { a, b, ok, signUp, enroll, require, asMember } = await secondFactorWorld();
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, EMAIL);
			await enroll(browser);
			await require(tenant);
			const before = tokenIn(browser);
			const changed = { currentPassword: PASSWORD, newPassword: "another password 1", revokeOtherSessions: true };
			await ok("/change-password", { browser, body: changed });
			expect(tokenIn(browser)).not.toBe(before);
			expect(await asMember({ browser })).toEqual([200, undefined]);
			const off = await ok("/two-factor/disable", { browser, body: { password: changed.newPassword } });
			expect(off.json.secondFactor).toBe("enroll");
			expect(await asMember({ browser })).toEqual(REFUSED);
		}
	});

	it("is an administrator's, who impersonates a user without a second factor", async () => {
		const { a, b, ok, signUp, enroll, require, asMember, database, whoami } = await secondFactorWorld();
		const [boss, ada] = [await signUp(a, "boss@example.com"), await signUp(a, EMAIL)];
		await signUp(b, EMAIL);
		const { user } = await whoami(ada);
		await enroll(boss);
		await database.query(`update "user" set "role" = 'admin' where "email" = 'boss@example.com'`);
		await require(a);
		await ok("/admin/impersonate-user", { browser: boss, body: { userId: user.id } });
		expect((await whoami(boss)).user.id).toBe(user.id);
		expect(await asMember({ browser: boss })).toEqual([200, undefined]);
		expect(await asMember({ browser: ada })).toEqual(REFUSED);
	});
});

describe("an administrator who impersonates a user", () => {
	// threat 126
	it("gets no session that counts as the user's own by setting up a second factor for them", async () => {
		const { a, b, ok, signUp, enroll, require, asMember, database, whoami, sessions } = await secondFactorWorld();
		const bosses = new Map<string, Browser>();
		for (const tenant of [a, b]) {
			const [boss, ada] = [await signUp(tenant, "boss@example.com"), await signUp(tenant, EMAIL)];
			const { user } = await whoami(ada);
			await enroll(boss);
			await database.query(`update "user" set "role" = 'admin' where "email" = 'boss@example.com'`);
			await require(tenant);
			await ok("/admin/impersonate-user", { browser: boss, body: { userId: user.id } });
			bosses.set(tenant, boss);
		}
		const boss = bosses.get(a) as Browser;
		const before = (await sessions(a)).find(({ token }) => token === tokenIn(boss));
		expect(before?.token).toMatch(/^admin-/);
		await enroll(boss);
		const after = (await sessions(a)).find(({ token }) => token === tokenIn(boss));
		expect([String(after?.token).slice(0, 6), after?.impersonatedBy]).toEqual(["admin-", before?.impersonatedBy]);
		expect(new Date(String(after?.expiresAt)).getTime()).toBeLessThanOrEqual(
			new Date(String(before?.expiresAt)).getTime(),
		);
		expect(await asMember({ browser: boss })).toEqual([200, undefined]);
		expect(tokenIn(bosses.get(b) as Browser)).toMatch(/^admin-/);
	});
});

describe("setting up a second factor", () => {
	// threat 118
	it("by mail needs the code, and is complete with it", async () => {
		const { a, b, ok, call, require, asMember, last, signUp } = await secondFactorWorld();
		await signUp(b, EMAIL);
		await require(a);
		const browser = new Browser();
		await ok("/sign-up/email", { tenant: a, browser, body: { name: "Ada", email: EMAIL, password: PASSWORD } });
		const enabled = await ok("/two-factor/enable", { browser, body: { password: PASSWORD, method: "otp" } });
		expect(enabled.json).toMatchObject({ method: "otp", secondFactor: "verify", twoFactorMethods: ["otp"] });
		expect((await asMember({ browser }))[0]).toBe(401);
		await ok("/two-factor/send-otp", { browser, body: {} });
		const wrong = await call("/two-factor/verify-otp", { browser, body: { code: "not it" } });
		expect(wrong.status).toBe(401);
		await ok("/two-factor/verify-otp", { browser, body: { code: last("factor") } });
		expect(await asMember({ browser })).toEqual([200, undefined]);
	});

	it("without verification gives no session before the first code, and shows the secret", async () => {
		const { a, b, ok, require, asMember, signUp } = await secondFactorWorld({
			twoFactorOptions: { skipVerificationOnEnable: true },
		});
		await signUp(b, EMAIL);
		await require(a);
		const browser = new Browser();
		await ok("/sign-up/email", { tenant: a, browser, body: { name: "Ada", email: EMAIL, password: PASSWORD } });
		const enabled = await ok("/two-factor/enable", { browser, body: { password: PASSWORD } });
		expect(enabled.json).toMatchObject({ method: "totp", secondFactor: "verify" });
		expect(enabled.json.totpURI).toContain("otpauth://");
		expect((await asMember({ browser }))[0]).toBe(401);
	});

	// threat 118
	it("has to happen soon: nothing extends the session that may only do this", async () => {
		const { a, b, ok, call, require, sessions, signUp } = await secondFactorWorld({
			engine: { session: { updateAge: 0 } },
			policy: { secondFactor: { pendingMaxAge: 300 } },
		});
		await signUp(b, EMAIL);
		await require(a);
		const browser = new Browser();
		await ok("/sign-up/email", { tenant: a, browser, body: { name: "Ada", email: EMAIL, password: PASSWORD } });
		const ends = async () => new Date(String((await sessions(a))[0]?.expiresAt)).getTime();
		const first = await ends();
		expect(first).toBeLessThanOrEqual(Date.now() + 300_000);
		await ok("/get-session", { browser });
		await ok("/two-factor/enable", { browser, body: { password: PASSWORD } });
		await call("/two-factor/verify-totp", { browser, body: { code: "000000" } });
		await call("/list-sessions", { browser });
		expect(await ends()).toBe(first);
		const neighbor = new Date(String((await sessions(b))[0]?.expiresAt)).getTime();
		expect(neighbor).toBeGreaterThan(Date.now() + 86_400_000);
	});
});

describe("other ways and credentials", () => {
	// threat 117
	it("a session is refused at the logout of the OAuth provider, which takes that for a failure", async () => {
		const { a, b, call, signUp, require } = await secondFactorWorld({
			plugins: [oauthProvider({ loginPage: "/login", consentPage: "/consent" })],
		});
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		await require(a);
		const logOut = (browser: Browser) => call("/oauth2/end-session", { browser });
		const refused = await logOut(ada);
		expect([refused.status, refused.code]).toEqual(REFUSED);
		expect(refused.headers.get("x-second-factor")).toBe("enroll");
		// asks for a confirmation
		expect((await logOut(neighbor)).status).toBe(400);
	});

	// threat 117
	it("a device gets a token that can only set up a second factor, and a challenge once there is one", async () => {
		const { a, b, ok, signUp, enroll, require, asMember } = await secondFactorWorld({
			plugins: [deviceAuthorization({ verificationUri: "/device" })],
		});
		const approve = async (tenant: string, browser: Browser): Promise<object> => {
			const code = (await ok("/device/code", { tenant, body: { client_id: "cli" } })).json;
			await ok("/device", { browser, query: { user_code: code.user_code } });
			await ok("/device/approve", { browser, body: { userCode: code.user_code } });
			const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
			return { grant_type, client_id: "cli", device_code: code.device_code };
		};
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		const [body, other] = [await approve(a, ada), await approve(b, neighbor)];
		await require(a);
		const { access_token, ...rest } = (await ok("/device/token", { tenant: a, body })).json;
		expect(rest).toEqual({ secondFactor: "enroll", twoFactorRedirect: true, twoFactorMethods: [] });
		const headers = { authorization: `Bearer ${access_token}` };
		expect(await asMember({ headers })).toEqual(REFUSED);
		const granted = (await ok("/device/token", { tenant: b, body: other })).json.access_token;
		expect((await asMember({ headers: { authorization: `Bearer ${granted}` } }))[0]).toBe(200);
		await enroll(ada);
		const asked = (await ok("/device/token", { tenant: a, body: await approve(a, ada) })).json;
		expect(asked).toEqual({ secondFactor: "verify", twoFactorRedirect: true, twoFactorMethods: ["totp", "otp"] });
	});

	it.each([true, false])("a plugin that copies the context finds no session (cookie cache: %s)", async (enabled) => {
		const { a, b, call, ok, signUp, require } = await secondFactorWorld({
			plugins: [organization()],
			engine: { session: { cookieCache: { enabled, maxAge: 300 } } },
		});
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		await require(a);
		const body = { name: "Team", slug: "team" };
		const refused = await call("/organization/create", { browser: ada, body });
		expect([refused.status, refused.code]).toEqual(REFUSED);
		expect((await ok("/organization/create", { browser: neighbor, body })).json.slug).toBe("team");
	});

	// threat 117
	it("a one-time token of a session from before gives no session", async () => {
		const { a, b, ok, call, signUp, require } = await secondFactorWorld();
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		const token = (await ok("/one-time-token/generate", { browser: ada })).json.token;
		const other = (await ok("/one-time-token/generate", { browser: neighbor })).json.token;
		await require(a);
		const browser = new Browser();
		const verified = await call("/one-time-token/verify", { tenant: a, browser, body: { token } });
		expect([verified.status, verified.code, tokenIn(browser)]).toEqual([...REFUSED, ""]);
		expect((await ok("/one-time-token/verify", { tenant: b, body: { token: other } })).json.user.email).toBe(EMAIL);
	});

	// threat 163
	it("an API key from before does nothing, and an incomplete session creates none", async () => {
		const { a, b, call, ok, signUp, require, asMember, enroll } = await secondFactorWorld({
			plugins: [apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } })],
			adminPlugin: admin({ ...tenantRoles }),
			after: [tenantAdmin()],
		});
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		const keyOf = async (browser: Browser): Promise<Record<string, string>> => ({
			"x-api-key": String((await ok("/api-key/create", { browser, body: { name: "ci" } })).json.key),
		});
		const [before, other] = [await keyOf(ada), await keyOf(neighbor)];
		await require(a);
		expect(await asMember({ tenant: a, headers: before })).toEqual([401, "INVALID_API_KEY"]);
		const refused = await call("/api-key/create", { browser: ada, body: { name: "later" } });
		expect([refused.status, refused.code]).toEqual(REFUSED);
		// it was made without the second factor, and stays refused when there is one
		await enroll(ada);
		await enroll(neighbor);
		expect(await asMember({ tenant: a, headers: before })).toEqual([401, "INVALID_API_KEY"]);
		expect(await asMember({ tenant: a, headers: await keyOf(ada) })).toEqual([200, undefined]);
		expect(await asMember({ tenant: b, headers: other })).toEqual([200, undefined]);
	});

	// threat 163
	it("an API key of a user with a passkey works if the tenant trusts passkeys", async () => {
		const { a, b, ok, signUp, require, asMember } = await secondFactorWorld({
			plugins: [
				apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
				passkey({ rpID: "localhost", origin: ORIGIN }),
			],
		});
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, EMAIL);
			const { key } = (await ok("/api-key/create", { browser, body: { name: "ci" } })).json;
			const headers = { "x-api-key": String(key) };
			if (tenant === a) {
				const options = (await ok("/passkey/generate-register-options", { browser })).json;
				const response = createAuthenticator({ origin: ORIGIN, rpId: "localhost" }).register(options as never);
				await ok("/passkey/verify-registration", { browser, body: { response } });
			}
			await require(tenant);
			expect(await asMember({ tenant, headers })).toEqual([401, "INVALID_API_KEY"]);
			await require(tenant, { secondFactor: "required", trustPasskeys: true });
			expect(await asMember({ tenant, headers })).toEqual(tenant === a ? [200, undefined] : [401, "INVALID_API_KEY"]);
		}
	});

	// threat 117
	it("server code and the application's hooks see no session", async () => {
		const seen: unknown[] = [];
		const { a, b, auth, ok, signUp, signIn, require, enroll } = await secondFactorWorld({
			engine: {
				hooks: {
					after: createAuthMiddleware(async ({ path, context: { newSession } }) => {
						if (path === "/sign-in/email") seen.push(newSession?.user.tenantId ?? null);
					}),
				},
			},
		});
		const [ada, neighbor] = [await signUp(a, EMAIL), await signUp(b, EMAIL)];
		await require(a);
		await signIn(a);
		await signIn(b);
		expect(seen).toEqual([null, b]);
		const session = (browser: Browser) => auth.api.getSession({ headers: new Headers({ cookie: browser.header() }) });
		expect(await session(ada)).toBeNull();
		expect((await session(neighbor))?.user.email).toBe(EMAIL);
		const body = { email: EMAIL, password: PASSWORD };
		expect(await runWithTenant(a, () => auth.api.signInEmail({ body }))).toEqual({
			secondFactor: "enroll",
			twoFactorRedirect: true,
			twoFactorMethods: [],
		});
		expect((await ok("/tenant/sign-in/email", { tenant: a, body })).json.secondFactor).toBe("enroll");
		await enroll(ada);
		expect((await ok("/tenant/sign-in/email", { tenant: a, body })).json).toEqual({
			secondFactor: "verify",
			twoFactorRedirect: true,
			twoFactorMethods: ["totp", "otp"],
		});
		expect((await session(ada))?.user.email).toBe(EMAIL);
	});
});
