import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { format } from "node:util";
import { betterAuth } from "better-auth";
import { symmetricEncrypt } from "better-auth/crypto";
import { deviceAuthorization } from "better-auth/plugins/device-authorization";
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import {
	errorOf,
	globalProviders,
	registerClient,
	signInSocially,
	startSocial,
	useIdentityProvider,
} from "test-kit/social";
import {
	type Answer,
	createWorld,
	MANAGEMENT_KEY,
	ORIGIN,
	PASSWORD,
	type World,
	type WorldOptions,
} from "test-kit/world";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { tenantAuth, withTenants } from "../../src/index.ts";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
const VICTIM = "victim@example.com";

/** A server that a tenant's admin runs: it answers like GitLab, with the tokens and the profile it is told to. */
const rogue = { issuer: "", hits: 0, accessToken: "rogue-token", profile: {} as Record<string, unknown> };
let server: Server;
beforeAll(async () => {
	server = createServer((request: IncomingMessage, response: ServerResponse) => {
		rogue.hits += 1;
		response.setHeader("content-type", "application/json");
		const tokens = { access_token: rogue.accessToken, token_type: "Bearer", expires_in: 3600 };
		response.end(JSON.stringify(request.url === "/oauth/token" ? tokens : { state: "active", ...rogue.profile }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	rogue.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
afterEach(() => {
	vi.unstubAllGlobals();
	rogue.accessToken = "rogue-token";
});

const createPair = async (options: WorldOptions = {}) => {
	const world = await createWorld(options);
	return { world, a: await world.newTenant(), b: await world.newTenant() };
};

/** Two tenants that both use the application's GitLab. */
const createSocialPair = (engine: WorldOptions["engine"] = {}, options: WorldOptions = {}) =>
	createPair({ ...options, engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab }, ...engine } });

const register = async (world: World, tenantId: string, providerId: string, changes: Record<string, unknown> = {}) => {
	const answer = await world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId, clientId: "client-of-a", clientSecret: canarySecret("threats"), ...changes },
	});
	expect(answer.status).toBe(200);
};

const start = (world: World, tenantId: string, provider: string, browser = new Browser()) =>
	world.call("/tenant/sign-in/social", {
		browser,
		body: { tenantId, provider, callbackURL: "/home", errorCallbackURL: "/failed" },
	});

/** Where the provider would send the browser, with a code of its own making. */
const callbackOf = (started: Answer, sent: Record<string, string> = {}): string => {
	const asked = new URL(started.json.url).searchParams;
	const callback = new URL(asked.get("redirect_uri") ?? "");
	callback.search = new URLSearchParams({ code: "code", state: asked.get("state") ?? "", ...sent }).toString();
	return callback.toString();
};

const signInByRogue = async (world: World, tenantId: string, profile: Record<string, unknown>) => {
	rogue.profile = profile;
	const browser = new Browser();
	const answer = await world.call(callbackOf(await start(world, tenantId, "gitlab", browser)), { browser });
	return { answer, user: (await world.call("/get-session", { browser })).json?.user };
};

const verifyEverybody = (world: World) => world.database.query('update "user" set "emailVerified" = 1');
const count = async (world: World, table: string, where = "1 = 1") =>
	Number((await world.database.query(`select count(*) as n from "${table}" where ${where}`))[0]?.n);
const userOf = async (world: World, browser: Browser) =>
	(await world.call("/get-session", { browser })).json?.user ?? null;

/** All rows of people that do not belong to one tenant. */
const rowsElsewhere = (world: World, tenantId: string) =>
	Promise.all(
		["user", "account", "session"].map((table) =>
			world.database.query(`select * from "${table}" where "tenantId" <> '${tenantId}' order by "id"`),
		),
	);

// threat 3: the four cases in which only the other tenant has the address
describe.each([
	[true, true],
	[true, false],
	[false, true],
	[false, false],
])("an address that only the neighbour has, verified there: %s, and by the provider: %s", (local, remote) => {
	it("makes a new user here and leaves the neighbour's unlinked", async () => {
		const { world, a, b } = await createSocialPair();
		const neighbour = await userOf(world, await world.signUp(b, ada.email));
		if (local) await verifyEverybody(world);
		const before = await rowsElsewhere(world, a);
		const { answer, browser } = await signInSocially(world, idp(), a, { ...ada, emailVerified: remote });
		expect(answer.location).toBe("/home");
		const made = await userOf(world, browser);
		expect([made.id === neighbour.id, made.emailVerified]).toEqual([false, remote]);
		expect(await rowsElsewhere(world, a)).toEqual(before);
		expect(
			await world.database.query(`select "tenantId", "userId" from "account" where "providerId" = 'gitlab'`),
		).toEqual([{ tenantId: a, userId: made.id }]);
	});
});

describe("a person who proves that a planted address is his", () => {
	// threat 4
	it.each(["magic link", "one-time password"])(
		"by %s ends the planted password and session in his tenant, and nothing in the neighbour's",
		async (way) => {
			const links: string[] = [];
			const otps: string[] = [];
			const { world, a, b } = await createPair({
				plugins: [
					magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }),
					emailOTP({ sendVerificationOTP: async ({ otp }) => void otps.push(otp) }),
				],
			});
			const [planted, neighbour] = [await world.signUp(a, VICTIM), await world.signUp(b, VICTIM)];
			const victim = new Browser();
			if (way === "magic link") {
				await world.call("/sign-in/magic-link", { tenant: a, body: { email: VICTIM, callbackURL: "/home" } });
				await world.call(links[0] ?? "", { browser: victim });
			} else {
				await world.call("/email-otp/send-verification-otp", { tenant: a, body: { email: VICTIM, type: "sign-in" } });
				await world.call("/sign-in/email-otp", { tenant: a, browser: victim, body: { email: VICTIM, otp: otps[0] } });
			}
			expect(await userOf(world, victim)).toMatchObject({ email: VICTIM, emailVerified: true });
			const signIn = (tenantId: string) =>
				world.call("/tenant/sign-in/email", { body: { tenantId, email: VICTIM, password: PASSWORD } });

			expect(await userOf(world, planted)).toBeNull();
			expect(await signIn(a)).toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
			expect(await count(world, "account", `"tenantId" = '${a}'`)).toBe(0);
			expect(await count(world, "session", `"tenantId" = '${a}'`)).toBe(1);

			expect(await userOf(world, neighbour)).toMatchObject({ email: VICTIM, emailVerified: false });
			expect((await signIn(b)).status).toBe(200);
		},
	);
});

