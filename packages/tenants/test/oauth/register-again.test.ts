import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { canarySecret } from "test-kit/canary";
import { type Answer, createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createOauthConfigStores } from "../../src/features/oauth/config-store.ts";
import { createSeal } from "../../src/features/oauth/seal.ts";
import { type TenantAuthOptions, tenantAuth } from "../../src/index.ts";
import { createSchema } from "../../src/scope/data/schema.ts";

const ISSUER = "https://gitlab.acme.example";
const OWN = { scopes: ["api"], redirectURI: "http://localhost:3000/own/callback", options: { issuer: ISSUER } };

const register = (world: World, tenantId: string, body: Record<string, unknown> = {}): Promise<Answer> =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId: "gitlab", clientId: "client", clientSecret: canarySecret("again"), ...body },
	});

const listed = async (world: World, tenantId: string) =>
	(await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } })).json;

/** The server, redirect URI and scopes of the tenant's next sign-in. */
const sentTo = async (world: World, tenantId: string) => {
	const started = await world.call("/tenant/sign-in/social", { body: { tenantId, provider: "gitlab" } });
	const url = new URL(started.json.url);
	return {
		origin: url.origin,
		redirectURI: url.searchParams.get("redirect_uri"),
		scope: url.searchParams.get("scope"),
	};
};

const twoTenants = async (world: World) => {
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	for (const tenantId of [a, b]) expect((await register(world, tenantId, OWN)).status).toBe(200);
	return { a, b };
};

describe("registering a config again", () => {
	// threat 18
	it("keeps scopes, redirect URI and options that it omits", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		const before = await sentTo(world, a);
		expect(before).toMatchObject({ origin: ISSUER, redirectURI: OWN.redirectURI });
		const again = await register(world, a, { clientSecret: canarySecret("rotated") });
		expect(again.json).toMatchObject({ scopes: OWN.scopes, redirectURI: OWN.redirectURI });
		expect(await listed(world, a)).toEqual([again.json]);
		expect(await sentTo(world, a)).toEqual(before);
		expect(await listed(world, b)).toEqual([expect.objectContaining({ scopes: OWN.scopes })]);
	});

	it("clears each of them with null, and keeps another tenant's", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		expect((await register(world, a, { scopes: null })).json).toMatchObject({
			scopes: null,
			redirectURI: OWN.redirectURI,
		});
		expect((await register(world, a, { redirectURI: null })).json).toMatchObject({ scopes: null, redirectURI: null });
		expect((await sentTo(world, a)).origin).toBe(ISSUER);
		expect((await register(world, a, { options: null })).status).toBe(200);
		expect((await sentTo(world, a)).origin).toBe("https://gitlab.com");
		expect(await sentTo(world, b)).toMatchObject({ origin: ISSUER, redirectURI: OWN.redirectURI });
	});

	it("changes each of them alone", async () => {
		const world = await createWorld();
		const { a } = await twoTenants(world);
		await register(world, a, { options: { issuer: "https://gitlab.other.example" } });
		expect(await sentTo(world, a)).toMatchObject({
			origin: "https://gitlab.other.example",
			redirectURI: OWN.redirectURI,
		});
		await register(world, a, { scopes: ["read_user", "openid"] });
		expect(await listed(world, a)).toEqual([
			expect.objectContaining({ scopes: ["read_user", "openid"], redirectURI: OWN.redirectURI }),
		]);
	});

	it("accepts what register and list return, and null for a new config", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const made = await register(world, a, { scopes: null, redirectURI: null, options: null });
		expect(made.status).toBe(200);
		const [config] = await listed(world, a);
		const returned = await register(world, a, { ...config, clientSecret: canarySecret("back") });
		expect([returned.status, { ...returned.json, updatedAt: null }]).toEqual([200, { ...config, updatedAt: null }]);
		// it names its tenant, so it cannot be sent to another one by accident
		expect((await register(world, b, { ...config })).json.tenantId).toBe(a);
		expect(await listed(world, b)).toEqual([]);
	});

	it("enables the config unless it says enabled: false, so a secret can be rotated in a disabled one", async () => {
		const world = await createWorld();
		const { a } = await twoTenants(world);
		await register(world, a, { enabled: false });
		expect((await register(world, a, { clientSecret: canarySecret("rotated"), enabled: false })).json.enabled).toBe(
			false,
		);
		const started = await world.call("/tenant/sign-in/social", { body: { tenantId: a, provider: "gitlab" } });
		expect([started.status, started.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
		expect((await register(world, a)).json).toMatchObject({ enabled: true, scopes: OWN.scopes });
		expect((await sentTo(world, a)).origin).toBe(ISSUER);
	});
});

/** The same application with other options of the plugin, on the same database. */
const restarted = (world: World, options: TenantAuthOptions, engine: Partial<BetterAuthOptions> = {}) =>
	betterAuth({ ...world.options, ...engine, plugins: [tenantAuth(options)] });

const codeOf = (error: unknown): unknown => (error as { body?: { code?: unknown } }).body?.code;

