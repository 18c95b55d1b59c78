import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { globalProviders, registerClient, startSocial, useIdentityProvider } from "test-kit/social";
import { type Answer, createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ada, count, createPair, userOf } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const ERROR_PAGE = `${ORIGIN}/api/auth/error?error=`;

/** Two tenants with their own clients at the application's GitLab. */
const createClients = async () => {
	const pair = await createPair({ engine: { socialProviders: globalProviders(idp()) } });
	for (const tenantId of [pair.a, pair.b]) await registerClient(pair.world, idp(), tenantId, `client-${tenantId}`);
	return pair;
};

const change = (world: World, tenantId: string, fields: Record<string, unknown>) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId: "gitlab",
			clientId: `client-${tenantId}`,
			clientSecret: canarySecret(`client-${tenantId}`),
			...fields,
		},
	});

/** What an operator can do to a config while a user is at the provider. */
const CHANGES: Record<string, (world: World, tenantId: string) => Promise<unknown>> = {
	"a rotated secret": (world, tenantId) => change(world, tenantId, { clientSecret: canarySecret("rotated") }),
	"another server": (world, tenantId) => change(world, tenantId, { options: null }),
	disabled: (world, tenantId) => change(world, tenantId, { enabled: false }),
	deleted: (world, tenantId) =>
		world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } }),
	unreadable: async (world, tenantId) => {
		await world.database.query(
			`update "tenantOauthConfig" set "clientSecret" = 'lost' where "tenantId" = '${tenantId}'`,
		);
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
	},
};

/** Callbacks that a sign-in to tenant `a` with GitLab does not end at. */
const wrongPaths = (b: string) => [
	"/tenant/callback/microsoft",
	"/tenant/callback/nowhere",
	`/tenant/callback/gitlab/${b}`,
	"/callback/gitlab",
	"/callback/microsoft",
];

const expectNothing = async (world: World, browser: Browser, tokens: number) => {
	expect(idp().tokenRequests.length).toBe(tokens);
	expect(await userOf(world, browser)).toBeNull();
	expect([await count(world, "user"), await count(world, "account")]).toEqual([0, 0]);
};

describe("errorCallbackURL", () => {
	// threat 27
	it.each(Object.keys(CHANGES))("is where a sign-in ends whose config changes: %s", async (name) => {
		const { world, a, b } = await createClients();
		const { browser, callback } = await startSocial(world, idp(), a, ada);
		const other = await startSocial(world, idp(), b, ada);
		await CHANGES[name]?.(world, a);
		const tokens = idp().tokenRequests.length;
		expect((await world.call(callback, { browser })).location).toBe("/failed?error=state_mismatch");
		await expectNothing(world, browser, tokens);
		// the other tenant's sign-in continues
		expect((await world.call(other.callback, { browser: other.browser })).location).toBe("/home");
	});

	// threats 14 and 18
	it("is where a sign-in ends that returns to another callback", async () => {
		const { world, a, b } = await createClients();
		for (const path of wrongPaths(b)) {
			const { browser, callback } = await startSocial(world, idp(), a, ada);
			const tokens = idp().tokenRequests.length;
			const wrong = `${ORIGIN}/api/auth${path}${new URL(callback).search}`;
			expect([path, (await world.call(wrong, { browser })).location]).toEqual([path, "/failed?error=state_mismatch"]);
			await expectNothing(world, browser, tokens);
			// the state is used up, so nothing is known about it any more
			for (const again of [wrong, callback])
				expect((await world.call(again, { browser })).location).toBe(`${ERROR_PAGE}state_mismatch`);
			await expectNothing(world, browser, tokens);
		}
	});

	it("is where a sign-in ends whose callback repeats a parameter", async () => {
		const { world, a, b } = await createClients();
		for (const tenantId of [a, b]) {
			const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
			const tokens = idp().tokenRequests.length;
			const answer = await world.call(`${callback}&code=another`, { browser });
			expect(answer.location).toBe("/failed?error=invalid_callback_request");
			await expectNothing(world, browser, tokens);
		}
	});

	// threats 12 and 24
	it("is not used for a state of another tenant, a state that was edited, or none", async () => {
		const { world, a, b } = await createClients();
		const tokens = idp().tokenRequests.length;
		const { browser, callback } = await startSocial(world, idp(), a, ada);
		const url = new URL(callback);
		const [state = ""] = (url.searchParams.get("state") ?? "").split("~");
		const sendWith = (forged: string): Promise<Answer> => {
			url.searchParams.set("state", forged);
			return world.call(url.toString(), { browser: browser.copy() });
		};
		for (const forged of [state, `${state}x`, `${state}~${btoa(b).replace(/=+$/, "")}`, ""])
			expect([forged, (await sendWith(forged)).location]).toEqual([forged, expect.stringContaining(ERROR_PAGE)]);
		await expectNothing(world, browser, tokens);
		// none of that used it up
		expect((await world.call(callback, { browser })).location).toBe("/home");
	});

	it("is the application's error page if a sign-in names none", async () => {
		const world = await createWorld({ engine: { socialProviders: globalProviders(idp()) } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) {
			const browser = new Browser();
			const body = { tenantId, provider: "gitlab", callbackURL: "/home" };
			const started = await world.call("/tenant/sign-in/social", { browser, body });
			await registerClient(world, idp(), tenantId, `client-${tenantId}`);
			const callback = await idp().authorize(started.json.url, ada);
			expect((await world.call(callback, { browser })).location).toBe(`${ERROR_PAGE}state_mismatch`);
		}
	});
});