describe("a server that a tenant runs itself", () => {
	// threat 5
	it.each(["the neighbour", "the platform"])(
		"makes a new user of its tenant from an address that only %s has, and changes no user, account or session elsewhere",
		async (whose) => {
			const { world, a, b } = await createPair();
			const owner = await world.signUp(whose === "the neighbour" ? b : undefined, VICTIM);
			await verifyEverybody(world);
			await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
			const before = await rowsElsewhere(world, a);
			const victim = await userOf(world, owner);
			const { answer, user } = await signInByRogue(world, a, { id: 7, email: VICTIM, email_verified: true });
			expect([answer.location, user.tenantId, user.id === victim.id]).toEqual(["/home", a, false]);
			expect(await rowsElsewhere(world, a)).toEqual(before);
			expect((await userOf(world, owner)).id).toBe(victim.id);
			for (const table of ["user", "account", "session"]) {
				expect([table, await count(world, table, `"tenantId" = '${a}'`)]).toEqual([table, 1]);
			}
		},
	);

	// threat 5
	it("is trusted no more because the application trusts the provider's name: nobody is linked without a verified e-mail", async () => {
		const { world, a, b } = await createSocialPair({
			account: { accountLinking: { enabled: true, trustedProviders: ["gitlab"] } },
		});
		for (const place of [a, b, undefined]) await world.signUp(place, ada.email);
		await verifyEverybody(world);
		const unverified = { ...ada, emailVerified: false };
		expect(errorOf((await signInSocially(world, idp(), a, unverified)).answer)).toBe("account_not_linked");
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer } });
		for (const verified of [true, false]) {
			const { answer } = await signInByRogue(world, b, { id: 7, email: ada.email, email_verified: verified });
			expect(errorOf(answer)).toBe("account_not_linked");
		}
		expect(await count(world, "account", `"providerId" = 'gitlab'`)).toBe(0);
		// the application's own word holds where it was meant
		expect((await signInSocially(world, idp(), undefined, unverified)).answer.location).toBe("/home");
	});

	// threat 23
	it("is not called when it is inside the network, although its config says so from a time when that was allowed", async () => {
		const { world, a, b } = await createPair();
		await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer.replace("127.0.0.1", "localhost") } });
		const strict = betterAuth({ ...world.options, plugins: [tenantAuth({ oauth: { allowPrivateHosts: false } })] });
		for (const tenantId of [a, b]) {
			const browser = new Browser();
			// started where it is allowed, ended where it is not
			const callback = callbackOf(await start(world, tenantId, "gitlab", browser));
			const hits = rogue.hits;
			const response = await strict.handler(new Request(callback, { headers: { cookie: browser.header() } }));
			expect(response.headers.get("location")).toBe("/failed?error=invalid_code");
			expect(rogue.hits).toBe(hits);
		}
		expect(await count(world, "user")).toBe(0);
		const hits = rogue.hits;
		expect((await signInByRogue(world, a, { id: 7, email: VICTIM })).answer.location).toBe("/home");
		expect(rogue.hits).toBe(hits + 2);
	});
});

describe("a subject that comes back", () => {
	// threat 6
	it("with a victim's e-mail is the same user as before, and is linked to nobody", async () => {
		const { world, a, b } = await createSocialPair();
		for (const place of [a, b]) await world.signUp(place, VICTIM);
		await verifyEverybody(world);
		const first = await userOf(world, (await signInSocially(world, idp(), a, ada)).browser);
		const rows = () =>
			world.database.query('select "id", "tenantId", "email", "emailVerified" from "user" order by "id"');
		const links = () =>
			world.database.query('select "id", "userId", "providerId", "accountId" from "account" order by "id"');
		const before = [await rows(), await links()];
		const { answer, browser } = await signInSocially(world, idp(), a, { ...ada, email: VICTIM, emailVerified: true });
		expect(answer.location).toBe("/home");
		expect(await userOf(world, browser)).toMatchObject({ id: first.id, email: ada.email });
		expect([await rows(), await links()]).toEqual(before);
	});
});

