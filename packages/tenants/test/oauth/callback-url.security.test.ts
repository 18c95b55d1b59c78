import { type BetterAuthOptions, betterAuth } from "better-auth";
import { canarySecret } from "test-kit/canary";
import { errorOf, globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { type Answer, createWorld, MANAGEMENT_KEY, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";
import { useRogueServer } from "./support/rogue-server.ts";
import { ada, callbackOf, start } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const { rogue } = useRogueServer();
const SHARED = `${ORIGIN}/api/auth/tenant/callback/gitlab`;

const register = (world: World, tenantId: string, fields: Record<string, unknown> = {}): Promise<Answer> =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId: "gitlab", clientId: "client", clientSecret: canarySecret("callback"), ...fields },
	});

const listedURL = async (world: World, tenantId: string) =>
	(await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } })).json[0]?.callbackURL;

const redirectOf = (started: Answer) => new URL(started.json.url).searchParams.get("redirect_uri");

/** The application after a restart with other providers or another base URL, on the same database. */
const restarted = (world: World, engine: Partial<BetterAuthOptions>) => {
	const plugin = tenantAuth({ management: { keys: [MANAGEMENT_KEY] }, oauth: { allowPrivateHosts: true } });
	const auth = betterAuth({ ...world.options, ...engine, plugins: [plugin] });
	const call = async (path: string, { origin = ORIGIN, body }: { origin?: string; body?: unknown } = {}) => {
		const headers = { origin: ORIGIN, authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": "application/json" };
		const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
		const response = await auth.handler(new Request(`${origin}/api/auth${path}`, { headers, ...sent }));
		return { status: response.status, json: response.ok ? await response.json() : null };
	};
	return {
		call,
		listedURL: async (tenantId: string, origin?: string) =>
			(await call(`/tenant/oauth-config/list?tenantId=${tenantId}`, origin ? { origin } : {})).json?.[0]?.callbackURL,
		redirectURI: async (tenantId: string) => {
			const { json } = await call("/tenant/sign-in/social", { body: { tenantId, provider: "gitlab" } });
			return new URL(json.url).searchParams.get("redirect_uri");
		},
	};
};

describe("the callback URL of a config", () => {
	it("is returned by register and list, and is the redirect URI of the sign-in", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const own = await register(world, a, { options: { issuer: "https://gitlab.acme.example" } });
		const shared = await register(world, b);
		expect([own.json.callbackURL, shared.json.callbackURL]).toEqual([`${SHARED}/${a}`, SHARED]);
		for (const [tenantId, url] of [
			[a, own.json.callbackURL],
			[b, shared.json.callbackURL],
		] as const) {
			expect(await listedURL(world, tenantId)).toBe(url);
			expect(redirectOf(await start(world, tenantId, "gitlab"))).toBe(url);
		}
		// a redirect URI of the config's own is what the provider sees
		const redirectURI = `${ORIGIN}/own/callback`;
		expect((await register(world, b, { redirectURI })).json).toMatchObject({
			redirectURI,
			callbackURL: redirectURI,
			callbackURLs: [redirectURI],
		});
		expect(redirectOf(await start(world, b, "gitlab"))).toBe(redirectURI);
	});

	// threat 18
	it("stays the same if the application's providers change", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		// the application's own server, and one that the application does not use yet
		await register(world, a, { options: idp().gitlab });
		await register(world, b, { options: { issuer: rogue.issuer } });
		const credentials = { clientId: "global", clientSecret: "global" };
		for (const socialProviders of [
			{},
			{ gitlab: { ...credentials, issuer: rogue.issuer } },
			{ gitlab: { ...credentials, ...idp().gitlab } },
			{ gitlab: credentials },
		]) {
			const later = restarted(world, { socialProviders });
			for (const tenantId of [a, b]) {
				expect(await later.listedURL(tenantId)).toBe(`${SHARED}/${tenantId}`);
				expect(await later.redirectURI(tenantId)).toBe(`${SHARED}/${tenantId}`);
			}
		}
	});

	it("changes only with the server that the options name", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const issuer = "https://gitlab.acme.example";
		for (const tenantId of [a, b]) await register(world, tenantId, { options: { issuer } });
		expect((await register(world, a)).json.callbackURL).toBe(`${SHARED}/${a}`);
		expect((await register(world, a, { options: { issuer: `${issuer}/` } })).json.callbackURL).toBe(`${SHARED}/${a}`);
		expect((await register(world, a, { options: null })).json.callbackURL).toBe(SHARED);
		expect((await register(world, a, { options: { issuer } })).json.callbackURL).toBe(`${SHARED}/${a}`);
		expect(await listedURL(world, b)).toBe(`${SHARED}/${b}`);
	});

	// threat 18
	it("is the tenant's own for a server that the tenant may run, whatever is stored", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, a, { options: { issuer: rogue.issuer } });
		for (const stored of ["shared", "https://evil.example/", "/../x", ""]) {
			await world.database.query(`update "tenantOauthConfig" set "callback" = '${stored}' where "tenantId" = '${a}'`);
			expect(await listedURL(world, a)).toBe(`${SHARED}/${a}`);
			const started = await start(world, a, "gitlab");
			expect(redirectOf(started)).toBe(`${SHARED}/${a}`);
			const atShared = new URL(callbackOf(started));
			atShared.pathname = new URL(SHARED).pathname;
			rogue.seen.length = 0;
			expect(errorOf(await world.call(atShared.toString()))).toBe("state_mismatch");
			expect(rogue.seen).toEqual([]);
		}
		const { answer } = await signInSocially(world, idp(), b, ada);
		expect(answer.location).toBe("/home");
	});
});

describe("the origin of a callback URL", () => {
	// threat 22
	it("is never a host that only the request names", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) await register(world, tenantId);
		const evil = "http://evil.example";
		// a fixed base URL
		expect(await restarted(world, {}).listedURL(a, evil)).toBe(SHARED);
		// several allowed hosts
		const baseURL = { allowedHosts: ["localhost:3000", "auth.acme.example"], protocol: "https" as const };
		const hosts = restarted(world, { baseURL });
		expect(await hosts.listedURL(a, "https://auth.acme.example")).toBe(
			"https://auth.acme.example/api/auth/tenant/callback/gitlab",
		);
		await expect(hosts.listedURL(a, evil)).rejects.toThrow("allowedHosts");
		const fallback = restarted(world, { baseURL: { ...baseURL, fallback: "https://auth.acme.example" } });
		expect(await fallback.listedURL(b, evil)).toBe("https://auth.acme.example/api/auth/tenant/callback/gitlab");
		// no base URL: Better Auth derives it from the request
		const { baseURL: _none, ...options } = world.options;
		const bare = restarted({ ...world, options: options as World["options"] }, { baseURL: "" });
		for (const tenantId of [a, b])
			for (const origin of [ORIGIN, evil]) expect(await bare.listedURL(tenantId, origin)).toBeNull();
	});
});
