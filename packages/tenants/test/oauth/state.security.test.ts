import { Browser } from "test-kit/browser";
import { errorOf, globalProviders, PROVIDERS, startSocial, useIdentityProvider } from "test-kit/social";
import { createWorld, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { count, createSocialPair, userOf } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
const withProviders = () => ({ engine: { socialProviders: globalProviders(idp()) } });

describe("an OAuth state", () => {
	// threat 14
	it("is accepted in four of sixteen combinations: Better Auth's and a tenant's flow, with two providers", async () => {
		const world = await createWorld(withProviders());
		const tenantId = await world.newTenant();
		const flows = PROVIDERS.flatMap((provider) => [
			{ provider, tenantId: undefined, path: `/callback/${provider}` },
			{ provider, tenantId, path: `/tenant/callback/${provider}` },
		]);
		const passed: string[] = [];
		for (const start of flows) {
			for (const finish of flows) {
				const { browser, callback } = await startSocial(world, idp(), start.tenantId, ada, start.provider);
				const tokens = idp().tokenRequests.length;
				const answer = await world.call(`${ORIGIN}/api/auth${finish.path}${new URL(callback).search}`, { browser });
				const session = await world.call("/get-session", { browser });
				if (answer.location === "/home") passed.push(`${start.path} -> ${finish.path}`);
				else {
					expect([start.path, finish.path, errorOf(answer)]).toEqual([start.path, finish.path, "state_mismatch"]);
					expect(session.json).toBeNull();
					expect(idp().tokenRequests.length).toBe(tokens);
				}
			}
		}
		expect(passed).toEqual(flows.map(({ path }) => `${path} -> ${path}`));
	});

	// threat 12
	it("belongs to its tenant, whatever header, query or edited tag the callback has", async () => {
		const world = await createWorld(withProviders());
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const hinted = await startSocial(world, idp(), a, ada);
		await world.call(hinted.callback, { browser: hinted.browser, tenant: b, query: { tenantId: b } });
		expect((await world.call("/get-session", { browser: hinted.browser })).json.session.tenantId).toBe(a);

		const edited = await startSocial(world, idp(), a, ada);
		const url = new URL(edited.callback);
		const [state] = (url.searchParams.get("state") ?? "").split("~");
		for (const forged of [state, `${state}~${btoa(b).replace(/=+$/, "")}`, `${state}~@@`]) {
			url.searchParams.set("state", forged ?? "");
			const answer = await world.call(url.toString(), { browser: edited.browser.copy() });
			expect(errorOf(answer)).toBe("state_mismatch");
		}
		const users = await world.database.query('select "tenantId" from "user"');
		expect(users).toEqual([{ tenantId: a }]);
	});

	// threat 13
	it("takes no tenant and no binding from the client", async () => {
		const world = await createWorld(withProviders());
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = new Browser();
		const started = await world.call("/sign-in/social", {
			browser,
			tenant: a,
			body: {
				provider: "gitlab",
				callbackURL: "/home",
				additionalData: {
					tenantId: b,
					serverContext: { tenantAuth: { tenantId: b, providerId: "gitlab", source: "global" } },
				},
			},
		});
		await world.call(await idp().authorize(started.json.url, ada), { browser });
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
	});

	// threat 17
	it("is rejected in another browser", async () => {
		const world = await createWorld(withProviders());
		const tenantId = await world.newTenant();
		const { callback } = await startSocial(world, idp(), tenantId, ada);
		const stranger = new Browser();
		expect(errorOf(await world.call(callback, { browser: stranger }))).toBe("state_mismatch");
		expect((await world.call("/get-session", { browser: stranger })).json).toBeNull();
	});

	// threat 16
	it("is rejected as any other kind of token", async () => {
		const world = await createWorld(withProviders());
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, "victim@example.com");
		const { callback } = await startSocial(world, idp(), tenantId, ada);
		const state = new URL(callback).searchParams.get("state") ?? "";
		for (const token of [state, `auth-state:${state}`]) {
			expect((await world.call("/verify-email", { query: { token } })).status).toBe(401);
			expect((await world.call("/reset-password", { body: { token, newPassword: "taken over" } })).status).toBe(400);
		}
	});

	// threat 17
	it("is stored on the server and bound to the cookie, even if the application stores states in cookies", async () => {
		const world = await createWorld({
			engine: {
				socialProviders: globalProviders(idp()),
				account: { storeStateStrategy: "cookie", skipStateCookieCheck: true },
			},
		});
		const tenantId = await world.newTenant();
		const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
		expect((await world.database.query('select "tenantId" from "verification"')).map((row) => row.tenantId)).toEqual([
			tenantId,
		]);
		expect(errorOf(await world.call(callback, { browser: new Browser() }))).toBe("state_mismatch");
		// the failed attempt did not use it up
		expect((await world.call(callback, { browser })).location).toBe("/home");
		expect(errorOf(await world.call(callback, { browser }))).toBe("state_mismatch");
	});
});

describe("a state of the platform", () => {
	// threat 13
	it("is rejected by every tenant's callback, with a forged binding and with a tenant's tag", async () => {
		const { world, a, b } = await createSocialPair(idp());
		const binding = { tenantId: b, providerId: "gitlab", source: "global", callback: "/tenant/callback/gitlab" };
		for (const tag of [null, a, b]) {
			const browser = new Browser();
			const started = await world.call("/sign-in/social", {
				browser,
				body: {
					provider: "gitlab",
					callbackURL: "/home",
					additionalData: { tenantId: b, serverContext: { tenantAuth: binding } },
				},
			});
			const callback = new URL(await idp().authorize(started.json.url, ada));
			callback.pathname = "/api/auth/tenant/callback/gitlab";
			const state = callback.searchParams.get("state") ?? "";
			if (tag) callback.searchParams.set("state", `${state}~${btoa(tag).replace(/=+$/, "")}`);
			const tokens = idp().tokenRequests.length;
			const answer = await world.call(callback.toString(), { browser });
			expect([tag, errorOf(answer)]).toEqual([tag, "state_mismatch"]);
			expect(idp().tokenRequests.length).toBe(tokens);
			expect(await userOf(world, browser)).toBeNull();
		}
		expect([await count(world, "user"), await count(world, "session")]).toEqual([0, 0]);
	});
});

describe("a state of the platform in a cookie", () => {
	// threat 14
	it("ends at its own callback only", async () => {
		const world = await createWorld({
			engine: { socialProviders: globalProviders(idp()), account: { storeStateStrategy: "cookie" } },
		});
		for (const path of ["/callback/microsoft", "/tenant/callback/gitlab"]) {
			const { browser, callback } = await startSocial(world, idp(), undefined, ada);
			const tokens = idp().tokenRequests.length;
			const answer = await world.call(`${ORIGIN}/api/auth${path}${new URL(callback).search}`, { browser });
			expect([path, errorOf(answer) !== null, idp().tokenRequests.length]).toEqual([path, true, tokens]);
		}
		const { browser, callback } = await startSocial(world, idp(), undefined, ada);
		expect((await world.call(callback, { browser })).location).toBe("/home");
	});
});