describe("a member of one tenant", () => {
	// threat 11
	it("cannot link with a provider that only the neighbour has, whatever tenant he names", async () => {
		const { world, a, b } = await createPair();
		await registerClient(world, idp(), b, "client-of-b");
		const browser = await world.signUp(a, ada.email);
		const link = (sent: Record<string, unknown>, tenant?: string) =>
			world.call("/link-social", { browser, tenant, body: { provider: "gitlab", callbackURL: "/linked", ...sent } });
		expect(await link({})).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
		expect(await link({}, a)).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
		expect(await link({}, b)).toMatchObject({ status: 403, code: "SESSION_TENANT_MISMATCH" });
		expect(await link({ tenantId: b })).toMatchObject({ status: 403, code: "SESSION_TENANT_MISMATCH" });
		expect(await count(world, "verification")).toBe(0);
	});

	// threat 11
	it("cannot unlink, refresh or read an account of the neighbour's", async () => {
		const { world, a, b } = await createSocialPair({ account: { accountLinking: { allowUnlinkingAll: true } } });
		const inA = (await signInSocially(world, idp(), a, ada)).browser;
		const inB = (await signInSocially(world, idp(), b, ada)).browser;
		const [own] = (await world.call("/list-accounts", { browser: inA })).json;
		const [foreign] = (await world.call("/list-accounts", { browser: inB })).json;
		const before = await world.database.query('select * from "account" order by "id"');
		const tokens = idp().tokenRequests.length;
		const body = { accountId: foreign?.id ?? "" };
		expect(await world.call("/unlink-account", { browser: inA, body })).toMatchObject({
			status: 400,
			code: "ACCOUNT_NOT_FOUND",
		});
		for (const path of ["/refresh-token", "/get-access-token"]) {
			expect([path, (await world.call(path, { browser: inA, body })).code]).toEqual([path, "ACCOUNT_NOT_FOUND"]);
		}
		expect((await world.call("/account-info", { browser: inA, query: body })).code).toBe("ACCOUNT_NOT_FOUND");
		expect(idp().tokenRequests.length).toBe(tokens);
		expect(await world.database.query('select * from "account" order by "id"')).toEqual(before);
		// his own goes
		expect((await world.call("/unlink-account", { browser: inA, body: { accountId: own?.id } })).status).toBe(200);
		expect((await world.database.query('select "id" from "account"')).map(({ id }) => id)).toEqual([foreign?.id]);
	});
});

describe("a state of the platform's", () => {
	// threat 13
	it("ends in no tenant's callback, with a forged binding and with a tenant's tag", async () => {
		const { world, a, b } = await createSocialPair();
		const binding = { tenantId: b, providerId: "gitlab", source: "global", callback: "/tenant/callback/gitlab" };
		for (const tag of [null, a, b]) {
			const browser = new Browser();
			const started = await world.call("/sign-in/social", {
				browser,
				body: {
					provider: "gitlab",
					callbackURL: "/home",
					additionalData: { tenantId: b, serverContext: { tenantAuth: binding } },
				},
			});
			const callback = new URL(await idp().authorize(started.json.url, ada));
			callback.pathname = "/api/auth/tenant/callback/gitlab";
			const state = callback.searchParams.get("state") ?? "";
			if (tag) callback.searchParams.set("state", `${state}~${btoa(tag).replace(/=+$/, "")}`);
			const tokens = idp().tokenRequests.length;
			const answer = await world.call(callback.toString(), { browser });
			expect([tag, errorOf(answer)]).toEqual([tag, "state_mismatch"]);
			expect(idp().tokenRequests.length).toBe(tokens);
			expect(await userOf(world, browser)).toBeNull();
		}
		expect([await count(world, "user"), await count(world, "session")]).toEqual([0, 0]);
	});
});

