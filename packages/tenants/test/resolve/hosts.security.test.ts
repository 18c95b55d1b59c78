import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { firstOf, fromCustomDomain, fromSubdomain } from "../../src/resolvers.ts";
import { createCachedLookup } from "../../src/scope/tenants/cached-lookup.ts";
import { createHostedWorld } from "./support/hosted-world.ts";

const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("the platform's host", () => {
	// threat 89
	it.each([
		["fromCustomDomain", fromCustomDomain],
		["firstOf", (options: { findTenantId: () => string }) => firstOf(() => null, fromCustomDomain(options))],
	])("belongs to no tenant, although the application's own lookup returns one: %s", async (_name, resolver) => {
		let owner = "";
		const { at, acme, globex, database } = await createHostedWorld({
			tenantAuth: { resolveTenantId: resolver({ findTenantId: () => owner }) },
		});
		owner = acme;
		const refused = await at("localhost", "/sign-up/email", { body: person });
		expect([refused.status, refused.code]).toEqual([403, "PLATFORM_SIGN_UP_CLOSED"]);
		// a tenant that the request names still counts there
		const named = await at("localhost", "/sign-up/email", { tenant: globex, body: person });
		expect(named.status).toBe(200);
		expect((await at("login.acme.com", "/sign-up/email", { body: person })).status).toBe(200);
		const users = await database.query('select "tenantId" from "user"');
		expect(users.map(({ tenantId }) => tenantId).sort()).toEqual([acme, globex].sort());
	});
});

describe("a host that belongs to nobody", () => {
	// threat 88
	it.each([
		"unknown.localhost",
		"a.acme.localhost",
		"www.localhost",
		"platform.localhost",
		"login.unknown.com",
		"127.0.0.1",
		"[::1]",
		"acme.localhost.evil.com",
		"xn--acme-.localhost",
	])("is rejected at every endpoint: %s", async (host) => {
		const { at, database, acme } = await createHostedWorld();
		const answers = [
			await at(host, "/sign-up/email", { body: person }),
			await at(host, "/sign-in/email", { tenant: acme, body: person }),
			await at(host, "/tenant/sign-up/email", { body: { ...person, tenantId: acme } }),
			await at(host, "/get-session"),
			await at(host, "/ok"),
			await at(host, "/tenant/list", { operator: true }),
			await at(host, "/tenant/methods", { query: { tenantId: acme } }),
			await at(host, "/tenant/current", { query: { tenantId: acme } }),
			await at(host, "/callback/github", { query: { state: "x", code: "y" } }),
			await at(host, "/no/such/path"),
		];
		expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [404, "TENANT_NOT_FOUND"]));
		expect(await database.query('select * from "user"')).toEqual([]);
	});

	// threat 88
	it("costs one query per name, and many of them do not push out tenants that exist", async () => {
		let queries = 0;
		const { lookup } = createCachedLookup({
			tenants: {
				findKept: async (by) => {
					queries += 1;
					const now = new Date();
					return "slug" in by && by.slug === "acme"
						? { id: "1", name: "Acme", slug: "acme", status: "active", createdAt: now, updatedAt: now }
						: null;
				},
			},
			domains: { find: async () => null },
			cache: { maxAge: 60, maxSize: 10 },
		});
		expect(await lookup.bySlug("acme")).toBe("1");
		for (let n = 0; n < 50; n += 1) expect(await lookup.bySlug(`junk-${n}`)).toBeNull();
		expect(queries).toBe(51);
		for (let n = 0; n < 50; n += 1) await lookup.bySlug("junk-49");
		expect([await lookup.bySlug("acme"), queries]).toEqual(["1", 51]);
		// not slugs, so no query
		for (const odd of ["", "A", "a_b", "acme.", "a".repeat(64)]) expect(await lookup.bySlug(odd)).toBeNull();
		expect(queries).toBe(51);
	});
});

