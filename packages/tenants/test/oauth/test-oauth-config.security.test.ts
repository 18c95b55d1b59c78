import { Browser } from "test-kit/browser";
import { REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { errorOf, signInSocially, startSocial, useIdentityProvider } from "test-kit/social";
import { ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { ResolveTenantId } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { firstOf, fromSubdomain } from "../../src/resolvers.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";
import { change, createClients, failed, leftBehind, NOTHING, OK, PAGE, startTest } from "./support/config-test.ts";
import { ada, callbackOf, count, register, rowsElsewhere, userOf } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const ERROR_PAGE = `${ORIGIN}/api/auth/error?error=`;

/** A test that is about to return from the provider. */
const authorizedTest = async (world: World, tenantId: string, browser = new Browser()) => {
	const { url } = await startTest(world, tenantId, { browser });
	return { browser, callback: await idp().authorize(url, ada) };
};

const taggedFor = (callback: string, tenantId: string): string => {
	const url = new URL(callback);
	const [state = ""] = (url.searchParams.get("state") ?? "").split("~");
	url.searchParams.set("state", `${state}~${Buffer.from(tenantId).toString("base64url")}`);
	return url.toString();
};

describe("the state of a test", () => {
	// threat 131
	it("signs nobody in, also if the user exists and may be linked or changed", async () => {
		const { world, a, b } = await createClients(idp());
		for (const tenantId of [a, b]) await signInSocially(world, idp(), tenantId, ada);
		const tables = () =>
			Promise.all(["user", "account", "session"].map((name) => world.database.query(`select * from "${name}"`)));
		const before = await tables();
		const { browser, callback } = await authorizedTest(world, a);
		expect((await world.call(callback, { browser })).location).toBe(OK);
		expect(await userOf(world, browser)).toBeNull();
		expect(await tables()).toEqual(before);
	});

	// threat 131
	it("keeps the session of the browser, and links nothing to its user", async () => {
		const { world, a, b } = await createClients(idp());
		const [own, neighbor] = [await world.signUp(a, ada.email), await world.signUp(b, ada.email)];
		for (const signedIn of [own, neighbor]) {
			const cookies = new Map(signedIn.cookies);
			const { browser, callback } = await authorizedTest(world, a, signedIn);
			expect((await world.call(callback, { browser })).location).toBe(OK);
			expect(browser.cookies).toEqual(cookies);
		}
		expect(await count(world, "account", `"providerId" = 'gitlab'`)).toBe(0);
		expect((await userOf(world, own))?.email).toBe(ada.email);
	});

	// threat 131
	it("is rejected in another tenant, and ends the test of its own", async () => {
		const { world, a, b } = await createClients(idp());
		const tokens = idp().tokenRequests.length;
		const { browser, callback } = await authorizedTest(world, a);
		for (const forged of [taggedFor(callback, b), taggedFor(callback, "platform"), taggedFor(callback, "nobody")]) {
			const answer = await world.call(forged, { browser: browser.copy() });
			expect(answer.location).toBe(`${ERROR_PAGE}state_mismatch`);
		}
		expect(idp().tokenRequests.length).toBe(tokens);
		expect((await world.call(callback, { browser })).location).toBe(OK);
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	// threat 131
	it("is rejected at every callback but the config's own", async () => {
		const { world, a, b } = await createClients(idp());
		await register(world, a, "microsoft", { options: idp().microsoft });
		for (const path of [
			"/callback/gitlab",
			"/callback/microsoft",
			"/tenant/callback/microsoft",
			"/tenant/callback/gitlab",
			`/tenant/callback/gitlab/${b}`,
		]) {
			const { browser, callback } = await authorizedTest(world, a);
			const tokens = idp().tokenRequests.length;
			const wrong = await world.call(`${ORIGIN}/api/auth${path}${new URL(callback).search}`, { browser });
			expect([path, wrong.location]).toEqual([path, failed("state_mismatch")]);
			expect((await world.call(callback, { browser })).location).toBe(`${ERROR_PAGE}state_mismatch`);
			expect(idp().tokenRequests.length).toBe(tokens);
		}
		expect(await leftBehind(world)).toEqual(NOTHING);
	});

	// threat 131
	it("works once, and only in the browser that started the test", async () => {
		const { world, a } = await createClients(idp());
		const { browser, callback } = await authorizedTest(world, a);
		const tokens = idp().tokenRequests.length;
		const victim = await world.signUp(a, "victim@example.com");
		for (const other of [new Browser(), victim])
			expect((await world.call(callback, { browser: other })).location).toBe(
				`${PAGE}?oauth-test=failed&error=state_mismatch`,
			);
		expect(idp().tokenRequests.length).toBe(tokens);
		const copies = Array.from({ length: 5 }, () => browser.copy());
		const answers = await Promise.all(copies.map((copy) => world.call(callback, { browser: copy })));
		expect(answers.map(({ location }) => location).sort()).toEqual([
			OK,
			...copies.slice(1).map(() => `${ERROR_PAGE}state_mismatch`),
		]);
		expect(idp().tokenRequests.length).toBe(tokens + 1);
		expect(await count(world, "user")).toBe(1);
	});

	// threat 131
	it("is not made by a sign-in, whatever its body says", async () => {
		const { world, a, b } = await createClients(idp());
		for (const tenantId of [a, b]) {
			const browser = new Browser();
			const tenantAuth = { tenantId, providerId: "gitlab", source: "x", callback: "test:/tenant/callback/gitlab" };
			const additionalData = { serverContext: { tenantAuth }, tenantAuth, "oauth-test": true };
			const body = { provider: "gitlab", callbackURL: PAGE, additionalData };
			const { json } = await world.call("/sign-in/social", { browser, tenant: tenantId, body });
			expect((await world.call(await idp().authorize(json.url, ada), { browser })).location).toBe(PAGE);
			expect((await userOf(world, browser))?.email).toBe(ada.email);
		}
	});

	// threat 131
	it("does not become a sign-in's, nor a sign-in's a test's", async () => {
		const { world, a, b } = await createClients(idp());
		const browser = new Browser();
		const signIn = await startSocial(world, idp(), a, ada, "gitlab", browser);
		const test = await authorizedTest(world, a, browser.copy());
		const codeOf = (callback: string) => new URL(callback).searchParams.get("code") ?? "";
		const swapped = (callback: string, other: string) => callback.replace(codeOf(callback), codeOf(other));
		const withTestState = await world.call(swapped(test.callback, signIn.callback), { browser: test.browser });
		expect(withTestState.location).toBe(failed("code_exchange_failed"));
		const withSignInState = await world.call(swapped(signIn.callback, test.callback), { browser });
		expect(withSignInState.location).toBe("/failed?error=invalid_code");
		expect(await leftBehind(world)).toEqual(NOTHING);
		expect((await signInSocially(world, idp(), b, ada)).answer.location).toBe("/home");
	});

	// threat 131
	it("is rejected by a version that does not know tests", async () => {
		const { world, a } = await createClients(idp());
		await startTest(world, a);
		const [{ value = "" } = {}] = await world.database.query(`select "value" from "verification"`);
		const { tenantAuth } = JSON.parse(String(value)).serverContext;
		// such a version compares the callback and nothing else of the test
		expect(tenantAuth.callback).not.toMatch(/^\//);
		expect(Object.keys(tenantAuth).sort()).toEqual(["callback", "providerId", "source", "tenantId"]);
	});
});

describe("POST /tenant/oauth-config/test", () => {
	// threat 132
	it("leads to no other site", async () => {
		const { world, a } = await createClients(idp());
		let started = 0;
		for (const callbackURL of REDIRECT_PAYLOADS) {
			const { browser, answer } = await startTest(world, a, { callbackURL });
			if (answer.status !== 200) {
				expect([callbackURL, answer.status]).toEqual([callbackURL, callbackURL === "" ? 400 : 403]);
				continue;
			}
			started += 1;
			const { location } = await world.call(callbackOf(answer, { error: "access_denied" }), { browser });
			expect([callbackURL, new URL(location ?? "").origin]).toEqual([callbackURL, ORIGIN]);
		}
		expect([started > 0, started < REDIRECT_PAYLOADS.length / 2]).toEqual([true, true]);
	});

	// threat 132
	it("returns nothing of the user to the page, and no secret of the config", async () => {
		const { world, a } = await createClients(idp());
		const { browser, callback } = await authorizedTest(world, a);
		const done = await world.call(callback, { browser });
		expect([...new URL(done.location ?? "").searchParams]).toEqual([["oauth-test", "ok"]]);
		expect(`${done.text}${[...done.headers]}`).not.toMatch(/ada/i);
		expect(done.headers.get("cache-control")).toBe("no-store");
	});

	// threat 132
	it("lets an owner test their own tenant only, and no page of another site start a test", async () => {
		const { world, a, b } = await createClients(idp(), {
			tenantAuth: {
				management: {
					keys: ["test-management-key-0123456789abcdef"],
					authorize: ({ tenantId, session }) => tenantId !== null && session?.session.tenantId === tenantId,
				},
				oauth: { allowPrivateHosts: true },
			},
		});
		const owner = await world.signUp(a, "owner@example.com");
		const send = (tenantId: string, headers: Record<string, string> = {}) =>
			world.call("/tenant/oauth-config/test", {
				browser: owner,
				headers,
				body: { tenantId, providerId: "gitlab", callbackURL: PAGE },
			});
		expect((await send(b)).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		expect((await send("missing")).code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
		expect((await send(a, { origin: "https://evil.example" })).status).toBe(403);
		expect(await count(world, "verification")).toBe(0);
		const { json } = await send(a);
		const rows = await rowsElsewhere(world, a);
		expect((await world.call(await idp().authorize(json.url, ada), { browser: owner })).location).toBe(OK);
		expect((await userOf(world, owner))?.email).toBe("owner@example.com");
		expect(await rowsElsewhere(world, a)).toEqual(rows);
	});

	// threat 132
	it("ends when its tenant is suspended or deleted", async () => {
		const { world, a, b } = await createClients(idp(), { plugins: [tenantLifecycle()] });
		const [first, second] = [await authorizedTest(world, a), await authorizedTest(world, b)];
		const tokens = idp().tokenRequests.length;
		await world.call("/tenant/suspend", { operator: true, body: { tenantId: a, reason: "test" } });
		expect((await world.call(first.callback, { browser: first.browser })).code).toBe("TENANT_SUSPENDED");
		expect((await startTest(world, a)).answer.code).toBe("TENANT_SUSPENDED");
		await world.call("/tenant/delete", { operator: true, body: { tenantId: b } });
		const gone = await world.call(second.callback, { browser: second.browser });
		expect(errorOf(gone)).toBe("state_mismatch");
		expect((await startTest(world, b)).answer.code).toBe("TENANT_NOT_FOUND");
		expect((await startTest(world, "platform")).answer.code).toBe("TENANT_NOT_FOUND");
		expect(idp().tokenRequests.length).toBe(tokens);
	});

	// threat 132
	it("never uses the application's credentials, also if the tenant's config is disabled", async () => {
		const { world, a, b } = await createClients(idp());
		await change(world, a, { enabled: false });
		expect(new URL((await startTest(world, a)).url).searchParams.get("client_id")).toBe(`client-${a}`);
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId: a, providerId: "gitlab" } });
		expect((await startTest(world, a)).answer.code).toBe("OAUTH_CONFIG_NOT_FOUND");
		expect((await startTest(world, b)).answer.status).toBe(200);
	});

	// threat 132
	it("starts at the platform's and the tenant's host, not at another tenant's", async () => {
		const named: ResolveTenantId = ({ headers }) => headers?.get("x-named") ?? null;
		const { at, acme, globex, ...world } = await createHostedWorld({
			tenantAuth: { resolveTenantId: firstOf(named, fromSubdomain({ domain: "localhost" })) },
		});
		for (const tenantId of [acme, globex])
			await world.call("/tenant/oauth-config/register", {
				operator: true,
				body: { tenantId, providerId: "github", clientId: `client-${tenantId}`, clientSecret: "secret-of-a-client" },
			});
		const startAt = (host: string) =>
			at(host, "/tenant/oauth-config/test", {
				operator: true,
				headers: { "x-named": acme },
				body: { providerId: "github", callbackURL: "/admin" },
			});
		for (const host of ["localhost", "acme.localhost"]) {
			const { searchParams } = new URL((await startAt(host)).json.url);
			expect(searchParams.get("redirect_uri")).toBe(`http://${host}:3000/api/auth/tenant/callback/github`);
		}
		const elsewhere = await startAt("globex.localhost");
		expect([elsewhere.status, elsewhere.code]).toEqual([403, "TENANT_HOST_MISMATCH"]);
	});
});