describe("a state that names a victim's e-mail", () => {
	// threat 16
	it("is no magic link, no one-time password, no verification, no reset and no confirmation of a deletion", async () => {
		const { world, a, b } = await createSocialPair(
			{},
			{
				plugins: [magicLink({ sendMagicLink: async () => {} }), emailOTP({ sendVerificationOTP: async () => {} })],
			},
		);
		const victim = await world.signUp(a, VICTIM);
		await world.signUp(b, VICTIM);
		const browser = new Browser();
		const started = await world.call("/sign-in/social", {
			browser,
			tenant: a,
			body: { provider: "gitlab", callbackURL: "/home", additionalData: { email: VICTIM, name: "x", value: "x" } },
		});
		const [stored] = await world.database.query('select "value" from "verification"');
		expect(JSON.parse(String(stored?.value)).email).toBe(VICTIM);
		const rows = async () => [
			...(await rowsElsewhere(world, "none")),
			await world.database.query('select * from "verification"'),
		];
		const before = await rows();

		const tagged = new URL(started.json.url).searchParams.get("state") ?? "";
		const bare = tagged.split("~")[0] ?? "";
		for (const token of [tagged, bare, `auth-state:${bare}`, `auth-state:${tagged}`]) {
			const tries: [string, Parameters<World["call"]>[1]][] = [
				["/magic-link/verify", { query: { token, callbackURL: "/home" } }],
				["/sign-in/email-otp", { body: { email: VICTIM, otp: token } }],
				["/email-otp/verify-email", { body: { email: VICTIM, otp: token } }],
				["/email-otp/check-verification-otp", { body: { email: VICTIM, otp: token, type: "sign-in" } }],
				["/email-otp/reset-password", { body: { email: VICTIM, otp: token, password: "taken over now" } }],
				["/verify-email", { query: { token } }],
				["/reset-password", { body: { token, newPassword: "taken over now" } }],
				["/delete-user/callback", { query: { token } }],
			];
			for (const [path, call] of tries) {
				const attacker = browser.copy();
				const answer = await world.call(path, { ...call, tenant: a, browser: attacker });
				const refused = answer.status >= 400 || errorOf(answer) === "INVALID_TOKEN";
				expect([path, token, refused]).toEqual([path, token, true]);
				expect([path, await userOf(world, attacker)]).toEqual([path, null]);
			}
			const inVictimsBrowser = await world.call("/delete-user/callback", { browser: victim, query: { token } });
			expect(inVictimsBrowser.status).toBeGreaterThanOrEqual(400);
		}
		expect(await rows()).toEqual(before);
		expect((await userOf(world, victim)).emailVerified).toBe(false);
	});

	// threat 16
	it("is no code of a device and no code that people type for one", async () => {
		const { world, a } = await createSocialPair(
			{},
			{
				allPlugins: withTenants(
					{ management: { keys: [MANAGEMENT_KEY] }, deletion: { grace: 0 }, oauth: { allowPrivateHosts: true } },
					[deviceAuthorization({ verificationUri: "/device" })],
				),
			},
		);
		const victim = await world.signUp(a, VICTIM);
		const started = await world.call("/sign-in/social", {
			tenant: a,
			body: { provider: "gitlab", callbackURL: "/home", additionalData: { status: "approved", email: VICTIM } },
		});
		const tagged = new URL(started.json.url).searchParams.get("state") ?? "";
		const bare = tagged.split("~")[0] ?? "";
		const before = await count(world, "session");
		for (const code of [tagged, bare, `auth-state:${bare}`, `auth-state:${tagged}`]) {
			const tries: [string, Parameters<World["call"]>[1]][] = [
				[
					"/device/token",
					{
						body: {
							grant_type: "urn:ietf:params:oauth:grant-type:device_code",
							device_code: code,
							client_id: "client",
						},
					},
				],
				["/device", { query: { user_code: code } }],
				["/device/approve", { browser: victim, body: { userCode: code } }],
				["/device/deny", { browser: victim, body: { userCode: code } }],
			];
			for (const [path, call] of tries) {
				const answer = await world.call(path, { tenant: a, ...call });
				expect([path, code, answer.status >= 400]).toEqual([path, code, true]);
			}
		}
		expect(await count(world, "session")).toBe(before);
	});
});

/** Google's keys, as its own server publishes them, and nothing else of the network. */
const stubGoogle = async () => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key-1", alg: "RS256", use: "sig" }];
	const calls: string[] = [];
	vi.stubGlobal("fetch", async (input: unknown) => {
		calls.push(String(input instanceof Request ? input.url : input));
		return Response.json({ keys });
	});
	return { privateKey, calls };
};

describe("an ID token that a client hands in", () => {
	// threat 20
	it("lets nobody in when it is signed by a stranger, at a tenant with a Google client of its own", async () => {
		const { world, a, b } = await createPair();
		await register(world, a, "google");
		await world.signUp(b, VICTIM);
		const google = await stubGoogle();
		const stranger = await generateKeyPair("RS256");
		const claims = { iss: "https://accounts.google.com", aud: "client-of-a", sub: "1", email: VICTIM };
		const sign = (key: CryptoKey, kid: string, changes: Record<string, unknown> = {}) =>
			new SignJWT({ ...claims, email_verified: true, name: "V", ...changes })
				.setProtectedHeader({ alg: "RS256", kid })
				.setIssuedAt()
				.setExpirationTime("5m")
				.sign(key);
		const unsigned = [{ alg: "none" }, { ...claims, exp: Math.floor(Date.now() / 1000) + 300 }, ""]
			.map((part) => (part === "" ? "" : Buffer.from(JSON.stringify(part)).toString("base64url")))
			.join(".");
		const forged: [string, string][] = [
			["his own key under Google's name for it", await sign(stranger.privateKey, "key-1")],
			["his own key", await sign(stranger.privateKey, "key-2")],
			["his own issuer", await sign(google.privateKey, "key-1", { iss: "https://evil.example" })],
			["another client", await sign(google.privateKey, "key-1", { aud: "client-of-b" })],
			["no signature", unsigned],
		];
		const handIn = (token: string, browser: Browser) =>
			world.call("/sign-in/social", { tenant: a, browser, body: { provider: "google", idToken: { token } } });
		for (const [name, token] of forged) {
			const browser = new Browser();
			const answer = await handIn(token, browser);
			expect([name, answer.status, answer.code]).toEqual([name, 401, "INVALID_TOKEN"]);
			// ours takes none at all: it starts a sign-in at Google
			const started = await world.call("/tenant/sign-in/social", {
				browser,
				body: { tenantId: a, provider: "google", idToken: { token } },
			});
			expect(new URL(started.json.url).origin).toBe("https://accounts.google.com");
			expect([name, await userOf(world, browser)]).toEqual([name, null]);
		}
		expect(await count(world, "user", `"tenantId" = '${a}'`)).toBe(0);
		const browser = new Browser();
		expect((await handIn(await sign(google.privateKey, "key-1"), browser)).status).toBe(200);
		expect((await userOf(world, browser)).tenantId).toBe(a);
	});
});

