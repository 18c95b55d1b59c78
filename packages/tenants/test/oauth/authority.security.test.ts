import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { betterAuth } from "better-auth";
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
import { visit } from "test-kit/visit";
import { createWorld, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";
import { accountIdOf, isAccountOf } from "../../src/oauth/authority.ts";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };

/** A server that a tenant's admin runs: it answers like GitLab and says what it is told to. */
type Rogue = {
	issuer: string;
	seen: { path: string; authorization: string | undefined; body: string }[];
	profile: Record<string, unknown>;
};
const rogue: Rogue = { issuer: "", seen: [], profile: {} };
let server: Server;
beforeAll(async () => {
	server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		rogue.seen.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
		response.setHeader("content-type", "application/json");
		if (request.url === "/oauth/token")
			response.end(
				JSON.stringify({
					access_token: "rogue-token",
					refresh_token: "rogue-refresh",
					token_type: "Bearer",
					expires_in: 1,
				}),
			);
		else response.end(JSON.stringify({ state: "active", ...rogue.profile }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	rogue.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const registerRogue = (world: World, tenantId: string) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId: "gitlab",
			clientId: "rogue",
			clientSecret: canarySecret("rogue"),
			options: { issuer: rogue.issuer },
		},
	});

/** Signs in through the rogue server, which asserts whom it likes. */
const signInByRogue = async (
	world: World,
	tenantId: string,
	profile: Record<string, unknown>,
	browser = new Browser(),
) => {
	rogue.profile = profile;
	const started = await world.call("/tenant/sign-in/social", {
		browser,
		body: { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	const url = new URL(started.json.url);
	const callback = `${url.searchParams.get("redirect_uri")}?code=rogue-code&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`;
	const answer = await world.call(callback, { browser });
	return { browser, answer, user: (await world.call("/get-session", { browser })).json?.user };
};

/** A second server on the same database, which keeps what it has loaded. */
const createSecondProcess = (world: World) => {
	const options = { tenantCache: { maxAge: 60 }, deletion: { grace: 0 }, oauth: { allowPrivateHosts: true } };
	const other = betterAuth({ ...world.options, plugins: [tenantAuth(options)] });
	const browser = new Browser();
	const call = visit(other, browser, ORIGIN);
	return { browser, call };
};

describe("a tenant that names its own server", () => {
	// threat 18
	it("is never sent a code of another server's client: the mix-up ends in a refusal", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await registerRogue(world, a);
		const victim = { sub: "victim-1", email: "victim@example.com" };
		await signInSocially(world, idp(), b, victim);

		// the attacker starts at b; the victim starts at a, whose server sends him on to the honest one with b's request
		const attacker = new Browser();
		const atB = await world.call("/tenant/sign-in/social", {
			browser: attacker,
			body: { tenantId: b, provider: "gitlab", callbackURL: "/home" },
		});
		const victimBrowser = new Browser();
		const atA = await world.call("/tenant/sign-in/social", {
			browser: victimBrowser,
			body: { tenantId: a, provider: "gitlab", callbackURL: "/home" },
		});
		const stateA = new URL(atA.json.url).searchParams.get("state") ?? "";
		const forwarded = new URL(atB.json.url);
		forwarded.searchParams.set("state", stateA);
		const callback = await idp().authorize(forwarded.toString(), victim);
		rogue.seen.length = 0;
		expect(errorOf(await world.call(callback, { browser: victimBrowser }))).toBe("state_mismatch");
		expect(rogue.seen).toEqual([]);
	});

	// threat 18
	it("ends its flows at an address of its own, and only there", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await registerRogue(world, a);
		const redirectOf = async (tenantId: string) =>
			new URL(
				(await world.call("/tenant/sign-in/social", { body: { tenantId, provider: "gitlab" } })).json.url,
			).searchParams.get("redirect_uri");
		expect(await redirectOf(a)).toBe(`${ORIGIN}/api/auth/tenant/callback/gitlab/${a}`);
		expect(await redirectOf(b)).toBe(`${ORIGIN}/api/auth/tenant/callback/gitlab`);
		expect(
			(await signInByRogue(world, a, { id: 1, email: "new@example.com", email_verified: true })).answer.location,
		).toBe("/home");
	});

	// threats 6, 9 and 10
	it("cannot name the people of the server that was used before, nor keep theirs for later", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const a = await world.newTenant();
		const first = await signInSocially(world, idp(), a, ada);
		const alice = (await world.call("/get-session", { browser: first.browser })).json.user.id;
		await registerRogue(world, a);
		const forged = await signInByRogue(world, a, { id: ada.sub, email: "nobody@evil.example", email_verified: false });
		expect(forged.user.id).not.toBe(alice);
		const planted = await signInByRogue(world, a, {
			id: "future-1",
			email: "planted@evil.example",
			email_verified: true,
		});
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId: a, providerId: "gitlab" } });
		// back on the global provider everyone is himself again
		const back = await signInSocially(world, idp(), a, ada);
		expect((await world.call("/get-session", { browser: back.browser })).json.user.id).toBe(alice);
		const future = await signInSocially(world, idp(), a, { sub: "future-1", email: "future@example.com" });
		expect((await world.call("/get-session", { browser: future.browser })).json.user.id).not.toBe(planted.user.id);
	});

	// threat 27
	it("is sent nothing by a process that has not heard yet that its config is gone", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const stale = createSecondProcess(world);
		await registerRogue(world, tenantId);
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } });
		rogue.seen.length = 0;
		const { callback } = await startSocial(world, idp(), tenantId, ada, "gitlab", stale.browser);
		expect((await stale.call(callback)).headers.get("location")).toBe("/home");
		expect(rogue.seen).toEqual([]);
	});

	it("links nobody through a process that has not heard of it yet", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, "victim@example.com");
		await world.database.query('update "user" set "emailVerified" = 1');
		const stale = createSecondProcess(world);
		// it has loaded that there is no config
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await registerRogue(world, tenantId);
		rogue.profile = { id: 9, email: "victim@example.com", email_verified: true };
		const started = await world.call("/tenant/sign-in/social", {
			browser: stale.browser,
			body: { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" },
		});
		const url = new URL(started.json.url);
		const answer = await stale.call(
			`${url.searchParams.get("redirect_uri")}?code=x&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`,
		);
		expect(answer.headers.get("location")).toBe("/failed?error=account_not_linked");
	});

	it("is sent no code that another server was asked first about", async () => {
		// the first attempt to make the user fails, as it does for whoever loses a race
		let failures = 0;
		const databaseHooks = {
			user: {
				create: {
					before: async () => {
						failures += 1;
						if (failures === 1) throw new Error("lost");
					},
				},
			},
		};
		const world = await createWorld({ engine: { databaseHooks, logger: { disabled: true } } });
		const tenantId = await world.newTenant();
		const stale = createSecondProcess(world);
		await registerRogue(world, tenantId);
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await registerClient(world, idp(), tenantId, "honest-client");
		rogue.seen.length = 0;
		const { callback } = await startSocial(world, idp(), tenantId, ada, "gitlab", stale.browser);
		expect((await stale.call(callback)).headers.get("location")).toBe("/home");
		expect([failures, rogue.seen]).toEqual([2, []]);
	});

	it("makes nobody whose e-mail counts as verified, so that no later sign-in is linked to him", async () => {
		const world = await createWorld({ engine: { socialProviders: { microsoft: globalProviders(idp()).microsoft } } });
		const tenantId = await world.newTenant();
		await registerRogue(world, tenantId);
		const planted = await signInByRogue(world, tenantId, { id: 5, email: "victim@example.com", email_verified: true });
		expect(planted.user.emailVerified).toBe(false);
		const { answer } = await signInSocially(
			world,
			idp(),
			tenantId,
			{ sub: "v", email: "victim@example.com" },
			"microsoft",
		);
		expect(errorOf(answer)).toBe("account_not_linked");
	});

	// threat 29
	it("is shown no token that lies in the browser's account cookie", async () => {
		const world = await createWorld({
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab }, account: { storeAccountCookie: true } },
		});
		const tenantId = await world.newTenant();
		const { browser } = await signInSocially(world, idp(), tenantId, ada);
		expect((await world.call("/refresh-token", { browser, body: { useAccountCookie: true } })).status).toBe(200);
		await registerRogue(world, tenantId);
		rogue.seen.length = 0;
		for (const path of ["/refresh-token", "/get-access-token"]) {
			expect([path, (await world.call(path, { browser, body: { useAccountCookie: true } })).status]).toEqual([
				path,
				400,
			]);
		}
		expect(rogue.seen).toEqual([]);
	});

	// threat 29
	it("is never shown the tokens that another server gave out", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const a = await world.newTenant();
		const { browser } = await signInSocially(world, idp(), a, ada);
		const [account] = (await world.call("/list-accounts", { browser })).json;
		await registerRogue(world, a);
		rogue.seen.length = 0;
		await world.call("/account-info", { browser, query: { accountId: account?.id ?? "" } });
		await world.call("/refresh-token", { browser, body: { accountId: account?.id ?? "" } });
		await world.call("/get-access-token", { browser, body: { accountId: account?.id ?? "" } });
		expect(rogue.seen).toEqual([]);
	});

	// threats 3 and 5
	it("links nobody who is there already, and changes nothing in another tenant or on the platform", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const place of [a, b, undefined]) await world.signUp(place, "boss@example.com");
		await world.database.query('update "user" set "emailVerified" = 1');
		const before = await world.database.query('select * from "user" order by "id"');
		await registerRogue(world, a);
		const forged = await signInByRogue(world, a, { id: 7, email: "boss@example.com", email_verified: true });
		expect([errorOf(forged.answer), forged.user]).toEqual(["account_not_linked", undefined]);
		expect(await world.database.query('select * from "user" order by "id"')).toEqual(before);
		// a user who is signed in may link it himself
		const boss = new Browser();
		await world.call("/tenant/sign-in/email", {
			browser: boss,
			body: { tenantId: a, email: "boss@example.com", password: PASSWORD },
		});
		rogue.profile = { id: 7, email: "boss@example.com", email_verified: true };
		const linking = await world.call("/link-social", {
			browser: boss,
			body: { provider: "gitlab", callbackURL: "/linked" },
		});
		const url = new URL(linking.json.url);
		const linked = await world.call(
			`${url.searchParams.get("redirect_uri")}?code=x&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`,
			{ browser: boss },
		);
		expect(linked.location).toBe("/linked");
		expect((await signInByRogue(world, a, { id: 7, email: "boss@example.com" })).user.email).toBe("boss@example.com");
	});

	// threat 18
	it("shares the address of the others where the provider serves it, and stays an authority of its own", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const body = { tenantId, providerId: "microsoft", clientId: "c", clientSecret: canarySecret("m") };
		for (const [options, path] of [
			[{ tenantId: "contoso.com" }, "/tenant/callback/microsoft"],
			[{ authority: "https://acme.ciamlogin.com" }, "/tenant/callback/microsoft"],
			[{ authority: "https://login.evil.example" }, `/tenant/callback/microsoft/${tenantId}`],
			[{ authority: "https://ciamlogin.com.evil.example" }, `/tenant/callback/microsoft/${tenantId}`],
		] as const) {
			await world.call("/tenant/oauth-config/register", { operator: true, body: { ...body, options } });
			const started = await world.call("/tenant/sign-in/social", { body: { tenantId, provider: "microsoft" } });
			expect(new URL(started.json.url).searchParams.get("redirect_uri")).toBe(`${ORIGIN}/api/auth${path}`);
		}
	});

	// threat 20
	it("takes no ID token that a client hands in", async () => {
		const world = await createWorld();
		const a = await world.newTenant();
		await registerRogue(world, a);
		const answer = await world.call("/sign-in/social", {
			tenant: a,
			body: { provider: "gitlab", idToken: { token: "a.b.c" } },
		});
		expect([answer.status, answer.code]).toEqual([404, "ID_TOKEN_NOT_SUPPORTED"]);
	});
});

