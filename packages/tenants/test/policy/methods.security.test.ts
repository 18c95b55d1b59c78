import { anonymous, magicLink, twoFactor, username } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@example.com";

describe("the sign-in methods of a tenant", () => {
	// threat 114
	it("refuses other methods, before it says whether the password is right, and in its tenant only", async () => {
		const { a, b, set, signUp, signIn, call, sessionsOf } = await policyWorld();
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { methods: ["passkey"] });
		const before = (await sessionsOf(a)).length;
		for (const [email, password] of [
			[ADA, PASSWORD],
			[ADA, "wrong horse battery"],
			["nobody@example.com", PASSWORD],
		] as const) {
			const { status, code } = await signIn(a, email, { password });
			expect([email, status, code]).toEqual([email, 403, "SIGN_IN_METHOD_NOT_ALLOWED"]);
		}
		const body = { name: "Eve", email: "eve@example.com", password: PASSWORD };
		for (const path of ["/sign-up/email", "/tenant/sign-up/email"])
			expect((await call(path, { tenant: a, body })).code).toBe("SIGN_IN_METHOD_NOT_ALLOWED");
		expect((await call("/tenant/sign-in/email", { tenant: a, body: { email: ADA, password: PASSWORD } })).code).toBe(
			"SIGN_IN_METHOD_NOT_ALLOWED",
		);
		expect((await sessionsOf(a)).length).toBe(before);
		expect((await signIn(b, ADA)).status).toBe(200);
	});

	// threat 114
	it("refuses a session at the place where it is created, whatever led there", async () => {
		const { a, b, set, signUp, auth, sessionsOf } = await policyWorld();
		const { runWithTenant } = await import("../../src/index.ts");
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { methods: ["password"] });
		const { internalAdapter } = await auth.$context;
		const create = (tenant: string) =>
			runWithTenant(tenant, async () => {
				const found = await internalAdapter.findUserByEmail(ADA);
				return internalAdapter.createSession(found?.user.id ?? "");
			});
		// no endpoint says how the user signed in
		await expect(create(a)).rejects.toMatchObject({ body: { code: "SIGN_IN_METHOD_NOT_ALLOWED" } });
		expect(await create(b)).toMatchObject({ tenantId: b, signInMethod: null });
		expect(await sessionsOf(a)).toHaveLength(1);
	});

	// threat 114
	it("refuses a link from before the change, and names the method of each session", async () => {
		const links: string[] = [];
		const { a, b, set, signUp, call, isSignedIn, sessionsOf } = await policyWorld({
			plugins: [magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }), username()],
		});
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		const ask = async (tenant: string) => {
			await call("/sign-in/magic-link", { tenant, body: { email: ADA } });
			return links.at(-1) ?? "";
		};
		const [first, second, other] = [await ask(a), await ask(a), await ask(b)];
		const browser = new Browser();
		await call(first, { browser });
		expect(await isSignedIn(browser)).toBe(true);
		expect((await sessionsOf(b)).map(({ signInMethod }) => signInMethod)).toEqual(["password"]);
		expect((await sessionsOf(a)).map(({ signInMethod }) => signInMethod)).toEqual(["magicLink"]);
		await set(a, { methods: ["password", "username"] });
		const late = new Browser();
		const answer = await call(second, { browser: late });
		expect([answer.status, answer.code]).toEqual([403, "SIGN_IN_METHOD_NOT_ALLOWED"]);
		expect(await isSignedIn(late)).toBe(false);
		// no mail is sent either
		const sent = links.length;
		expect((await call("/sign-in/magic-link", { tenant: a, body: { email: ADA } })).code).toBe(
			"SIGN_IN_METHOD_NOT_ALLOWED",
		);
		expect(links).toHaveLength(sent);
		const elsewhere = new Browser();
		await call(other, { browser: elsewhere });
		expect(await isSignedIn(elsewhere)).toBe(true);
	});

	// threat 114
	it.each([false, true])("ends the sessions of other methods that exist (cookie cache: %s)", async (enabled) => {
		const { a, b, set, signUp, signIn, isSignedIn, sessionsOf, call } = await policyWorld({
			plugins: [anonymous()],
			engine: { session: { cookieCache: { enabled, maxAge: 300 } } },
		});
		const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
		const guest = new Browser();
		await call("/sign-in/anonymous", { tenant: a, browser: guest, body: {} });
		for (const browser of [ada, bob, guest]) expect(await isSignedIn(browser)).toBe(true);
		await set(a, { methods: ["password"] });
		expect([await isSignedIn(ada), await isSignedIn(guest), await isSignedIn(bob)]).toEqual([true, false, true]);
		expect((await sessionsOf(a)).map(({ signInMethod }) => signInMethod)).toEqual(["password"]);
		await set(a, { methods: ["anonymous"] });
		expect([await isSignedIn(ada), await isSignedIn(bob)]).toEqual([false, true]);
		expect((await call("/list-sessions", { browser: ada })).status).toBe(401);
		expect((await signIn(a, ADA)).status).toBe(403);
	});

	// threat 114
	it("lets break-glass users in with their password, and tells nobody else whether theirs is right", async () => {
		const { a, b, set, update, signUp, signIn, call, database, isSignedIn } = await policyWorld();
		await signUp(a, ADA);
		await signUp(a, "bob@example.com");
		await signUp(b, "owner@example.com");
		const idOf = async (email: string) =>
			String((await database.query(`select "id" from "user" where "email" = '${email}'`))[0]?.id);
		const foreign = await update(a, { methods: ["sso"], breakGlassUserIds: [await idOf("owner@example.com")] });
		const missing = await update(a, { methods: ["sso"], breakGlassUserIds: ["missing"] });
		expect([foreign.status, foreign.json]).toEqual([400, missing.json]);
		await set(a, { methods: ["sso"], breakGlassUserIds: [await idOf(ADA)] });
		const ada = await signIn(a, ADA);
		expect([ada.status, await isSignedIn(ada.browser)]).toEqual([200, true]);
		const [right, wrong] = [
			await signIn(a, "bob@example.com"),
			await signIn(a, "bob@example.com", { password: "wrong horse battery" }),
		];
		expect([right.status, right.json]).toEqual([401, wrong.json]);
		const body = { name: "Eve", email: "eve@example.com", password: PASSWORD };
		expect((await call("/sign-up/email", { tenant: a, body })).code).toBe("SIGN_IN_METHOD_NOT_ALLOWED");
	});

	// threat 114
	it("keeps the method of a session that goes on, and of the step before a second factor", async () => {
		const { a, b, set, signUp, signIn, call, ok, sessionsOf, isSignedIn } = await policyWorld({
			plugins: [twoFactor({ otpOptions: { sendOTP: async ({ otp }) => void codes.push(otp) } })],
		});
		const codes: string[] = [];
		await signUp(b, ADA);
		const ada = await signUp(a, ADA);
		await ok("/two-factor/enable", { browser: ada, body: { password: PASSWORD } });
		await ok("/two-factor/send-otp", { browser: ada, body: {} });
		await ok("/two-factor/verify-otp", { browser: ada, body: { code: codes.at(-1) } });
		await set(a, { methods: ["password"] });
		expect(await isSignedIn(ada)).toBe(true);
		const half = await signIn(a, ADA);
		expect(half.json).toMatchObject({ twoFactorRedirect: true });
		await ok("/two-factor/send-otp", { browser: half.browser, tenant: a, body: {} });
		await ok("/two-factor/verify-otp", { browser: half.browser, tenant: a, body: { code: codes.at(-1) } });
		expect(await isSignedIn(half.browser)).toBe(true);
		expect(new Set((await sessionsOf(a)).map(({ signInMethod }) => signInMethod))).toEqual(new Set(["password"]));
		// a challenge from before the change does not lead to a session
		const late = await signIn(a, ADA);
		await ok("/two-factor/send-otp", { browser: late.browser, tenant: a, body: {} });
		await set(a, { methods: ["magicLink"] });
		const answer = await call("/two-factor/verify-otp", {
			browser: late.browser,
			tenant: a,
			body: { code: codes.at(-1) },
		});
		expect([answer.status, answer.code]).toEqual([403, "SIGN_IN_METHOD_NOT_ALLOWED"]);
	});

	// threats 114, 126
	it("is the method of the first step after a second factor, not another one that is allowed", async () => {
		const codes: string[] = [];
		const { a, b, set, signIn, call, ok, sessionsOf, isSignedIn } = await policyWorld({
			plugins: [username(), twoFactor({ otpOptions: { sendOTP: async ({ otp }) => void codes.push(otp) } })],
		});
		const prove = async (tenant: string, browser: Browser) => {
			await ok("/two-factor/send-otp", { browser, tenant, body: {} });
			return call("/two-factor/verify-otp", { browser, tenant, body: { code: codes.at(-1) } });
		};
		const byName = async (tenant: string): Promise<Browser> => {
			const browser = new Browser();
			const body = { username: "ada_lovelace", password: PASSWORD };
			expect((await ok("/sign-in/username", { tenant, browser, body })).json).toMatchObject({
				twoFactorRedirect: true,
			});
			return browser;
		};
		for (const tenant of [a, b]) {
			const browser = new Browser();
			const body = { name: "Ada", email: ADA, username: "ada_lovelace", password: PASSWORD };
			await ok("/sign-up/email", { tenant, browser, body });
			await ok("/two-factor/enable", { browser, body: { password: PASSWORD } });
			await prove(tenant, browser);
			await ok("/sign-out", { browser, body: {} });
		}
		await set(a, { methods: ["password", "username"] });
		const [done, waiting, neighbor] = [await byName(a), await byName(a), await byName(b)];
		for (const [tenant, browser] of [
			[a, done],
			[b, neighbor],
		] as const)
			expect((await prove(tenant, browser)).status).toBe(200);
		for (const tenant of [a, b])
			expect((await sessionsOf(tenant)).map(({ signInMethod }) => signInMethod)).toEqual(["username"]);
		await set(a, { methods: ["password"] });
		expect([await isSignedIn(done), await isSignedIn(neighbor)]).toEqual([false, true]);
		const late = await prove(a, waiting);
		expect([late.status, late.code, await isSignedIn(waiting)]).toEqual([403, "SIGN_IN_METHOD_NOT_ALLOWED", false]);
		const allowed = await signIn(a, ADA);
		expect((await prove(a, allowed.browser)).status).toBe(200);
		expect(await isSignedIn(allowed.browser)).toBe(true);
	});

	it("are what /tenant/methods shows", async () => {
		const { a, b, set, call } = await policyWorld({
			plugins: [magicLink({ sendMagicLink: async () => {} }), username()],
			engine: { socialProviders: { google: { clientId: "id", clientSecret: "secret" } } },
		});
		await set(a, { methods: ["magicLink", "social:google"], signUp: "closed" });
		const of = async (tenant: string) => (await call("/tenant/methods", { tenant })).json;
		expect(await of(a)).toMatchObject({
			email: { enabled: false, signUp: false },
			magicLink: { enabled: true, signUp: false },
			username: { enabled: false },
			providers: [{ id: "google" }],
		});
		expect(await of(b)).toMatchObject({ email: { enabled: true, signUp: true }, username: { enabled: true } });
		expect(await of("missing")).toEqual(await of(b));
		await set(a, { methods: ["password"] });
		expect((await of(a)).providers).toEqual([]);
	});
});