describe("a redirect URI of the application's own", () => {
	// threat 22
	it("is used on the platform and in no tenant, with the global client and with the tenant's", async () => {
		const redirectURI = `${ORIGIN}/api/auth/callback/gitlab`;
		const global = { ...globalProviders(idp()).gitlab, redirectURI: `${redirectURI}?own=1` };
		const { world, a, b } = await createSocialPair({ socialProviders: { gitlab: global } });
		await registerClient(world, idp(), b, "client-of-b");
		const redirectOf = (answer: Answer) => new URL(answer.json.url).searchParams.get("redirect_uri");
		expect(redirectOf(await world.call("/sign-in/social", { body: { provider: "gitlab" } }))).toBe(global.redirectURI);
		for (const tenantId of [a, b]) {
			expect(redirectOf(await start(world, tenantId, "gitlab"))).toBe(`${ORIGIN}/api/auth/tenant/callback/gitlab`);
			const tokens = idp().tokenRequests.length;
			const { answer, browser } = await signInSocially(world, idp(), tenantId, ada);
			expect(answer.location).toBe("/home");
			expect((await userOf(world, browser)).tenantId).toBe(tenantId);
			// the code is redeemed with what it was asked for
			expect(
				idp()
					.tokenRequests.slice(tokens)
					.map((sent) => sent.redirectURI),
			).toEqual([`${ORIGIN}/api/auth/tenant/callback/gitlab`]);
		}
	});
});

/** Values that lead a browser, or a careless parser, to another site. */
const HOSTILE_URLS = [
	"https://evil.example",
	"https://evil.example/home",
	"http://evil.example",
	"HTTPS://EVIL.EXAMPLE",
	"//evil.example",
	"///evil.example",
	"////evil.example",
	// paths, until their dots are resolved
	"/..//evil.example",
	"/.//evil.example",
	"/x/..//evil.example",
	"/%2e%2e//evil.example",
	"/\\evil.example",
	"\\\\evil.example",
	"\\/evil.example",
	"/%5cevil.example",
	"/%5Cevil.example",
	"/%2fevil.example",
	"/%2f/evil.example",
	"/%2F%2Fevil.example",
	"/\t/evil.example",
	"/\n/evil.example",
	"/\r\n/evil.example",
	"/home\r\nlocation: https://evil.example",
	"\thttps://evil.example",
	" https://evil.example",
	"https:evil.example",
	"https:/evil.example",
	"http:///evil.example",
	"http://localhost:3000@evil.example",
	"http://localhost:3000:x@evil.example",
	"https://evil.example\\@localhost:3000",
	"https://evil.example#@localhost:3000",
	"https://evil.example?http://localhost:3000",
	"http://localhost:3000.evil.example",
	"http://localhost:30001",
	"http://localhost",
	"https://localhost:3000",
	"//evil\u3002example",
	"//evil\uff0eexample",
	"http://\u2139ocalhost:3000.evil.example",
	"javascript:alert(1)",
	"JaVaScRiPt:alert(1)",
	"java\tscript:alert(1)",
	"data:text/html,<script>alert(1)</script>",
	"vbscript:msgbox(1)",
	"file:///etc/passwd",
	"ftp://evil.example",
	"blob:https://evil.example/x",
	"evil.example",
	"@evil.example",
	".evil.example",
	"?//evil.example",
	"\u0000//evil.example",
	"/\u0000/evil.example",
];

/** Values that look bad: they are refused, or they stay on the application's own site. */
const ODD_URLS = [
	"/x//evil.example",
	"/;@evil.example",
	"/home?x=//evil.example",
	"/home#//evil.example",
	"/%09/evil.example",
];

const FIELDS = ["callbackURL", "errorCallbackURL", "newUserCallbackURL"] as const;
const asForm = (body: Record<string, string>) => ({
	headers: { "content-type": "application/x-www-form-urlencoded" },
	body: new URLSearchParams(body).toString(),
});
const isRefused = ({ status }: Answer) => status === 400 || status === 403;

