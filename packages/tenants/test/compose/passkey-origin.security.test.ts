import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, ORIGIN, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/plugin/with-tenants.ts";
import { fromSubdomain } from "../../src/resolvers.ts";

const ACME = "http://acme.localhost:3000";
const EVIL = "http://evil.localhost:3000";
const REFUSED = [400, "AUTHENTICATION_FAILED"];

const start = async (plugin: ReturnType<typeof passkey>, engine: object = {}): Promise<string> => {
	try {
		await betterAuth({
			baseURL: ORIGIN,
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			logger: { disabled: true },
			plugins: withTenants({}, [plugin]),
			...engine,
		}).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

describe("starting with passkey()", () => {
	// threat 76
	it("requires an origin if another origin than the base URL's is trusted, and says so", async () => {
		const trusting: object[] = [
			{ trustedOrigins: ["https://*.app.example.com"] },
			{ trustedOrigins: [ORIGIN, ACME] },
			{ trustedOrigins: async () => [ACME] },
			{ baseURL: { allowedHosts: ["*.app.example.com"] } },
			{ baseURL: { allowedHosts: ["acme.localhost:3000"], fallback: ORIGIN } },
			{ baseURL: undefined },
			{ advanced: { disableOriginCheck: true } },
			{ advanced: { disableOriginCheck: ["/passkey"] } },
			{ advanced: { disableCSRFCheck: true } },
		];
		for (const engine of trusting) {
			for (const plugin of [
				passkey(),
				passkey({ rpID: "localhost" }),
				passkey({ origin: null }),
				passkey({ origin: [] }),
			])
				expect([engine, await start(plugin, engine)]).toEqual([
					engine,
					expect.stringMatching(/passkey\(\) has no `origin`.*passkey\(\{ origin: \[/s),
				]);
			expect([engine, await start(passkey({ origin: [ACME] }), engine)]).toEqual([engine, "started"]);
			expect([engine, await start(passkey({ origin: ACME }), engine)]).toEqual([engine, "started"]);
		}
	});

	it("requires no origin if only the base URL is trusted", async () => {
		expect(await start(passkey())).toBe("started");
		expect(await start(passkey({ rpID: "localhost" }), { trustedOrigins: [ORIGIN] })).toBe("started");
	});
});

/** Two tenants with a host each that share one rpID, and a user of the first with a passkey. */
const createNeighbors = async (plugin: ReturnType<typeof passkey>, engine: WorldOptions["engine"] = {}) => {
	const ids = new Map<string, string>();
	const bySubdomain = fromSubdomain({ domain: "localhost", findTenantId: (slug) => ids.get(slug) });
	const world = await createWorld({
		engine: { ...engine },
		allPlugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				deletion: { drainTime: 0 },
				// an own resolver: the plugin does not know that it reads the host, and trusts what the application trusts
				resolveTenantId: (request) => bySubdomain(request),
				platform: { signUp: true },
			},
			[plugin],
		),
	});
	for (const slug of ["acme", "evil"]) ids.set(slug, await world.newTenant(slug));
	const acme = ids.get("acme") ?? "";
	return { world, acme, ids };
};

/** A passkey in software that signs on a page at any of the hosts. */
const createRoamingKey = () => {
	const page = { origin: ORIGIN };
	const key = createAuthenticator({ origin: { toJSON: () => page.origin }, rpId: "localhost" });
	return { key, page };
};

const url = (origin: string, path: string): string => `${origin}/api/auth${path}`;

/** Requests a challenge at one host and submits what a page at another host signed. */
const signIn = async (
	world: World,
	{ at, made, key, page }: { at: string; made: string } & ReturnType<typeof createRoamingKey>,
	{ tenant, origin = made }: { tenant?: string; origin?: string } = {},
) => {
	const browser = new Browser();
	const options = await world.call(url(at, "/passkey/generate-authenticate-options"), { browser, tenant });
	page.origin = made;
	const answer = await world.call(url(at, "/passkey/verify-authentication"), {
		browser,
		tenant,
		headers: { origin },
		body: { response: key.authenticate(options.json) },
	});
	const cookie = [...browser.cookies.keys()].includes("better-auth.session_token");
	return [answer.status, answer.code, cookie];
};

const register = async (
	world: World,
	{ at, key, page }: { at: string } & ReturnType<typeof createRoamingKey>,
	browser: Browser,
	made = at,
) => {
	page.origin = made;
	const options = await world.call(url(at, "/passkey/generate-register-options"), { browser, headers: { origin: at } });
	const body = { response: key.register(options.json), name: "phone" };
	return world.call(url(at, "/passkey/verify-registration"), { browser, headers: { origin: made }, body });
};

describe("a passkey used at another tenant's host", () => {
	// threat 76
	it("rejects sign-in, although both hosts are configured origins", async () => {
		const plugin = passkey({ rpID: "localhost", origin: [ORIGIN, ACME, EVIL] });
		const { world, acme } = await createNeighbors(plugin, { trustedOrigins: ["http://*.localhost:3000"] });
		const roaming = createRoamingKey();
		const ada = await world.signUp(acme, "ada@example.com");
		expect((await register(world, { at: ACME, ...roaming }, ada)).status).toBe(200);
		const before = await world.database.query('select "id" from "session"');

		// with either origin in the header: the browser signed the page's origin
		expect(await signIn(world, { at: ACME, made: EVIL, ...roaming })).toEqual([...REFUSED, false]);
		expect(await signIn(world, { at: ACME, made: EVIL, ...roaming }, { origin: ACME })).toEqual([...REFUSED, false]);
		// and with a hint for the tenant, at the application's own host
		expect(await signIn(world, { at: ORIGIN, made: EVIL, ...roaming }, { tenant: acme })).toEqual([...REFUSED, false]);
		expect(await world.database.query('select "id" from "session"')).toEqual(before);

		expect(await signIn(world, { at: ACME, made: ACME, ...roaming })).toEqual([200, undefined, true]);
		// a page that belongs to no tenant belongs to the application
		expect(await signIn(world, { at: ACME, made: ORIGIN, ...roaming })).toEqual([200, undefined, true]);
		expect(await signIn(world, { at: ORIGIN, made: ACME, ...roaming }, { tenant: acme })).toEqual([
			200,
			undefined,
			true,
		]);
	});

	// threat 76
	it("rejects an operator's sign-in to the platform", async () => {
		const plugin = passkey({ rpID: "localhost", origin: [ORIGIN, ACME, EVIL] });
		const { world } = await createNeighbors(plugin, { trustedOrigins: ["http://*.localhost:3000"] });
		const roaming = createRoamingKey();
		const operator = await world.signUp(undefined, "operator@example.com");
		expect((await register(world, { at: ORIGIN, ...roaming }, operator)).status).toBe(200);
		for (const made of [EVIL, ACME])
			expect(await signIn(world, { at: ORIGIN, made, ...roaming })).toEqual([...REFUSED, false]);
		expect(await signIn(world, { at: ORIGIN, made: ORIGIN, ...roaming })).toEqual([200, undefined, true]);
	});

	// threat 76
	it("rejects registration", async () => {
		const plugin = passkey({ rpID: "localhost", origin: [ACME, EVIL] });
		const { world, acme } = await createNeighbors(plugin, { trustedOrigins: ["http://*.localhost:3000"] });
		const ada = await world.signUp(acme, "ada@example.com");
		const relayed = await register(world, { at: ACME, ...createRoamingKey() }, ada, EVIL);
		expect([relayed.status, relayed.code]).toEqual(REFUSED);
		expect(await world.database.query('select "id" from "passkey"')).toEqual([]);
	});

	// threat 76
	it("rejects sign-in through server code, which skips origin checks, if no origin is configured", async () => {
		const { world, acme, ids } = await createNeighbors(passkey({ rpID: "localhost" }));
		const roaming = createRoamingKey();
		const ada = await world.signUp(acme, "ada@example.com");
		expect((await register(world, { at: ORIGIN, ...roaming }, ada)).status).toBe(200);
		const api = world.auth.api as object as Record<string, (input: object) => Promise<Response>>;
		for (const [made, expected] of [
			[EVIL, 400],
			[ACME, 400],
			[ORIGIN, 200],
		] as const) {
			const browser = new Browser();
			const options = await world.call("/passkey/generate-authenticate-options", { tenant: acme, browser });
			roaming.page.origin = made;
			const headers = new Headers({ "x-tenant-id": acme, origin: made, cookie: browser.header() });
			const body = { response: roaming.key.authenticate(options.json) };
			const status = await api.verifyPasskeyAuthentication?.({ headers, body, asResponse: true }).then(
				(response) => response.status,
				(error: { statusCode: number }) => error.statusCode,
			);
			expect([made, status]).toEqual([made, expected]);
		}
		expect(ids.size).toBe(2);
	});

	// threat 76
	it("rejects a response without a readable origin", async () => {
		const plugin = passkey({ rpID: "localhost", origin: [ACME, EVIL] });
		const { world, acme, ids } = await createNeighbors(plugin, { trustedOrigins: ["http://*.localhost:3000"] });
		for (const tenant of [acme, ids.get("evil")]) {
			for (const clientDataJSON of [
				undefined,
				"",
				7,
				{},
				"!!!",
				btoa("null"),
				btoa("{}"),
				btoa('{"origin":7}'),
				"ww",
			]) {
				for (const response of [{ response: { clientDataJSON } }, { response: null }, {}]) {
					const answer = await world.call("/passkey/verify-authentication", { tenant, body: { response } });
					expect([clientDataJSON, answer.status, answer.code]).toEqual([clientDataJSON, ...REFUSED]);
				}
			}
		}
	});
});