describe("a change that locks users out", () => {
	// threat 116
	it("is refused unless it is forced", async () => {
		const { a, b, update, signUp, isSignedIn, read } = await policyWorldWithAdmins();
		const ada = await signUp(a, ADA);
		const bob = await signUp(b, ADA);
		const own = await update(a, { methods: ["passkey"] }, { browser: ada, operator: false });
		expect([own.status, own.code]).toEqual([409, "POLICY_LOCKS_YOU_OUT"]);
		expect((await read(a)).own).toEqual({});
		const foreign = await update(a, { methods: ["passkey"] }, { browser: bob, operator: false });
		expect(foreign.code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		const everyone = await update(a, { methods: ["sso"] });
		expect([everyone.status, everyone.code]).toEqual([409, "POLICY_LOCKS_EVERYONE_OUT"]);
		expect((await update(a, { methods: ["passkey"] }, { browser: ada, operator: false, force: true })).status).toBe(
			200,
		);
		expect([await isSignedIn(ada), await isSignedIn(bob)]).toEqual([false, true]);
	});
});

const policyWorldWithAdmins = async () => {
	const { createWorld, MANAGEMENT_KEY } = await import("test-kit/world");
	const { withTenants } = await import("../../src/index.ts");
	const { tenantPolicy } = await import("../../src/policy.ts");
	const world = await createWorld({
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					authorize: ({ tenantId, session }) => tenantId !== null && session?.session.tenantId === tenantId,
				},
			},
			[tenantPolicy()],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	return {
		...world,
		a,
		b,
		update: (
			tenantId: string,
			policy: unknown,
			{ force, ...call }: { force?: boolean; browser?: Browser; operator?: boolean } = {},
		) =>
			world.call("/tenant/policy/update", {
				operator: true,
				body: { tenantId, policy, ...(force ? { force } : {}) },
				...call,
			}),
		read: async (tenantId: string) =>
			(await world.call("/tenant/policy/get", { operator: true, query: { tenantId } })).json,
		isSignedIn: async (browser: Browser) => Boolean((await world.call("/get-session", { browser })).json?.session),
	};
};