describe("a URL that leads to another site", () => {
	// threat 24
	it("is refused on the engine's own endpoints too, where it looks like a path", async () => {
		const { world, a } = await createSocialPair();
		for (const tenant of [a, undefined]) {
			for (const target of ["/..//evil.example", "/x/..//evil.example", "/%2e%2e//evil.example"]) {
				const answers = [
					await world.call("/verify-email", { tenant, query: { token: "bad", callbackURL: target } }),
					await world.call("/sign-in/social", { tenant, body: { provider: "gitlab", errorCallbackURL: target } }),
					await world.call("/request-password-reset", { tenant, body: { email: "a@example.com", redirectTo: target } }),
				];
				expect([target, answers.map(({ status, location }) => [status, location])]).toEqual([
					target,
					answers.map(() => [403, null]),
				]);
			}
			expect(
				(await world.call("/verify-email", { tenant, query: { token: "bad", callbackURL: "/here//there" } })).location,
			).toContain("/here//there?error=");
		}
	});

	// threat 24
	it.each(FIELDS)(
		`is refused as %s at the social start, in each of ${HOSTILE_URLS.length} spellings`,
		async (field) => {
			const { world, a, b } = await createSocialPair();
			const passed: unknown[] = [];
			for (const value of HOSTILE_URLS) {
				const body = { tenantId: a, provider: "gitlab", [field]: value };
				for (const [kind, call] of [
					["json", { body }],
					["form", asForm(body)],
					// from another tenant's point of view it is no better
					["query", { body, query: { callbackURL: "/home" }, tenant: b }],
				] as const) {
					const answer = await world.call("/tenant/sign-in/social", call);
					if (!isRefused(answer) || answer.location !== null)
						passed.push([kind, value, answer.status, answer.location]);
				}
			}
			expect(passed).toEqual([]);
			for (const value of [["https://evil.example"], ["/home", "https://evil.example"], { a: 1 }, 1, true]) {
				const answer = await world.call("/tenant/sign-in/social", {
					body: { tenantId: a, provider: "gitlab", [field]: value },
				});
				expect([value, answer.status]).toEqual([value, 400]);
			}
			expect(await count(world, "verification")).toBe(0);
			// the query is no way in either
			await world.call("/tenant/sign-in/social", {
				query: { [field]: "https://evil.example" },
				body: { tenantId: a, provider: "gitlab", callbackURL: "/home" },
			});
			const stored = await world.database.query('select "value" from "verification"');
			expect(JSON.stringify(stored)).not.toContain("evil.example");
		},
	);

	// threat 24
	it("is refused as callbackURL at sign-in and sign-up, and at linking: no user, no session", async () => {
		const { world, a, b } = await createSocialPair();
		const member = await world.signUp(b, ada.email);
		await world.signUp(a, ada.email);
		const [users, sessions] = [await count(world, "user"), await count(world, "session")];
		const passed: unknown[] = [];
		for (const callbackURL of HOSTILE_URLS) {
			const person = { tenantId: a, name: "x", password: PASSWORD, callbackURL };
			const links = FIELDS.slice(0, 2).map((field) => ({ provider: "gitlab", [field]: callbackURL }));
			const answers = [
				await world.call("/tenant/sign-in/email", { body: { ...person, email: ada.email } }),
				await world.call("/tenant/sign-in/email", asForm({ ...person, email: ada.email })),
				await world.call("/tenant/sign-up/email", { body: { ...person, email: "new@example.com" } }),
				await world.call("/tenant/sign-up/email", asForm({ ...person, email: "new@example.com" })),
				...(await Promise.all(links.map((body) => world.call("/link-social", { browser: member, body })))),
			];
			for (const [index, answer] of answers.entries()) {
				if (!isRefused(answer) || answer.location !== null) passed.push([callbackURL, index, answer.status]);
			}
		}
		expect(passed).toEqual([]);
		expect([await count(world, "user"), await count(world, "session")]).toEqual([users, sessions]);
		expect(await count(world, "verification")).toBe(0);
	});

	// threat 24
	it.each(["callbackURL", "newUserCallbackURL"])(
		"is no end of a flow as %s: what is let through stays on the application's site",
		async (field) => {
			const { world, a, b } = await createSocialPair();
			for (const [index, value] of ODD_URLS.entries()) {
				for (const tenantId of [a, b]) {
					const browser = new Browser();
					const body = { tenantId, provider: "gitlab", callbackURL: "/home", [field]: value };
					const started = await world.call("/tenant/sign-in/social", { browser, body });
					if (isRefused(started)) continue;
					const person = { sub: `odd-${index}`, email: `odd-${index}@example.com` };
					const callback = await idp().authorize(started.json.url, person);
					const { status, location } = await world.call(callback, { browser });
					expect([value, status, URL.parse(location ?? "", callback)?.origin]).toEqual([value, 302, ORIGIN]);
				}
			}
			expect(await count(world, "user")).toBeGreaterThanOrEqual(2);
		},
	);
});

/** The provider's words, with what would break a page, a header or a line of a log. */
const HOSTILE_WORDS: Record<string, string>[] = [
	{ error: "<script>alert(1)</script>", error_description: "<img src=x onerror=alert(1)>" },
	{ error: "x", error_description: `"><svg/onload=alert(1)>` },
	{ error: "x\r\nset-cookie: planted=1", error_description: "a\r\nplanted: 1\r\n\r\n<b>body</b>" },
	{ error: "x\nplanted: 1", error_description: "\rplanted: 1" },
	{ error: "x\u2028planted: 1", error_description: "\u0085planted: 1" },
	{ error: "x&error=y#z", error_description: "</title><script>alert(1)</script>" },
];

