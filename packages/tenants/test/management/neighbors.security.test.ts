import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { errorOf, globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { type CallOptions, createWorld, ORIGIN, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();
const EMAIL = "ada@example.com";

const createPair = async (options: WorldOptions = {}) => {
	const world = await createWorld(options);
	return { world, a: await world.newTenant(), b: await world.newTenant() };
};

const github = { providerId: "github", clientId: "client", clientSecret: canarySecret("neighbors") };

/** Every management call for one tenant. */
const verbs = (tenantId: string, slug: string): [string, CallOptions][] => [
	["/tenant/get", { query: { id: tenantId } }],
	["/tenant/get", { query: { slug } }],
	["/tenant/get", { query: { tenantId } }],
	["/tenant/update", { body: { tenantId, name: "taken" } }],
	["/tenant/update", { body: { tenantId, slug: "taken", metadata: { taken: true } } }],
	["/tenant/delete", { body: { tenantId } }],
	["/tenant/oauth-config/register", { body: { tenantId, ...github } }],
	["/tenant/oauth-config/register", { body: { tenantId, ...github, enabled: false } }],
	["/tenant/oauth-config/list", { query: { tenantId } }],
	["/tenant/oauth-config/delete", { body: { tenantId, providerId: "github" } }],
	["/tenant/oauth-config/test", { body: { tenantId, providerId: "github", callbackURL: "/admin" } }],
	["/tenant/domain/add", { body: { tenantId, domain: "login.acme.com" } }],
	["/tenant/domain/list", { query: { tenantId } }],
	["/tenant/domain/remove", { body: { tenantId, domain: "login.acme.com" } }],
	["/tenant/import", { body: { id: tenantId, name: "taken", slug: "taken" } }],
	["/tenant/export-users", { query: { tenantId } }],
	["/tenant/import-users", { body: { tenantId, users: [{ name: "x", email: "planted@example.com" }] } }],
];

const stored = (world: World) =>
	Promise.all(
		["tenant", "tenantDomain", "tenantOauthConfig", "user", "session"].map((table) =>
			world.database.query(`select * from "${table}" order by "id"`),
		),
	);

describe("a tenant's admin, admitted by `authorize`", () => {
	// threat 49
	it("gets the same 403 from every call for another tenant and for a missing one", async () => {
		const world = await createWorld({
			tenantAuth: {
				management: {
					authorize: ({ tenantId, session }) => tenantId !== null && session?.session.tenantId === tenantId,
				},
			},
		});
		const [a, b] = await Promise.all(
			["acme", "globex"].map(async (slug) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id),
		);
		if (!a || !b) throw new Error("no tenants");
		for (const tenantId of [a, b]) await world.auth.api.registerTenantOauthConfig({ body: { tenantId, ...github } });
		const admin = await world.signUp(a, EMAIL);
		await world.signUp(b, EMAIL);
		const before = await stored(world);

		const bodies = new Set<string>();
		const headers: Record<string, string>[] = [{}, { "x-tenant-id": a }, { "x-tenant-id": b }];
		for (const hint of headers) {
			for (const [target, slug] of [
				[b, "globex"],
				["Zz".repeat(16), "nobody"],
				["platform", "platform"],
			] as const) {
				for (const [path, call] of verbs(target, slug)) {
					const answer = await world.call(path, { ...call, browser: admin, headers: hint });
					const seen = [path, target, answer.status, answer.code];
					expect(seen).toEqual([path, target, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
					bodies.add(answer.text);
				}
			}
			for (const [path, call] of [
				["/tenant/list", {}],
				["/tenant/create", { body: { name: "planted", slug: "planted" } }],
			] as const) {
				const answer = await world.call(path, { ...call, browser: admin, headers: hint });
				expect([path, answer.status]).toEqual([path, 403]);
				bodies.add(answer.text);
			}
		}
		expect(bodies.size).toBe(1);
		expect(await stored(world)).toEqual(before);
		// their own tenant is allowed
		expect((await world.call("/tenant/get", { browser: admin, query: { id: a } })).json.slug).toBe("acme");
		const own = { browser: admin, query: { tenantId: a } };
		expect((await world.call("/tenant/oauth-config/list", own)).json).toHaveLength(1);
	});

	// threat 49
	it("has no rights on the platform: a platform user owns no tenant of that name", async () => {
		const { world, a, b } = await createPair({
			tenantAuth: {
				management: {
					keys: ["test-management-key-0123456789abcdef"],
					authorize: ({ tenantId, session }) => tenantId !== null && session?.session.tenantId === tenantId,
				},
			},
		});
		const platformUser = await world.signUp(undefined, EMAIL);
		for (const tenantId of [a, b]) await world.signUp(tenantId, EMAIL);
		const before = await stored(world);
		for (const [path, call] of verbs("platform", "platform")) {
			const answer = await world.call(path, { ...call, browser: platformUser });
			expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
		}
		expect(await stored(world)).toEqual(before);
	});
});

describe("a cross-site request with a cookie", () => {
	/** Without the Origin header that every call of a world has. */
	const sendBare = (world: World, path: string, init: { headers: Record<string, string>; body: string }) =>
		world.auth.handler(new Request(`${ORIGIN}/api/auth${path}`, { method: "POST", ...init }));

	// threat 50
	it("manages nothing: without an Origin, from another one, as plain text, as a form, or by GET", async () => {
		const listed: string[] = [];
		const { world, a, b } = await createPair({
			tenantAuth: { management: { keys: ["test-management-key-0123456789abcdef"], userIds: listed } },
		});
		await world.call("/tenant/oauth-config/register", { operator: true, body: { tenantId: b, ...github } });
		const operator = await world.signUp(undefined, EMAIL);
		listed.push((await world.call("/get-session", { browser: operator })).json.user.id);
		const before = await stored(world);
		const cookie = operator.header();
		const json = "application/json";
		const attempts: [Record<string, string>, number][] = [
			[{ "content-type": json }, 403],
			[{ "content-type": json, origin: "null" }, 403],
			[{ "content-type": json, origin: "https://evil.example" }, 403],
			[{ "content-type": json, origin: `${ORIGIN}.evil.example` }, 403],
			[{ "content-type": json, referer: "https://evil.example/" }, 403],
			[{ "content-type": "text/plain", origin: ORIGIN }, 415],
			[{ "content-type": "text/plain" }, 415],
			[{ "content-type": "application/x-www-form-urlencoded", origin: ORIGIN }, 415],
			[{ "content-type": "multipart/form-data; boundary=x", origin: ORIGIN }, 415],
		];
		const changes: [string, CallOptions][] = [
			["/tenant/create", { body: { name: "planted", slug: "planted" } }],
			...verbs(a, "").filter(([, { body }]) => body),
			...verbs(b, "").filter(([, { body }]) => body),
		];
		for (const [path, { body }] of changes) {
			for (const [headers, status] of attempts) {
				const response = await sendBare(world, path, { headers: { cookie, ...headers }, body: JSON.stringify(body) });
				expect([path, headers, response.status]).toEqual([path, headers, status]);
			}
			const query = Object.fromEntries(Object.entries(body as object).map(([name, value]) => [name, String(value)]));
			const byGet = await world.call(path, { method: "GET", query, browser: operator });
			expect([path, [404, 405].includes(byGet.status)]).toEqual([path, true]);
		}
		expect(await stored(world)).toEqual(before);
		const body = { name: "meant", slug: "meant" };
		expect((await world.call("/tenant/create", { browser: operator, body })).status).toBe(200);
	});

	// threat 51
	it("is rejected by sign-up, sign-in and the social start, as a form or as JSON, with and without a cookie", async () => {
		const { world, a, b } = await createPair({
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		await world.signUp(a, EMAIL);
		const member = await world.signUp(b, EMAIL);
		const tables = () => Promise.all([stored(world), world.database.query('select * from "verification"')]);
		const before = await tables();
		const crossSite = { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
		const sources: Record<string, string>[] = [
			crossSite,
			{ ...crossSite, origin: ORIGIN },
			{ ...crossSite, "sec-fetch-mode": "no-cors" },
			{ ...crossSite, origin: "null" },
			{ origin: "https://evil.example" },
		];
		const entries: [string, Record<string, string>][] = [
			["/tenant/sign-in/email", { email: EMAIL, password: PASSWORD }],
			["/tenant/sign-up/email", { name: "x", email: "planted@example.com", password: PASSWORD }],
			["/tenant/sign-in/social", { provider: "gitlab", callbackURL: "/home" }],
		];
		for (const [path, sent] of entries) {
			const body = { ...sent, tenantId: a };
			for (const source of sources) {
				for (const browser of [new Browser(), member.copy()]) {
					// with a cookie the engine checks the origin only, and this one is its own
					if (source.origin === ORIGIN && browser.cookies.size > 0) continue;
					const form = { ...source, "content-type": "application/x-www-form-urlencoded" };
					const answers = [
						await world.call(path, { browser, headers: form, body: new URLSearchParams(body).toString() }),
						await world.call(path, { browser, headers: source, body }),
					];
					for (const answer of answers) {
						expect([path, source, answer.status, answer.location]).toEqual([path, source, 403, null]);
						expect(answer.headers.getSetCookie()).toEqual([]);
					}
				}
			}
			const plain = await world.call(path, { headers: { "content-type": "text/plain" }, body: JSON.stringify(body) });
			expect([path, plain.status]).toEqual([path, 415]);
		}
		expect(await tables()).toEqual(before);
	});
});

describe("spellings of one email", () => {
	// threat 36
	it("are one user per tenant: letter case creates no second one, and look-alikes are rejected", async () => {
		const { world, a, b } = await createPair({
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		await world.signUp(a, EMAIL);
		const signUp = (tenantId: string, email: string) =>
			world.call("/tenant/sign-up/email", { body: { tenantId, name: "x", email, password: PASSWORD } });
		const cases = ["ADA@example.com", "ada@EXAMPLE.COM", "Ada@Example.Com"];
		const lookAlikes = [
			" ada@example.com",
			"ada@example.com ",
			"ada@example.com.",
			"ada@example.com\u0000",
			"ada\u200b@example.com",
			"\u0430da@example.com",
			"ada@ex\u0430mple.com",
			"\uff41da@example.com",
			"ada\uff20example.com",
			"a\u0301da@example.com",
			"\u212ada@example.com",
		];
		for (const email of cases) {
			const { status, code } = await signUp(a, email);
			expect([email, status, code]).toEqual([email, 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
			const answer = await world.call("/tenant/sign-in/email", { body: { tenantId: a, email, password: PASSWORD } });
			expect([email, answer.json.user?.email]).toEqual([email, EMAIL]);
			// providers return any letter case
			const social = await signInSocially(world, idp(), a, { sub: email, email });
			expect([email, errorOf(social.answer)]).toEqual([email, "account_not_linked"]);
		}
		for (const email of lookAlikes) {
			expect([email, (await signUp(a, email)).status]).toEqual([email, 400]);
			const social = await signInSocially(world, idp(), a, { sub: `sub of ${lookAlikes.indexOf(email)}`, email });
			expect([email, errorOf(social.answer) !== null]).toEqual([email, true]);
		}
		expect((await signUp(b, "ADA@example.com")).status).toBe(200);
		const users = await world.database.query('select "tenantId", "email" from "user"');
		expect(new Set(users.map(({ tenantId, email }) => `${tenantId} ${email}`))).toEqual(
			new Set([`${a} ${EMAIL}`, `${b} ${EMAIL}`]),
		);
		expect(users).toHaveLength(2);
	});
});

describe("PostgreSQL constraints", () => {
	// threat 46
	it("reject a second platform user with one email, and a user, account or session without a tenant", async () => {
		const { world, a, b } = await createPair({ database: "postgres" });
		for (const place of [undefined, a, b]) await world.signUp(place, EMAIL);
		const before = await stored(world);
		const copy = (table: string, changes: Record<string, string>) => {
			const changed = Object.entries(changes)
				.map(([name, value]) => `'${name}', ${value}`)
				.join(", ");
			return world.database.query(
				`insert into "${table}" select (jsonb_populate_record(x, jsonb_build_object(${changed}))).* from "${table}" x where "tenantId" = 'platform'`,
			);
		};
		const id = { id: "'another'" };
		await expect(copy("user", id)).rejects.toThrow(/duplicate key value violates unique constraint/);
		for (const tenantId of [a, b]) {
			await expect(copy("user", { ...id, tenantId: `'${tenantId}'` })).rejects.toThrow(/unique constraint/);
		}
		for (const [table, changes] of [
			["user", id],
			["account", id],
			["session", { ...id, token: "'another'" }],
		] as const) {
			await expect(copy(table, { ...changes, tenantId: "null" })).rejects.toThrow(
				/null value in column "tenantId" of relation "\w+" violates not-null constraint/,
			);
		}
		await expect(copy("account", id)).rejects.toThrow(/unique constraint/);
		await expect(
			world.database.query(`update "user" set "tenantId" = null where "tenantId" = 'platform'`),
		).rejects.toThrow(/not-null/);
		expect(await stored(world)).toEqual(before);
		// the copy itself is valid
		await copy("user", { ...id, email: "'another@example.com'" });
	});
});