describe("the host of a request", () => {
	// threat 87
	it("has one meaning in every spelling, and is no host in any other", async () => {
		const { at, acme } = await createHostedWorld();
		let users = 0;
		const sent = (host: string) => {
			const body = { ...person, email: `user-${++users}@example.com` };
			const headers = { host, origin: "http://acme.localhost:3000" };
			return at("globex.localhost", "/sign-up/email", { headers, body });
		};
		const spellings = [
			"acme.localhost",
			"ACME.LocalHost",
			"acme.localhost:3000",
			"acme.localhost.",
			"acme.localhost.:1",
		];
		for (const host of spellings) expect([host, (await sent(host)).json.user?.tenantId]).toEqual([host, acme]);
		for (const host of [
			"acme.localhost..",
			".acme.localhost",
			"acme.localhost, globex.localhost",
			"acme.localhost@globex.localhost",
			"acme.localhost/globex.localhost",
			"acme.localhost#.globex.localhost",
			"acme%2elocalhost",
			"acme.localhost:x",
			"acm\u00e9.localhost",
			"xn--acm-dma.localhost",
			"acme_.localhost",
		])
			expect([host, (await sent(host)).code]).toEqual([host, "TENANT_NOT_FOUND"]);
	});

	// threat 87
	it("decides about tenant and links alike if URL and Host header differ", async () => {
		const { at, mails, signUpAt, globex } = await createHostedWorld();
		for (const host of ["acme.localhost", "globex.localhost"]) await signUpAt(host, "ada@example.com");
		const answer = await at("acme.localhost", "/request-password-reset", {
			headers: { host: "globex.localhost:3000", origin: "http://globex.localhost:3000" },
			body: { email: "ada@example.com", redirectTo: "/reset" },
		});
		expect([answer.status, mails.length]).toEqual([200, 1]);
		const link = new URL(mails[0]?.url ?? "");
		expect(link.origin).toBe("http://globex.localhost:3000");
		expect(atob(link.pathname.split("~")[1] ?? "")).toBe(globex);
	});

	// threat 87
	it("ignores X-Forwarded-Host, unless the application trusts its proxy", async () => {
		const forwarded = (host: string) => ({ headers: { "x-forwarded-host": host }, body: person });
		const direct = await createHostedWorld();
		const made = await direct.at("acme.localhost", "/sign-up/email", forwarded("globex.localhost"));
		expect(made.json.user.tenantId).toBe(direct.acme);

		const proxied = await createHostedWorld({
			engine: { advanced: { disableOriginCheck: false, trustedProxyHeaders: true } },
		});
		const behind = (host: string, origin = `http://${host}`) =>
			proxied.at("localhost", "/sign-up/email", { ...forwarded(host), headers: { "x-forwarded-host": host, origin } });
		expect((await behind("globex.localhost:3000")).json.user.tenantId).toBe(proxied.globex);
		for (const host of ["evil.example", "acme.localhost, globex.localhost", "acme.localhost/", " "])
			expect([host, (await behind(host, "http://localhost:3000")).code]).toEqual([host, "TENANT_NOT_FOUND"]);
	});
});