describe("a provider's error text, with a state", () => {
	// threat 26
	it("breaks no header, no page and no line of the log", async () => {
		const printed: string[] = [];
		const { world, a, b } = await createSocialPair({
			// as the engine's own logger prints it
			logger: { level: "debug", log: (...parts) => printed.push(format(...parts)) },
		});
		for (const words of HOSTILE_WORDS) {
			const { browser, url } = await startSocial(world, idp(), a, ada);
			const state = new URL(url).searchParams.get("state") ?? "";
			const stolen = await startSocial(world, idp(), b, ada);
			const answers = [
				// another browser, then a wrong state, then the right one
				await world.call("/tenant/callback/gitlab", { browser: stolen.browser, query: { state, ...words } }),
				await world.call("/tenant/callback/gitlab", { browser, query: { state: `${state}x`, ...words } }),
				await world.call("/tenant/callback/gitlab", { browser, query: { state, ...words } }),
			];
			for (const answer of answers) {
				expect(answer.status).toBe(302);
				for (const [name, value] of answer.headers) {
					expect([name, /[\r\n<>"]/.test(value)]).toEqual([name, false]);
					expect(name).not.toBe("planted");
				}
				expect(answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("planted"))).toEqual([]);
				expect(answer.text).not.toContain("<");
			}
			const last = new URL(answers[2]?.location ?? "", ORIGIN);
			expect([last.origin, last.pathname, Object.fromEntries(last.searchParams)]).toEqual([ORIGIN, "/failed", words]);

			const page = await world.call("/error", { query: words });
			expect(page.status).toBe(200);
			for (const tag of ["<script>alert", "<img", "<svg", "<b>", "</title><script"])
				expect(page.text).not.toContain(tag);
		}
		const lines = printed.flatMap((text) => text.split(/[\r\n\u0085\u2028]/));
		expect(lines.filter((line) => /^(?:planted|set-cookie):|<script|<img|<svg/.test(line))).toEqual([]);
	});
});

const SECRET = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";

/** Writes past the engine, and drops what was loaded: a management call does. */
const paste = async (world: World, tenantId: string, value: string) => {
	await world.database.query(
		`update "tenantOauthConfig" set "clientSecret" = '${value}' where "tenantId" = '${tenantId}'`,
	);
	await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
};

describe("what was not sealed for a secret's place", () => {
	// threat 57
	it("does not open there: neither plain text nor what the same secret encrypted for another purpose", async () => {
		const { world, a, b } = await createPair();
		expect(world.options.secret).toBe(SECRET);
		for (const tenantId of [a, b]) await register(world, tenantId, "github");
		const encrypt = (data: unknown) =>
			symmetricEncrypt({ key: SECRET, data: typeof data === "string" ? data : JSON.stringify(data) });
		const place = { tenantId: a, providerId: "github", field: "clientSecret" };
		const pasted: [string, string][] = [
			["plain text", "a secret in plain text"],
			["nothing", ""],
			["plain JSON of the sealed form", JSON.stringify({ v: 1, ...place, write: "w", value: "x" })],
			["an encrypted text", await encrypt("secret")],
			["an encrypted state", await encrypt({ callbackURL: "/", codeVerifier: "x", expiresAt: 1, oauthState: "s" })],
			["no version", await encrypt({ ...place, write: "w", value: "x" })],
			["no place", await encrypt({ v: 1, write: "w", value: "x" })],
			["another field", await encrypt({ v: 1, ...place, field: "clientId", write: "w", value: "x" })],
			["another tenant", await encrypt({ v: 1, ...place, tenantId: b, write: "w", value: "x" })],
			["no text", await encrypt({ v: 1, ...place, write: "w", value: { toString: "x" } })],
			["a list", await encrypt([{ v: 1, ...place, write: "w", value: "x" }])],
			["null", await encrypt("null")],
		];
		for (const [name, value] of pasted) {
			await paste(world, a, value);
			const answer = await start(world, a, "github");
			expect([name, answer.status, answer.code]).toEqual([name, 500, "OAUTH_CONFIG_UNREADABLE"]);
			expect([name, answer.json.url, answer.location]).toEqual([name, undefined, null]);
			expect((await start(world, b, "github")).status).toBe(200);
		}
	});

	// threat 57
	it("does not open either when a tenant's own server had it encrypted in the sealed form, as a token of its people", async () => {
		const { world, a, b } = await createPair({ engine: { account: { encryptOAuthTokens: true } } });
		await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer } });
		for (const target of [a, b]) {
			rogue.accessToken = JSON.stringify({
				v: 1,
				tenantId: target,
				providerId: "gitlab",
				field: "clientSecret",
				write: "w",
				value: "chosen by the attacker",
			});
			const profile = { id: `for-${target}`, email: `${target.toLowerCase()}@example.com`, email_verified: true };
			expect((await signInByRogue(world, a, profile)).answer.location).toBe("/home");
			const [account] = await world.database.query(
				`select "accessToken" from "account" where "accountId" like 'for-${target}%'`,
			);
			expect(String(account?.accessToken)).toMatch(/^(?:\$ba\$\d+\$)?[0-9a-f]+$/);
			const [kept] = await world.database.query(
				`select "clientSecret" from "tenantOauthConfig" where "tenantId" = '${target}'`,
			);
			await paste(world, target, String(account?.accessToken));
			expect(await start(world, target, "gitlab")).toMatchObject({ status: 500, code: "OAUTH_CONFIG_UNREADABLE" });
			await paste(world, target, String(kept?.clientSecret));
		}
	});

	// threat 56
	it("is told to the log in one line that names tenant and provider, and no secret", async () => {
		const { world, a, b } = await createPair();
		for (const tenantId of [a, b]) await register(world, tenantId, "github", { clientId: "client-id-of-a-tenant" });
		const [theirs] = await world.database.query(
			`select "clientId", "clientSecret" from "tenantOauthConfig" where "tenantId" = '${b}'`,
		);
		const logged = world.logs.length;
		await paste(world, a, String(theirs?.clientSecret));
		for (let time = 0; time < 3; time += 1)
			expect((await start(world, a, "github")).code).toBe("OAUTH_CONFIG_UNREADABLE");
		expect((await start(world, b, "github")).status).toBe(200);
		const lines = world.logs.slice(logged);
		const told = lines.filter((line) => line.includes(a));
		expect(told).toEqual([expect.stringMatching(/^error [^\r\n]*$/)]);
		expect(told[0]).toContain("github");
		for (const secret of [theirs?.clientId, theirs?.clientSecret, "client-id-of-a-tenant", SECRET, b]) {
			expect(lines.filter((line) => line.includes(String(secret)))).toEqual([]);
		}
	});
});

