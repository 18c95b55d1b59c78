import { createAuthMiddleware } from "better-auth/api";
import { oAuthProxy } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { json, startHostileProvider } from "test-kit/hostile-provider";
import { globalProviders, useIdentityProvider } from "test-kit/social";
import { createWorld, MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { currentTenantId, withTenants } from "../../src/index.ts";
import { withTag } from "../../src/scope/pin/tag.ts";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/**
 * Ada on the platform, and a tenant whose own GitLab claims that every user is Ada. The proxy encrypts with one key in
 * all tenants, which the startup check cannot see.
 */
const withProxy = async () => {
	const hostile = await startHostileProvider();
	onTestFinished(hostile.close);
	hostile.token = json({ access_token: "token", token_type: "bearer" });
	hostile.user = json({
		id: 4711,
		username: "mallory",
		name: "Mallory",
		email: ada.email,
		state: "active",
		locked: false,
	});
	const proxy = oAuthProxy({
		secret: "one secret for two deployments, 32 letters",
		productionURL: "https://production.example.com",
		currentURL: ORIGIN,
	});
	const pinned: (string | null)[] = [];
	const world = await createWorld({
		engine: {
			socialProviders: globalProviders(idp()),
			account: { accountLinking: { trustedProviders: ["gitlab"] } },
			hooks: {
				before: createAuthMiddleware(async ({ path }) => {
					if (path === "/callback/:id") pinned.push(currentTenantId());
				}),
			},
		},
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, oauth: { allowPrivateHosts: true } }, [
			{ ...proxy, options: undefined },
		]),
	});
	const [evil, other] = [await world.newTenant("evil"), await world.newTenant("other")];
	for (const tenantId of [evil, other]) {
		const body = {
			tenantId,
			providerId: "gitlab",
			clientId: "client",
			clientSecret: "secret",
			options: { issuer: hostile.origin },
		};
		await world.call("/tenant/oauth-config/register", { operator: true, body });
	}
	const browser = new Browser();
	const body = { provider: "gitlab", callbackURL: "/home" };
	const direct = await world.call("/sign-in/social", { browser, body, headers: { "x-skip-oauth-proxy": "1" } });
	await world.call(await idp().authorize(direct.json.url, ada), { browser });
	pinned.length = 0;
	return { ...world, evil, other, pinned };
};

describe("an OAuth callback with two states", () => {
	// threat 80
	it("signs no user in on the platform with a tenant's identity provider", async () => {
		const { evil, call, database, pinned } = await withProxy();
		const browser = new Browser();
		const begun = await call("/sign-in/social", { browser, body: { provider: "gitlab", callbackURL: "/home" } });
		const state = new URL(begun.json.url).searchParams.get("state") ?? "";
		const answer = await call("/callback/gitlab", {
			browser,
			query: { code: "any", state },
			body: `state=${withTag("any", evil)}`,
			headers: FORM,
		});
		if (answer.location) await call(new URL(answer.location, ORIGIN).toString(), { browser });
		expect((await call("/get-session", { browser })).json).toBeNull();
		expect(await database.query('select "accountId" from "account"')).toEqual([{ accountId: ada.sub }]);
		expect(pinned).not.toContain(evil);
	});

	// threat 80
	it("belongs to no tenant, whichever tenants it names in either place", async () => {
		const { evil, other, call, pinned } = await withProxy();
		const [first, second] = [withTag("state", evil), withTag("state", other)];
		for (const [query, body] of [
			[`state=${first}`, `state=${second}`],
			["state=state", `state=${first}`],
			[`state=${first}`, "state=state"],
			[`state=${first}&state=${second}`, ""],
			[`state=${first}&state=${second}`, `state=${first}`],
		]) {
			pinned.length = 0;
			await call(`/callback/gitlab?${query}`, { body, headers: FORM });
			expect([query, body, pinned]).toEqual([query, body, ["platform"]]);
		}
		pinned.length = 0;
		await call(`/callback/gitlab?state=${first}`, { body: `state=${first}`, headers: FORM });
		expect(pinned).toEqual([evil]);
	});
});
