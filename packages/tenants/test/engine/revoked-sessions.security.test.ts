import { deviceAuthorization } from "better-auth/plugins/device-authorization";
import type { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { globalProviders, useIdentityProvider } from "test-kit/social";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isFixed } from "./support/is-fixed.ts";

const idp = useIdentityProvider();

// attacks that the installed version of the engine allows, or has fixed: see docs/engine-versions.md
describe("a stolen session that its user revokes", () => {
	it("approves a device while its cookie is cached, until it is fixed", async () => {
		const world = await composedWorld([deviceAuthorization({ verificationUri: "/device" })], {
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		const { a, b, ok, call } = world;
		const fixed = await isFixed(world, "session.cookieCache with deviceAuthorization");
		const browser = await world.signUp(a, "ada@example.com");
		const neighbor = await world.signUp(b, "ada@example.com");
		const stolen = browser.copy();
		const userCode = (await ok("/device/code", { tenant: a, body: { client_id: "tv" } })).json.user_code;
		const look = (by: Browser) => call("/device", { browser: by, query: { user_code: userCode } });
		const approve = (by: Browser) => call("/device/approve", { browser: by, body: { userCode } });
		await ok("/revoke-sessions", { browser, body: {} });

		// a session of the other tenant never approves it
		await look(neighbor);
		expect((await approve(neighbor)).status).toBeGreaterThanOrEqual(400);
		await look(stolen.copy());
		expect((await approve(stolen.copy())).status).toBe(fixed ? 401 : 200);
		const rows = await world.database.query(`select "tenantId", "status" from "deviceCode"`);
		expect(rows).toEqual([{ tenantId: a, status: fixed ? "pending" : "approved" }]);
	});

	it("completes a flow that links the attacker's account, until it is fixed", async () => {
		const world = await createWorld({
			engine: {
				socialProviders: globalProviders(idp()),
				account: { accountLinking: { allowDifferentEmails: true } },
			},
		});
		const fixed = await isFixed(world, "account.accountLinking.allowDifferentEmails");
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const stolen = browser.copy();
		const started = await world.call("/link-social", {
			browser: stolen,
			body: { provider: "gitlab", callbackURL: "/linked", errorCallbackURL: "/failed" },
		});
		const mallory = { sub: "666", email: "mallory@example.com", emailVerified: true };
		const callback = await idp().authorize(started.json.url, mallory);
		await world.call("/revoke-sessions", { browser, body: {} });
		const ended = await world.call(callback, { browser: stolen });
		expect(ended.location).toMatch(fixed ? /error=unable_to_link_account/ : /\/linked$/);
		const linked = await world.database.query(`select "tenantId" from "account" where "providerId" = 'gitlab'`);
		expect(linked).toEqual(fixed ? [] : [{ tenantId: a }]);
	});
});