// threat 3: of the four, one may link
describe.each([
	[true, true],
	[true, false],
	[false, true],
	[false, false],
])("a user whose e-mail is verified: %s, and a provider that says so: %s", (local, remote) => {
	it(`${local && remote ? "is" : "is not"} linked in his tenant, and in no other`, async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const place of [a, b]) await world.signUp(place, ada.email);
		if (local) await world.database.query('update "user" set "emailVerified" = 1');
		const { answer } = await signInSocially(world, idp(), a, { ...ada, emailVerified: remote });
		expect(errorOf(answer)).toBe(local && remote ? null : "account_not_linked");
		const accounts = await world.database.query(`select "tenantId" from "account" where "providerId" = 'gitlab'`);
		expect(accounts.map((row) => row.tenantId)).toEqual(local && remote ? [a] : []);
	});
});

describe("a tenant's own credentials", () => {
	it("keep what the application decided for the provider", async () => {
		const global = { ...globalProviders(idp()).gitlab, disableSignUp: true };
		const world = await createWorld({ engine: { socialProviders: { gitlab: global } } });
		const tenantId = await world.newTenant();
		expect(errorOf((await signInSocially(world, idp(), tenantId, ada)).answer)).toBe("signup_disabled");
		await registerClient(world, idp(), tenantId, "own-client");
		expect(errorOf((await signInSocially(world, idp(), tenantId, ada)).answer)).toBe("signup_disabled");
	});

	// threat 56
	it("that do not open close one provider, not the tenant, and give way to no other credentials", async () => {
		const world = await createWorld({ engine: { socialProviders: globalProviders(idp()) } });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "own-client");
		await world.database.query(`update "tenantOauthConfig" set "clientSecret" = 'lost'`);
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
		const start = (provider: string) => world.call("/tenant/sign-in/social", { body: { tenantId, provider } });
		expect(await start("gitlab")).toMatchObject({ status: 500, code: "OAUTH_CONFIG_UNREADABLE" });
		expect((await start("microsoft")).status).toBe(200);
		const browser = await world.signUp(tenantId, ada.email);
		expect((await world.call("/account-info", { browser, query: { accountId: "x" } })).status).toBe(400);
		expect(
			(await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } }))
				.status,
		).toBe(200);
	});

	// threat 8
	it("let all of 50 first sign-ins of one person in, each code redeemed once", async () => {
		const world = await createWorld({ database: "postgres" });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "parallel-client");
		const flows = await Promise.all(Array.from({ length: 50 }, () => startSocial(world, idp(), tenantId, ada)));
		const before = idp().tokenRequests.length;
		const answers = await Promise.all(flows.map(({ browser, callback }) => world.call(callback, { browser })));
		expect(answers.map(({ location }) => location)).toEqual(Array.from({ length: 50 }, () => "/home"));
		expect(idp().tokenRequests.length - before).toBe(50);
	});

	it("make one session of one callback, whatever the application's URL says", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const browser = new Browser();
		const callbackURL = "/home?error=unable_to_create_user";
		const started = await world.call("/tenant/sign-in/social", {
			browser,
			body: { tenantId, provider: "gitlab", callbackURL },
		});
		expect((await world.call(await idp().authorize(started.json.url, ada), { browser })).location).toBe(callbackURL);
		expect(await world.database.query('select count(*) as n from "session"')).toEqual([{ n: 1 }]);
	});
});

