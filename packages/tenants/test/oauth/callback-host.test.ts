import type { OAuthProvider } from "@better-auth/core/oauth2";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { oAuthProxy } from "better-auth/plugins/oauth-proxy";
import { useIdentityProvider } from "test-kit/social";
import type { WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { handedProvider } from "../../src/features/oauth/handed-provider.ts";
import { type ResolveTenantId, tenantAuth, withTenants } from "../../src/index.ts";
import { fromCustomDomain, fromPath, fromSubdomain } from "../../src/resolvers.ts";
import { ADA, createSharedWorld, SHARED_HOST, sharedURI } from "./support/callback-host.ts";

const idp = useIdentityProvider();

const BASE_URL = { allowedHosts: ["app.example.com"], fallback: "https://app.example.com", protocol: "https" as const };

/** The error of a start, or "started". */
const start = async (
	callbackHost: string,
	resolveTenantId: ResolveTenantId,
	{ plugins = [], ...options }: BetterAuthOptions = {},
): Promise<string> => {
	try {
		await betterAuth({
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			logger: { disabled: true },
			baseURL: BASE_URL,
			...options,
			plugins: [tenantAuth({ resolveTenantId, oauth: { callbackHost } }), ...plugins],
		}).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

describe("starting with a callback host", () => {
	const named = fromSubdomain({ domain: "app.example.com", platformHosts: ["auth.app.example.com"] });

	it("works with a host of the platform, in any spelling", async () => {
		for (const host of ["auth.app.example.com", "Auth.App.Example.com", "app.example.com"])
			expect(await start(host, named)).toBe("started");
		expect(await start("auth.example.com", fromCustomDomain({ platformHosts: ["auth.example.com"] }))).toBe("started");
	});

	// threat 148
	it("throws for a host that is a tenant's or could become one's", async () => {
		for (const host of ["acme.app.example.com", "login.acme.com", "example.com"])
			expect(await start(host, named)).toContain(`Add "${host}" to platformHosts of the resolver`);
		expect(await start("auth.example.com", fromCustomDomain())).toContain('Add "auth.example.com" to platformHosts');
	});

	it("throws for a value that is not a host, and where it cannot work", async () => {
		for (const host of ["https://auth.app.example.com", "auth.app.example.com/x", "", "*.app.example.com"])
			expect(await start(host, named)).toContain("oauth.callbackHost");
		const byPath = fromPath({ pattern: "/t/:tenant/" });
		for (const baseURL of ["https://app.example.com", BASE_URL])
			expect(await start("app.example.com", byPath, { baseURL })).toContain("Remove `oauth.callbackHost`");
		expect(await start("auth.app.example.com", named, { plugins: [oAuthProxy()] })).toContain("Remove one of them");
	});
});

describe("a sign-in through the callback host", () => {
	const settings: [string, WorldOptions][] = [
		["serial ids", { database: "postgres", engine: { advanced: { database: { generateId: "serial" } } } }],
		["states in cookies, which tenants do not use", { engine: { account: { storeStateStrategy: "cookie" } } }],
		[
			"no check of the state's cookie, which tenants do not use",
			{ engine: { account: { skipStateCookieCheck: true } } },
		],
		["hashed identifiers", { engine: { verification: { storeIdentifier: "hashed" } } }],
		["versioned secrets", { engine: { secrets: [{ version: 2, value: "N".repeat(32) }] } }],
		["MySQL", { database: "mysql" }],
	];

	it.each(settings)("works with %s", async (_, { engine, ...where }) => {
		const world = await createSharedWorld(idp(), { ...where, ...(engine ? { engine } : {}) });
		for (const host of ["acme.localhost", "globex.localhost"])
			expect((await world.signIn(host, ADA)).answer.location).toBe("/home");
		expect(new Set((await world.users()).map(({ tenantId }) => tenantId))).toEqual(
			new Set([world.acme, world.globex].map(String)),
		);
	});

	it("uses the base path of the application", async () => {
		const world = await createSharedWorld(idp());
		for (const basePath of ["/auth", "auth"]) {
			const auth = betterAuth({ ...world.options, basePath, plugins: [tenantAuth(SHARED_HOST)] });
			const headers = { "content-type": "application/json", origin: "http://acme.localhost:3000" };
			const body = JSON.stringify({ provider: "gitlab" });
			const url = "http://acme.localhost:3000/auth/tenant/sign-in/social";
			const begun = await auth.handler(new Request(url, { method: "POST", headers, body }));
			const sent = new URL(begun.headers.get("location") ?? "").searchParams.get("redirect_uri");
			expect([basePath, sent]).toEqual([basePath, sharedURI("gitlab").replace("/api/auth", "/auth")]);
		}
	});

	it("ends where it began: at a domain of the tenant, and at the platform's host for a tenant that a header names", async () => {
		const world = await createSharedWorld(idp());
		await world.addDomain(world.acme, "login.acme.example");
		const { answer, browser } = await world.signIn("login.acme.example", ADA);
		expect(answer.location).toBe("/home");
		expect((await world.sessionAt("login.acme.example", browser)).session.tenantId).toBe(world.acme);
		const atPlatform = await world.begin("localhost", { tenantId: world.globex });
		const handed = await world.handOver(atPlatform.url, ADA);
		expect(handed.host).toBe("localhost:3000");
		expect((await world.follow(String(handed), atPlatform.browser)).location).toBe("/home");
		// the platform's own sign-ins have their own callback
		const body = { provider: "gitlab", callbackURL: "/home" };
		const { json } = await world.at("localhost", "/sign-in/social", { body });
		expect(new URL(json.url).searchParams.get("redirect_uri")).toBe("http://localhost:3000/api/auth/callback/gitlab");
	});

	it("uses it for the application's generic providers, unless they have a redirect URI", async () => {
		const provider = (providerId: string, more: { redirectURI?: string } = {}) => ({
			providerId,
			clientId: "client",
			clientSecret: "secret",
			authorizationUrl: "https://idp.example/authorize",
			tokenUrl: "https://idp.example/token",
			userInfoUrl: "https://idp.example/user",
			...more,
		});
		const redirectURI = "https://app.example/own";
		const plugin = genericOAuth({ config: [provider("corporate"), provider("fixed", { redirectURI })] });
		const world = await createSharedWorld(idp(), { allPlugins: withTenants(SHARED_HOST, [plugin]) });
		const sentBy = async (id: string) => {
			const { json } = await world.at("acme.localhost", "/sign-in/social", { body: { provider: id } });
			return new URL(json.url).searchParams.get("redirect_uri");
		};
		expect([await sentBy("corporate"), await sentBy("fixed")]).toEqual([sharedURI("corporate"), redirectURI]);
	});

	it("replaces the state by one row, which the tenant's host consumes", async () => {
		const world = await createSharedWorld(idp());
		const { url, browser } = await world.begin("acme.localhost");
		const rows = () => world.database.query('select "identifier" from "verification"');
		expect((await rows()).length).toBe(1);
		const handed = await world.handOver(url, ADA);
		// the state was consumed, and one row was created
		expect((await rows()).map(({ identifier }) => String(identifier).split(":")[0])).toEqual(["handed-over"]);
		await world.follow(String(handed), browser);
		expect(await rows()).toEqual([]);
	});
});

describe("a provider on the tenant's host", () => {
	const received: unknown[] = [];
	const provider: OAuthProvider = {
		id: "apple",
		name: "Apple",
		accountSubject: () => "ada",
		createAuthorizationURL: async () => new URL("https://appleid.apple.com"),
		validateAuthorizationCode: async () => {
			throw new Error("called");
		},
		getUserInfo: async (input) => {
			received.push(input);
			return null;
		},
		options: {},
	};
	const code = { code: "code", redirectURI: "" };

	it("gets the tokens and the name from the callback host, not from the request", async () => {
		const user = { name: { firstName: "Ada", lastName: "Byron" } };
		const tokens = { accessToken: "token" };
		const handed = handedProvider(provider, { tokens, refusesClient: false, user: JSON.stringify(user) });
		expect(await handed.validateAuthorizationCode(code)).toEqual(tokens);
		await handed.getUserInfo({ ...tokens, user: { name: { firstName: "Eve", lastName: "" } } });
		expect(received.at(-1)).toEqual({ ...tokens, user });
		for (const sent of [null, "{", "[1]", '{"name":{"firstName":1}}']) {
			await handedProvider(provider, { tokens, refusesClient: false, user: sent }).getUserInfo(tokens);
			expect(received.at(-1)).toEqual({ ...tokens, user: undefined });
		}
	});

	it("never calls the provider's token endpoint", async () => {
		const handed = handedProvider(provider, { tokens: null, refusesClient: true, user: null });
		await expect(handed.validateAuthorizationCode(code)).rejects.toMatchObject({ error: "invalid_client" });
	});
});
