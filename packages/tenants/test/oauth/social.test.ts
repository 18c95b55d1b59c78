import {
	errorOf,
	globalProviders,
	registerClient,
	signInSocially,
	startSocial,
	useIdentityProvider,
} from "test-kit/social";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };

describe("social sign-in", () => {
	it("uses the tenant's credentials, then the global ones, then returns PROVIDER_NOT_FOUND", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const own = await world.newTenant();
		const fallback = await world.newTenant();
		await registerClient(world, idp(), own, "client-of-own");
		const clientOf = async (tenantId: string) =>
			new URL((await startSocial(world, idp(), tenantId, ada)).url).searchParams.get("client_id");
		expect(await clientOf(own)).toBe("client-of-own");
		expect(await clientOf(fallback)).toBe("global-gitlab");

		const missing = await world.call("/tenant/sign-in/social", { body: { tenantId: own, provider: "github" } });
		expect([missing.status, missing.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
	});

	it("requires a tenant", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const begin = (body: object) => world.call("/tenant/sign-in/social", { body: { provider: "gitlab", ...body } });
		const refused = await begin({});
		expect([refused.status, refused.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
		expect(await world.database.query('select "id" from "verification"')).toEqual([]);
		expect((await begin({ tenantId })).status).toBe(200);
	});

	it("sets each cookie once", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		for (const tenantId of [await world.newTenant(), await world.newTenant()]) {
			const { answer } = await signInSocially(world, idp(), tenantId, ada);
			const names = answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
			expect(names).toContain("better-auth.session_token");
			expect(names).toEqual([...new Set(names)]);
		}
	});

	it("falls back to the global provider while the tenant's config is disabled", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "client-disabled");
		const body = {
			tenantId,
			providerId: "gitlab",
			clientId: "client-disabled",
			clientSecret: "x".repeat(20),
			enabled: false,
		};
		expect((await world.call("/tenant/oauth-config/register", { operator: true, body })).json.enabled).toBe(false);
		const { url } = await startSocial(world, idp(), tenantId, ada);
		expect(new URL(url).searchParams.get("client_id")).toBe("global-gitlab");
	});

	// threat 7
	it("creates four users for one identity: in a tenant with credentials, in two that fall back, and on the platform", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenants = [await world.newTenant(), await world.newTenant(), await world.newTenant(), undefined];
		await registerClient(world, idp(), tenants[0] ?? "", "client-of-first");
		const users = new Set<string>();
		for (const tenantId of tenants) {
			for (const visit of ["first", "second"]) {
				const { browser, answer } = await signInSocially(world, idp(), tenantId, ada);
				expect([visit, answer.status, answer.location]).toEqual([visit, 302, "/home"]);
				const seen = await world.call("/get-session", { browser });
				expect(seen.json.session.tenantId).toBe(tenantId ?? "platform");
				users.add(seen.json.user.id);
			}
		}
		expect(users.size).toBe(4);
		expect(await world.database.query('select count(*) as n from "account"')).toEqual([{ n: 4 }]);
	});

	it("redirects an HTML form, and returns JSON with a Location header to other clients", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const form = await world.call("/tenant/sign-in/social", {
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: new URLSearchParams({ tenantId, provider: "gitlab", callbackURL: "/home" }).toString(),
		});
		expect(form.status).toBe(302);
		expect(form.location).toContain("/oauth/authorize?");
		const json = await world.call("/tenant/sign-in/social", { body: { tenantId, provider: "gitlab" } });
		expect(json.json).toEqual({ url: json.location, redirect: true });
	});

	it("redirects a form-post callback to a GET that creates a session", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
		const url = new URL(callback);
		const posted = await world.call(`${url.origin}${url.pathname}`, {
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: url.searchParams.toString(),
		});
		expect(posted.status).toBe(302);
		const finished = await world.call(posted.location ?? "", { browser });
		expect(finished.location).toBe("/home");
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(tenantId);
	});

	it("keeps the fields of a form that the callback reads, and no ID token in the URL", async () => {
		const world = await createWorld();
		const form = new URLSearchParams({ code: "c", state: "s", id_token: "eyJ", user: "{}" });
		const headers = { "content-type": "application/x-www-form-urlencoded" };
		const posted = await world.call("/tenant/callback/apple", { headers, body: form.toString() });
		expect([...new URL(posted.location ?? "").searchParams.keys()]).toEqual(["code", "state", "user"]);
	});

	it("redirects to the error URL if the provider returns an error", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const { browser, url } = await startSocial(world, idp(), tenantId, ada);
		const state = new URL(url).searchParams.get("state") ?? "";
		const denied = await world.call("/tenant/callback/gitlab", {
			browser,
			query: { state, error: "access_denied", error_description: "no" },
		});
		expect(denied.location).toBe("/failed?error=access_denied&error_description=no");
		expect(denied.headers.getSetCookie()).toEqual([...new Set(denied.headers.getSetCookie())]);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});

	// threat 29
	it("refreshes tokens with the tenant's credentials", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "client-refresh");
		const { browser } = await signInSocially(world, idp(), tenantId, ada);
		const accounts = await world.call("/list-accounts", { browser });
		const before = idp().tokenRequests.length;
		const refreshed = await world.call("/refresh-token", { browser, body: { accountId: accounts.json[0]?.id } });
		expect(refreshed.status).toBe(200);
		expect(
			idp()
				.tokenRequests.slice(before)
				.map(({ clientId }) => clientId),
		).toEqual(["client-refresh"]);
	});
});

describe.each(["sqlite", "postgres", "mysql"] as const)("on %s", (database) => {
	// threat 27
	it("rejects a callback if credentials change or are deleted during the flow: no user, no fallback", async () => {
		const world = await createWorld({
			database,
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "client-rotating");
		const flows = [await startSocial(world, idp(), tenantId, ada), await startSocial(world, idp(), tenantId, ada)];
		const tokens = idp().tokenRequests.length;
		const register = {
			tenantId,
			providerId: "gitlab",
			clientId: "client-rotating",
			clientSecret: "another secret",
			options: idp().gitlab,
		};
		const changes = [
			() => world.call("/tenant/oauth-config/register", { operator: true, body: register }),
			() => world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } }),
		];
		for (const [index, change] of changes.entries()) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			expect((await change()).status).toBe(200);
			const flow = flows[index];
			const answer = await world.call(flow?.callback ?? "", { browser: flow?.browser });
			expect(errorOf(answer)).toBe("state_mismatch");
		}
		expect(idp().tokenRequests.length).toBe(tokens);
		expect(Number((await world.database.query('select count(*) as n from "user"'))[0]?.n)).toBe(0);
	});
});
