import { canarySecret } from "test-kit/canary";
import { globalProviders, registerClient, signInSocially, useIdentityProvider } from "test-kit/social";
import { ORIGIN, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantPolicy } from "../../src/policy.ts";
import { change, createClients, failed, leftBehind, NOTHING, OK, PAGE, startTest } from "./support/config-test.ts";
import { ada, callbackOf, createPair, register } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

const STORES: WorldOptions[] = [{}, { redis: true }, { database: "postgres" }, { database: "mysql" }];

describe("POST /tenant/oauth-config/test", () => {
	it.each(STORES)("tests a config at the provider and leaves nothing behind: %j", async (options) => {
		const hooked: string[] = [];
		const noting = (model: string) => ({ create: { before: async () => void hooked.push(model) } });
		const { world, a, b } = await createClients(idp(), {
			...options,
			engine: { databaseHooks: { user: noting("user"), account: noting("account"), session: noting("session") } },
		});
		const before = await leftBehind(world);
		for (const tenantId of [a, b]) {
			const { browser, answer, url } = await startTest(world, tenantId);
			expect([answer.status, Object.keys(answer.json)]).toEqual([200, ["url"]]);
			expect(new URL(url).searchParams.get("client_id")).toBe(`client-${tenantId}`);
			const done = await world.call(await idp().authorize(url, ada), { browser });
			expect([done.status, done.location]).toEqual([302, OK]);
			expect(browser.cookies.size).toBe(0);
			expect(idp().tokenRequests.at(-1)?.clientId).toBe(`client-${tenantId}`);
		}
		expect(await leftBehind(world)).toEqual(before);
		expect(hooked).toEqual([]);
		// the callback that was tested also signs in
		expect((await signInSocially(world, idp(), a, ada)).answer.location).toBe("/home");
		expect(hooked).toEqual(["user", "account", "session"]);
	});

	it("uses the redirect URI of a sign-in, shared and own", async () => {
		const { world, a, b } = await createPair();
		// only tenant a's server is the application's own, too
		await registerClient(world, idp(), a, "client-own");
		await register(world, b, "gitlab");
		const redirectOf = (url: string) => new URL(url).searchParams.get("redirect_uri");
		const { browser, url } = await startTest(world, a);
		expect(redirectOf(url)).toBe(`${ORIGIN}/api/auth/tenant/callback/gitlab/${a}`);
		expect((await world.call(await idp().authorize(url, ada), { browser })).location).toBe(OK);
		expect(redirectOf((await startTest(world, b)).url)).toBe(`${ORIGIN}/api/auth/tenant/callback/gitlab`);
	});

	it("accepts a callback that the provider posts as a form", async () => {
		const { world, a } = await createClients(idp());
		const { browser, url } = await startTest(world, a);
		const callback = new URL(await idp().authorize(url, ada));
		const posted = await world.call(`${callback.origin}${callback.pathname}`, {
			headers: { "content-type": "application/x-www-form-urlencoded", origin: idp().gitlab.issuer },
			body: callback.searchParams.toString(),
		});
		expect((await world.call(posted.location ?? "", { browser })).location).toBe(OK);
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	it("tests a disabled config, which nobody can sign in with", async () => {
		const { world, a } = await createPair();
		await registerClient(world, idp(), a, `client-${a}`);
		await change(world, a, { enabled: false });
		const { browser, url } = await startTest(world, a);
		expect((await world.call(await idp().authorize(url, ada), { browser })).location).toBe(OK);
		const body = { tenantId: a, provider: "gitlab" };
		expect((await world.call("/tenant/sign-in/social", { body })).code).toBe("PROVIDER_NOT_FOUND");
	});

	it("tests a method that the tenant's policy does not allow, and ignores closed sign-ups", async () => {
		const { world, a } = await createClients(idp(), { plugins: [tenantPolicy()] });
		const policy = { methods: ["password"], signUp: "closed" };
		expect((await world.call("/tenant/policy/update", { operator: true, body: { tenantId: a, policy } })).status).toBe(
			200,
		);
		const { browser, url } = await startTest(world, a);
		expect((await world.call(await idp().authorize(url, ada), { browser })).location).toBe(OK);
	});

	it("returns to a path of the application, and keeps the parameters of the page", async () => {
		const { world, a } = await createClients(idp());
		const { browser, url } = await startTest(world, a, {
			callbackURL: "/admin?tab=oauth&error=old&oauth-test=failed#top",
		});
		const done = await world.call(await idp().authorize(url, ada), { browser });
		expect(done.location).toBe(`${ORIGIN}/admin?tab=oauth&oauth-test=ok#top`);
	});

	it("returns 404 for a provider without a config, also if the application has credentials for it", async () => {
		const { world, a, b } = await createClients(idp());
		await register(world, b, "microsoft", { options: idp().microsoft });
		for (const providerId of ["microsoft", "github", "unknown", "__proto__"]) {
			const { answer } = await startTest(world, a, { providerId });
			expect([providerId, answer.status, answer.code]).toEqual([providerId, 404, "OAUTH_CONFIG_NOT_FOUND"]);
		}
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	it("returns OAUTH_CONFIG_UNREADABLE for credentials that cannot be decrypted", async () => {
		const { world, a, b } = await createClients(idp());
		await world.database.query(`update "tenantOauthConfig" set "clientSecret" = 'lost' where "tenantId" = '${a}'`);
		const { answer } = await startTest(world, a);
		expect([answer.status, answer.code]).toEqual([500, "OAUTH_CONFIG_UNREADABLE"]);
		expect((await startTest(world, b)).answer.status).toBe(200);
	});

	it("is called by server code without a request", async () => {
		const { world, a } = await createClients(idp());
		const body = { tenantId: a, providerId: "gitlab", callbackURL: PAGE } as const;
		const api = world.auth.api as unknown as {
			testTenantOauthConfig: (call: { body: typeof body }) => Promise<{ url: string }>;
		};
		expect((await api.testTenantOauthConfig({ body })).url).toContain(`client_id=client-${a}`);
	});
});

describe("a failed test", () => {
	it("says that the client secret is wrong", async () => {
		const { world, a, b } = await createClients(idp());
		await change(world, a, { clientSecret: canarySecret("wrong") });
		const { browser, url } = await startTest(world, a);
		const done = await world.call(await idp().authorize(url, ada), { browser });
		expect(done.location).toBe(failed("invalid_client"));
		const other = await startTest(world, b);
		expect((await world.call(await idp().authorize(other.url, ada), { browser: other.browser })).location).toBe(OK);
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	it("says that the code was not accepted", async () => {
		const { world, a } = await createClients(idp());
		const { browser, answer } = await startTest(world, a);
		expect((await world.call(callbackOf(answer), { browser })).location).toBe(failed("code_exchange_failed"));
	});

	it("says that the provider returned no email, or a user that cannot be read", async () => {
		const emails: Record<string, unknown> = { "no email": undefined, "not text": 7 };
		const mapProfileToUser = ({ name }: { name: string }) => ({ email: emails[name] as string });
		const gitlab = { ...globalProviders(idp()).gitlab, mapProfileToUser };
		const { world, a } = await createClients(idp(), { engine: { socialProviders: { gitlab } } });
		for (const [name, error] of [
			["no email", "email_not_found"],
			["not text", "user_info_failed"],
		] as const) {
			const { browser, url } = await startTest(world, a);
			const done = await world.call(await idp().authorize(url, { ...ada, name }), { browser });
			expect(done.location).toBe(failed(error));
		}
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	it.each([
		["access_denied", "access_denied"],
		["invalid_scope", "invalid_scope"],
		["<b>call +1 555</b>", "provider_refused"],
		["ok", "provider_refused"],
	])("passes on an error of the standard and no other text: %s", async (sent, error) => {
		const { world, a } = await createClients(idp());
		const { browser, answer } = await startTest(world, a);
		const callback = callbackOf(answer, { error: sent, error_description: "call us" });
		expect((await world.call(callback, { browser })).location).toBe(failed(error));
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	it("says that the provider sent no code, or is another issuer", async () => {
		const { world, a } = await createClients(idp());
		const sendWith = async (sent: Record<string, string>) => {
			const { browser, answer } = await startTest(world, a);
			return (await world.call(callbackOf(answer, sent), { browser })).location;
		};
		expect(await sendWith({ code: "" })).toBe(failed("no_code"));
		expect(await sendWith({ iss: "https://evil.example" })).toBe(failed("issuer_mismatch"));
	});

	it("says that the config changed meanwhile", async () => {
		const { world, a, b } = await createClients(idp());
		const changes = [
			() => change(world, a, {}),
			() => world.database.query(`update "tenantOauthConfig" set "clientSecret" = 'lost' where "tenantId" = '${a}'`),
			() => world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId: a, providerId: "gitlab" } }),
		];
		for (const apply of changes) {
			await change(world, a, {});
			const [{ browser, url }, other] = [await startTest(world, a), await startTest(world, b)];
			const callback = await idp().authorize(url, ada);
			await apply();
			const tokens = idp().tokenRequests.length;
			expect((await world.call(callback, { browser })).location).toBe(failed("config_changed"));
			expect(idp().tokenRequests.length).toBe(tokens);
			expect((await world.call(await idp().authorize(other.url, ada), { browser: other.browser })).location).toBe(OK);
		}
		expect(await leftBehind(world)).toEqual(NOTHING);
	});
});