describe("links of a tenant", () => {
	// threat 87
	it("lead to the tenant's host at the platform's port, whatever port the Host header has", async () => {
		const { at, lastMail, signUpAt, addDomain, acme } = await createHostedWorld();
		await addDomain(acme, "login.acme.com");
		await signUpAt("acme.localhost", "ada@example.com");
		const body = { email: "ada@example.com", redirectTo: "/reset" };
		for (const [host, header] of [
			["acme.localhost", "acme.localhost:9999"],
			["login.acme.com", "login.acme.com"],
		] as const) {
			await at(host, "/request-password-reset", { headers: { host: header }, body });
			expect(new URL(lastMail("reset").url).origin).toBe(`http://${host}:3000`);
			await at(host, "/send-verification-email", { headers: { host: header }, body });
			expect(new URL(lastMail("verify").url).origin).toBe(`http://${host}:3000`);
		}
	});

	it("stay on the platform for the platform, and for a tenant that a request there names", async () => {
		const { call, mails, acme } = await createHostedWorld({ tenantAuth: { platform: { signUp: true } } });
		for (const tenant of [undefined, acme]) {
			await call("/sign-up/email", { tenant, body: person });
			await call("/request-password-reset", { tenant, body: { email: person.email, redirectTo: "/reset" } });
		}
		expect(mails.map(({ url }) => new URL(url).origin)).toEqual(["http://localhost:3000", "http://localhost:3000"]);
	});

	// threat 90
	it("use the session of their own host: another tenant's cookie and token are refused", async () => {
		const { at, signUpAt, lastMail } = await createHostedWorld();
		const ada = await signUpAt("acme.localhost", "ada@example.com");
		await signUpAt("globex.localhost", "ada@example.com");
		const seen = await at("globex.localhost", "/get-session", { browser: ada.copy() });
		expect([seen.status, seen.json]).toEqual([200, null]);
		const sent = await at("globex.localhost", "/list-sessions", { browser: ada.copy() });
		expect([sent.status, sent.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
		const managed = await at("globex.localhost", "/tenant/list", { browser: ada.copy() });
		expect([managed.status, managed.code]).toEqual([403, "TENANT_HOST_MISMATCH"]);
		await at("acme.localhost", "/request-password-reset", { body: { email: "ada@example.com", redirectTo: "/reset" } });
		const { token } = lastMail("reset");
		const stolen = await at("globex.localhost", "/reset-password", { body: { token, newPassword: "another one 123" } });
		expect([stolen.status, stolen.code]).toEqual([400, "INVALID_TOKEN"]);
		expect(
			(await at("acme.localhost", "/reset-password", { body: { token, newPassword: "another one 123" } })).status,
		).toBe(200);
	});

	// threat 87
	it("end an OAuth flow at the host where it started, with that host in the redirect URI", async () => {
		const { at, acme } = await createHostedWorld({
			engine: { socialProviders: { github: { clientId: "global", clientSecret: "global-secret" } } },
		});
		const browser = new Browser();
		const body = { provider: "github", callbackURL: "/home" };
		const started = await at("acme.localhost", "/sign-in/social", { browser, body });
		const { searchParams } = new URL(started.json.url);
		expect(searchParams.get("redirect_uri")).toBe("http://acme.localhost:3000/api/auth/tenant/callback/github");
		const query = { state: searchParams.get("state") ?? "", code: "x" };
		for (const path of ["/callback/github", "/tenant/callback/github"]) {
			const moved = await at("globex.localhost", path, { browser: browser.copy(), query });
			expect([path, moved.status, moved.code]).toEqual([path, 403, "TENANT_HOST_MISMATCH"]);
		}
		// a state of the platform, of a missing tenant, and none
		for (const state of ["plain", "plain~bWlzc2luZw", `plain~${btoa(acme)}`]) {
			const moved = await at("globex.localhost", "/callback/github", { query: { state, code: "x" } });
			expect([state, moved.code]).toEqual([state, "TENANT_HOST_MISMATCH"]);
		}
		const addressed = await at("globex.localhost", `/tenants/${acme}/sso/callback/idp`, { query });
		expect([403, 404]).toContain(addressed.status);
	});

	// threat 90
	it("set cookies without a domain", async () => {
		const { at } = await createHostedWorld();
		const made = await at("acme.localhost", "/sign-up/email", { body: person });
		const cookies = made.headers.getSetCookie();
		expect(cookies.length).toBeGreaterThan(0);
		expect(cookies.filter((line) => /domain=/i.test(line))).toEqual([]);
	});
});

describe("the origin of a tenant's page", () => {
	// threat 25
	it.each([[["localhost:3000"]], [["localhost:3000", "*.localhost:3000"]], [["*"]]])(
		"is trusted in that tenant's requests only, with allowedHosts %s",
		async (allowedHosts) => {
			const { at, signUpAt, addDomain, globex } = await createHostedWorld({
				engine: { baseURL: { allowedHosts, fallback: "http://localhost:3000", protocol: "http" } },
			});
			await addDomain(globex, "login.globex.com");
			const browsers = {
				"acme.localhost": await signUpAt("acme.localhost", "ada@example.com"),
				"globex.localhost": await signUpAt("globex.localhost", "ada@example.com"),
			};
			const change = (host: keyof typeof browsers, from: string) =>
				at(host, "/update-user", {
					browser: browsers[host].copy(),
					headers: { origin: `http://${from}:3000` },
					body: { name: "Eve" },
				});
			expect((await change("acme.localhost", "acme.localhost")).status).toBe(200);
			for (const from of ["globex.localhost", "localhost", "login.globex.com", "evil.example"])
				expect([from, (await change("acme.localhost", from)).code]).toEqual([from, "INVALID_ORIGIN"]);
			const ask = (redirectTo: string) =>
				at("globex.localhost", "/request-password-reset", { body: { email: "ada@example.com", redirectTo } });
			expect((await ask("http://acme.localhost:3000/x")).code).toBe("INVALID_REDIRECT_URL");
			expect((await ask("http://globex.localhost:3000/x")).status).toBe(200);
		},
	);

	it("leaves the origins that the application trusts", async () => {
		const { at, signUpAt } = await createHostedWorld({
			engine: { trustedOrigins: ["https://pages.example", "http://localhost:3000"] },
		});
		const browser = await signUpAt("acme.localhost", "ada@example.com");
		for (const origin of ["https://pages.example", "http://localhost:3000"]) {
			const changed = await at("acme.localhost", "/update-user", { browser, headers: { origin }, body: { name: "A" } });
			expect([origin, changed.status]).toEqual([origin, 200]);
		}
	});
});

describe("a slug", () => {
	// threat 91
	it("cannot be the name of a platform host", async () => {
		const { call, at, newTenant } = await createHostedWorld({
			tenantAuth: {
				resolveTenantId: fromSubdomain({ domain: "localhost", platformHosts: ["hq.localhost"] }),
				platform: { signUp: true },
			},
		});
		const create = (slug: string) => call("/tenant/create", { operator: true, body: { name: "X", slug } });
		for (const slug of ["hq", "www", "api", "xn--acme"])
			expect([slug, (await create(slug)).code]).toEqual([slug, "INVALID_SLUG"]);
		await newTenant("hq2");
		const made = await at("hq.localhost", "/sign-up/email", { body: person });
		expect(made.json.user.tenantId).toBe("platform");
	});
});
