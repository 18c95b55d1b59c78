import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { errorOf, globalProviders, registerClient, signInSocially, useIdentityProvider } from "test-kit/social";
import { createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };

const register = (world: World, tenantId: string, changes: Record<string, unknown>) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId: "gitlab",
			clientId: "changing",
			clientSecret: canarySecret("changing"),
			options: idp().gitlab,
			...changes,
		},
	});

/** Changes to a config during a sign-in. */
const CHANGES: Record<string, (world: World, tenantId: string) => Promise<unknown>> = {
	"another client": (world, tenantId) => register(world, tenantId, { clientId: "another" }),
	"a rotated secret": (world, tenantId) => register(world, tenantId, { clientSecret: canarySecret("rotated") }),
	"another redirect URI": (world, tenantId) =>
		register(world, tenantId, { redirectURI: "http://localhost:3000/custom/callback" }),
	"other scopes": (world, tenantId) => register(world, tenantId, { scopes: ["api"] }),
	"the same again": (world, tenantId) => register(world, tenantId, {}),
	disabled: (world, tenantId) => register(world, tenantId, { enabled: false }),
	deleted: (world, tenantId) =>
		world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } }),
	"the tenant deleted": (world, tenantId) => world.call("/tenant/delete", { operator: true, body: { tenantId } }),
};
const POINTS = [
	"before the provider is reached",
	"while the user is at the provider",
	"before the callback",
	"after the sign-in, for the next one",
] as const;

describe.each(Object.keys(CHANGES))("a config that changes during a flow: %s", (change) => {
	// threats 22 and 27
	it.each(POINTS)("%s ends in one error code: no user, no session, no call with other credentials", async (point) => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "changing");
		const happen = async (now: (typeof POINTS)[number]) => {
			if (now === point) await CHANGES[change]?.(world, tenantId);
		};
		if (point === POINTS[3]) {
			// a change does not undo a completed flow
			const { answer } = await signInSocially(world, idp(), tenantId, ada);
			expect(answer.location).toBe("/home");
			await happen(POINTS[3]);
			const left = change === "the tenant deleted" ? 0 : 1;
			expect(await world.database.query(`select count(*) as n from "user" where "tenantId" = '${tenantId}'`)).toEqual([
				{ n: left },
			]);
			return;
		}
		const browser = new Browser();
		const body = { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" };
		const started = await world.call("/tenant/sign-in/social", { browser, body });
		await happen(POINTS[0]);
		const [callback] = await Promise.all([idp().authorize(started.json.url, ada), happen(POINTS[1])]);
		await happen(POINTS[2]);
		const tokens = idp().tokenRequests.length;
		expect(errorOf(await world.call(callback, { browser }))).toBe("state_mismatch");
		expect(idp().tokenRequests.length).toBe(tokens);
		expect(await world.database.query(`select count(*) as n from "user"`)).toEqual([{ n: 0 }]);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});
});

describe("a tenant that changes its credentials", () => {
	// threat 9
	it("keeps its users if the server stays the same, from the global client to its own and back", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const whoami = async () => {
			const { browser } = await signInSocially(world, idp(), tenantId, ada);
			return (await world.call("/get-session", { browser })).json.user.id;
		};
		const before = await whoami();
		await registerClient(world, idp(), tenantId, "own-client");
		expect(await whoami()).toBe(before);
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } });
		expect(await whoami()).toBe(before);
		expect(await world.database.query('select count(*) as n from "account"')).toEqual([{ n: 1 }]);
	});
});