describe("an account id", () => {
	// threat 5
	it("has one authority: a well-known server cannot name people as if a tenant's own server had named them", async () => {
		const named = await accountIdOf("ada-1", '[["issuer","https://rogue.example"]]');
		for (const forged of [named, named.toUpperCase(), `x@${named.split("@")[1]}`])
			await expect(accountIdOf(forged, null)).rejects.toThrow("another authority");
		expect(await accountIdOf("ada@example.com", null)).toBe("ada@example.com");
		expect(await isAccountOf(named, null)).toBe(false);
	});
});

describe("a subject on MariaDB, whose comparison ignores case and accents", () => {
	it("names one person only", async () => {
		const world = await createWorld({
			database: "mysql",
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		const tenantId = await world.newTenant();
		const first = await signInSocially(world, idp(), tenantId, { sub: "ada-Xy", email: "ada@example.com" });
		expect(first.answer.location).toBe("/home");
		for (const sub of ["ADA-xY", "àda-xy", "ada-xy"]) {
			// the database's unique index takes them for the same: refused, not signed in as another
			const { answer, browser } = await signInSocially(world, idp(), tenantId, {
				sub,
				email: `m-${sub.length}${sub.charCodeAt(0)}@example.com`,
			});
			expect([sub, errorOf(answer)]).toEqual([sub, "unable_to_create_user"]);
			expect((await world.call("/get-session", { browser })).json).toBeNull();
		}
		expect(
			(await signInSocially(world, idp(), tenantId, { sub: "ada-Xy", email: "ada@example.com" })).answer.location,
		).toBe("/home");
	});
});

describe("the platform's states in cookies", () => {
	// threat 14
	it("end where they began, too", async () => {
		const world = await createWorld({
			engine: { socialProviders: globalProviders(idp()), account: { storeStateStrategy: "cookie" } },
		});
		for (const path of ["/callback/microsoft", "/tenant/callback/gitlab"]) {
			const { browser, callback } = await startSocial(world, idp(), undefined, ada);
			const tokens = idp().tokenRequests.length;
			const answer = await world.call(`${ORIGIN}/api/auth${path}${new URL(callback).search}`, { browser });
			expect([path, errorOf(answer) !== null, idp().tokenRequests.length]).toEqual([path, true, tokens]);
		}
		const { browser, callback } = await startSocial(world, idp(), undefined, ada);
		expect((await world.call(callback, { browser })).location).toBe("/home");
	});
});
