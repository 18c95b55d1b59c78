import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { errorOf, globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { createWorld, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { accountIdOf, isAccountOf } from "../../src/features/oauth/account-authority.ts";
import { useRogueServer } from "./support/rogue-server.ts";
import { ada } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const { rogue, registerRogue, signInByRogue } = useRogueServer();

describe("a tenant with its own authorization server", () => {
	// threat 18
	it("sends it no code of another server's client: the mix-up ends in a refusal", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await registerRogue(world, a);
		const victim = { sub: "victim-1", email: "victim@example.com" };
		await signInSocially(world, idp(), b, victim);

		// the attacker starts at b; the victim starts at a, whose server forwards them to the honest server with b's request
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
	it("ends its flows at a callback of its own, and only there", async () => {
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
	it("cannot assert users of the previous server, nor keep its users for the next one", async () => {
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
		// after the switch back to the global provider, every user has their own account again
		const back = await signInSocially(world, idp(), a, ada);
		expect((await world.call("/get-session", { browser: back.browser })).json.user.id).toBe(alice);
		const future = await signInSocially(world, idp(), a, { sub: "future-1", email: "future@example.com" });
		expect((await world.call("/get-session", { browser: future.browser })).json.user.id).not.toBe(planted.user.id);
	});

	it("creates users with an unverified email, so no later sign-in links to them", async () => {
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
	it("sends it no token from the browser's account cookie", async () => {
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
	it("sends it no token that another server issued", async () => {
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
	it("links no existing user, and changes nothing in another tenant or on the platform", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const place of [a, b, undefined]) await world.signUp(place, "boss@example.com");
		await world.database.query('update "user" set "emailVerified" = 1');
		const before = await world.database.query('select * from "user" order by "id"');
		await registerRogue(world, a);
		const forged = await signInByRogue(world, a, { id: 7, email: "boss@example.com", email_verified: true });
		expect([errorOf(forged.answer), forged.user]).toEqual(["account_not_linked", undefined]);
		expect(await world.database.query('select * from "user" order by "id"')).toEqual(before);
		// a signed-in user may link it themselves
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
	it("uses the shared callback for servers of the provider, and stays a separate authority", async () => {
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
	it("rejects ID tokens from clients", async () => {
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

describe("an account id", () => {
	// threat 5
	it("has one authority: a well-known server cannot assert users of a tenant's own server", async () => {
		const named = await accountIdOf("ada-1", '[["issuer","https://rogue.example"]]');
		for (const forged of [named, named.toUpperCase(), `x@${named.split("@")[1]}`])
			await expect(accountIdOf(forged, null)).rejects.toThrow("another authority");
		expect(await accountIdOf("ada@example.com", null)).toBe("ada@example.com");
		expect(await isAccountOf(named, null)).toBe(false);
	});
});

describe("a subject on MariaDB, which ignores case and accents", () => {
	it("belongs to one user", async () => {
		const world = await createWorld({
			database: "mysql",
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
		});
		const tenantId = await world.newTenant();
		const first = await signInSocially(world, idp(), tenantId, { sub: "ada-Xy", email: "ada@example.com" });
		expect(first.answer.location).toBe("/home");
		for (const sub of ["ADA-xY", "àda-xy", "ada-xy"]) {
			// the unique index treats them as equal: sign-in fails instead of signing in another user
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