describe("a callback that names another issuer", () => {
	// threat 18
	it.each(["gitlab", "microsoft"] as const)("is refused for %s before a code leaves the server", async (provider) => {
		const { world, a, b } = await createPair({ engine: { socialProviders: globalProviders(idp()) } });
		for (const tenantId of [a, b]) {
			for (const iss of ["https://evil.example", `${idp().gitlab.issuer}/`, "https://accounts.google.com", "x"]) {
				const { browser, callback } = await startSocial(world, idp(), tenantId, ada, provider);
				const url = new URL(callback);
				expect(url.searchParams.get("iss")).toContain(idp().gitlab.issuer);
				url.searchParams.set("iss", iss);
				const tokens = idp().tokenRequests.length;
				expect([iss, errorOf(await world.call(url.toString(), { browser }))]).toEqual([iss, "issuer_mismatch"]);
				expect(idp().tokenRequests.length).toBe(tokens);
				expect(await userOf(world, browser)).toBeNull();
			}
		}
		expect(await count(world, "user")).toBe(0);
		expect((await signInSocially(world, idp(), a, ada, provider)).answer.location).toBe("/home");
	});

	// threat 18
	it.each([
		["google", {}, "https://accounts.google.com"],
		["gitlab", {}, "https://gitlab.com"],
		[
			"microsoft",
			{ options: { tenantId: "5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90" } },
			"https://login.microsoftonline.com/5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90/v2.0",
		],
	])("is refused for a tenant's own client at %s, and the right issuer is not", async (provider, config, issuer) => {
		const { world, a, b } = await createPair();
		for (const tenantId of [a, b]) await register(world, tenantId, provider, config);
		const calls: string[] = [];
		vi.stubGlobal("fetch", async (input: unknown) => {
			calls.push(String(input instanceof Request ? input.url : input));
			return Response.json({ error: "invalid_grant" }, { status: 400 });
		});
		for (const tenantId of [a, b]) {
			for (const iss of ["https://evil.example", `${issuer}.evil.example`, issuer.toUpperCase()]) {
				const browser = new Browser();
				const callback = callbackOf(await start(world, tenantId, provider, browser), { iss });
				expect([iss, errorOf(await world.call(callback, { browser }))]).toEqual([iss, "issuer_mismatch"]);
			}
		}
		expect(calls).toEqual([]);
		const browser = new Browser();
		const callback = callbackOf(await start(world, a, provider, browser), { iss: issuer });
		expect(errorOf(await world.call(callback, { browser }))).toBe("invalid_code");
		expect(calls.length).toBe(1);
	});
});

describe("an answer about one person", () => {
	// threat 38
	it("is kept by no cache: sign-up, sign-in, the social start and its callback", async () => {
		const { world, a, b } = await createSocialPair();
		for (const tenantId of [a, b]) {
			const person = { tenantId, name: "x", email: "x@example.com", password: PASSWORD };
			const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
			const answers: [string, number, Answer][] = [
				["sign-up", 200, await world.call("/tenant/sign-up/email", { body: person })],
				["sign-in", 200, await world.call("/tenant/sign-in/email", { body: person })],
				["social", 200, await start(world, tenantId, "gitlab")],
				["social form", 302, await world.call("/tenant/sign-in/social", asForm({ tenantId, provider: "gitlab" }))],
				["callback", 302, await world.call(callback, { browser })],
				["callback again", 302, await world.call(callback, { browser })],
				["sign-up of a taken e-mail", 422, await world.call("/tenant/sign-up/email", { body: person })],
				[
					"sign-in with another password",
					401,
					await world.call("/tenant/sign-in/email", { body: { ...person, password: "another password" } }),
				],
				["callback by nobody", 302, await world.call("/tenant/callback/gitlab")],
			];
			for (const [name, status, answer] of answers) {
				const seen = [name, answer.status, answer.headers.get("cache-control")];
				expect(seen).toEqual([name, status, "no-store"]);
			}
		}
	});
});
