import { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { globalProviders, registerClient, startSocial, useIdentityProvider } from "test-kit/social";
import { visit } from "test-kit/visit";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";
import { useRogueServer } from "./support/rogue-server.ts";
import { ada } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const { rogue, registerRogue } = useRogueServer();

/** A second server on the same database, with its own cache. */
const createSecondProcess = (world: World) => {
	const options = { tenantCache: { maxAge: 60 }, deletion: { drainTime: 0 }, oauth: { allowPrivateHosts: true } };
	const other = betterAuth({ ...world.options, plugins: [tenantAuth(options)] });
	const browser = new Browser();
	const call = visit(other, browser, ORIGIN);
	return { browser, call };
};

describe("a tenant with its own authorization server", () => {
	// threat 27
	it("receives nothing from a process that still caches its deleted config", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const stale = createSecondProcess(world);
		await registerRogue(world, tenantId);
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } });
		rogue.seen.length = 0;
		const { callback } = await startSocial(world, idp(), tenantId, ada, "gitlab", stale.browser);
		expect((await stale.call(callback)).headers.get("location")).toBe("/home");
		expect(rogue.seen).toEqual([]);
	});

	it("links no user through a process that does not know its config yet", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, "victim@example.com");
		await world.database.query('update "user" set "emailVerified" = 1');
		const stale = createSecondProcess(world);
		// it has cached that there is no config
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await registerRogue(world, tenantId);
		rogue.profile = { id: 9, email: "victim@example.com", email_verified: true };
		const started = await world.call("/tenant/sign-in/social", {
			browser: stale.browser,
			body: { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" },
		});
		const url = new URL(started.json.url);
		const answer = await stale.call(
			`${url.searchParams.get("redirect_uri")}?code=x&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`,
		);
		expect(answer.headers.get("location")).toBe("/failed?error=account_not_linked");
	});

	it("receives no code that belongs to another server", async () => {
		// the first attempt to create the user fails, as in a lost race
		let failures = 0;
		const databaseHooks = {
			user: {
				create: {
					before: async () => {
						failures += 1;
						if (failures === 1) throw new Error("lost");
					},
				},
			},
		};
		const world = await createWorld({ engine: { databaseHooks, logger: { disabled: true } } });
		const tenantId = await world.newTenant();
		const stale = createSecondProcess(world);
		await registerRogue(world, tenantId);
		await stale.call(`${ORIGIN}/api/auth/tenant/sign-in/social`, { tenantId, provider: "gitlab" });
		await registerClient(world, idp(), tenantId, "honest-client");
		rogue.seen.length = 0;
		const { callback } = await startSocial(world, idp(), tenantId, ada, "gitlab", stale.browser);
		expect((await stale.call(callback)).headers.get("location")).toBe("/home");
		expect([failures, rogue.seen]).toEqual([2, []]);
	});
});