describe("values that a registration keeps", () => {
	// threat 23
	it("must follow the rules of today: hosts that options name, and the redirect URI's origin", async () => {
		const trusted = { trustedOrigins: ["https://app.example"] };
		const world = await createWorld({ engine: trusted });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, a, { options: { issuer: "http://127.0.0.1:9" } });
		await register(world, b, { redirectURI: "https://app.example/back", options: { issuer: ISSUER } });
		const rows = () => world.database.query('select * from "tenantOauthConfig" order by "id"');
		const before = await rows();
		const strict = restarted(world, { oauth: { allowPrivateHosts: false } }, { trustedOrigins: [] });
		const again = (tenantId: string, changes: object = {}) =>
			strict.api
				.registerTenantOauthConfig({
					body: { tenantId, providerId: "gitlab", clientId: "c", clientSecret: canarySecret("c"), ...changes },
				})
				.then(() => "stored", codeOf);
		expect([await again(a), await again(b)]).toEqual(["INVALID_PROVIDER_OPTIONS", "INVALID_REDIRECT_URI"]);
		expect(await rows()).toEqual(before);
		expect(await again(a, { options: { issuer: ISSUER } })).toBe("stored");
		expect(await again(b, { redirectURI: null })).toBe("stored");
	});

	it("must include the options that the provider requires", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const cognito = { providerId: "cognito" };
		const options = {
			domain: "acme.auth.eu-central-1.amazoncognito.com",
			region: "eu-central-1",
			userPoolId: "eu-central-1_AbCdEfGhI",
		};
		expect(await register(world, b, cognito)).toMatchObject({ status: 400, code: "INVALID_PROVIDER_OPTIONS" });
		expect((await register(world, a, { ...cognito, options })).status).toBe(200);
		expect((await register(world, a, cognito)).status).toBe(200);
		expect(await register(world, a, { ...cognito, options: null })).toMatchObject({
			status: 400,
			code: "INVALID_PROVIDER_OPTIONS",
		});
	});

	// threat 18
	it("are not dropped if they cannot be decrypted: the call names the fix and stores nothing", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		const [other] = await world.database.query(`select * from "tenantOauthConfig" where "tenantId" = '${b}'`);
		await world.database.query(
			`update "tenantOauthConfig" set "options" = '${other?.options}' where "tenantId" = '${a}'`,
		);
		expect(await register(world, a)).toMatchObject({ status: 409, code: "OAUTH_OPTIONS_UNREADABLE" });
		expect((await register(world, a, { options: OWN.options })).status).toBe(200);
		expect((await sentTo(world, a)).origin).toBe(ISSUER);
	});
});

describe("two registrations at once", () => {
	const SERVERS = ["one", "two"].map((name) => ({ scopes: [name], options: { issuer: `https://${name}.example` } }));

	// threat 48
	it("keep the options that the other one stored, and check them", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		// Better Auth's own adapter, which the plugin's tables use
		const tables: BetterAuthPlugin = { id: "tables", schema: createSchema(() => "platform") };
		const plain: BetterAuthOptions = { ...world.options, plugins: [tables] };
		const { adapter, secretConfig } = await betterAuth(plain).$context;
		const input = { providerId: "gitlab", clientId: "c", clientSecret: canarySecret("c"), enabled: true };
		const omitted = { ...input, options: undefined, scopes: undefined, redirectURI: undefined };
		const checked: unknown[] = [];
		const rules = {
			options: (options: Record<string, unknown> | null) => {
				checked.push(options?.issuer);
				return options;
			},
			redirectURI: (redirectURI: string) => redirectURI,
		};
		const seal = createSeal(secretConfig);
		const application = { hasSso: false, globalOptions: () => undefined };
		const parallel = createOauthConfigStores(adapter, seal, application)(a);
		let runs = 0;
		const slow = createOauthConfigStores(
			{
				...adapter,
				updateMany: async (query) => {
					// between the look-up and the write of the first attempt
					runs += 1;
					if (runs === 1) await parallel.upsert({ ...omitted, ...SERVERS[1] }, rules);
					return adapter.updateMany(query);
				},
			},
			seal,
			application,
		)(a);
		expect((await slow.upsert(omitted, rules)).scopes).toEqual(["two"]);
		expect([runs, checked]).toEqual([2, [ISSUER, "https://two.example", "https://two.example"]]);
		expect(await listed(world, b)).toEqual([expect.objectContaining({ scopes: OWN.scopes })]);
	});

	// threat 48
	it.each(["postgres", "mysql"] as const)("mix no fields on %s", async (database) => {
		const world = await createWorld({ database });
		const { a, b } = await twoTenants(world);
		for (let round = 0; round < 3; round += 1) {
			const answers = await Promise.all(
				[...SERVERS, {}, ...SERVERS, {}, ...SERVERS].map((fields, n) =>
					register(world, a, { clientId: `client ${n}`, ...fields }),
				),
			);
			expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
			const [config] = await listed(world, a);
			expect((await sentTo(world, a)).origin).toBe(`https://${config?.scopes}.example`);
			for (const { json } of answers) expect(["one", "two", "api"]).toContain(String(json.scopes));
		}
		expect(await sentTo(world, b)).toMatchObject({ origin: ISSUER });
	});
});
