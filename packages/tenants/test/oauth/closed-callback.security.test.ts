import { globalProviders, startSocial, useIdentityProvider } from "test-kit/social";
import { ORIGIN } from "test-kit/world";
import { expect, it } from "vitest";
import { ADA, createSharedWorld } from "./support/callback-host.ts";
import { ada, createSocialPair } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

it("does not serve a callback in tenants that the application disabled", async () => {
	const { world, a, b } = await createSocialPair(idp(), {
		socialProviders: globalProviders(idp()),
		disabledPaths: ["/callback/gitlab"],
	});
	for (const tenantId of [a, b]) {
		const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
		const tokens = idp().tokenRequests.length;
		expect((await world.call(callback, { browser })).status).toBe(404);
		expect((await world.call(`/tenant/callback/gitlab/${tenantId}?state=x&code=y`)).status).toBe(404);
		expect(idp().tokenRequests.length).toBe(tokens);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	}
});

it("does not serve it on the callback host either", async () => {
	const world = await createSharedWorld(idp(), { engine: { disabledPaths: ["/callback/microsoft"] } });
	for (const host of ["acme.localhost", "globex.localhost"]) {
		const { url } = await world.begin(host, { provider: "microsoft" });
		const redeemed = world.redeemed();
		const callback = await idp().authorize(url, ADA);
		expect((await world.follow(callback)).status).toBe(404);
		expect(world.redeemed()).toBe(redeemed);
	}
	expect(await world.users()).toEqual([]);
});

it("redirects a callback whose state is repeated to the error page", async () => {
	const { world, a } = await createSocialPair(idp(), { socialProviders: globalProviders(idp()) });
	const answer = await world.call(`/tenant/callback/gitlab/${a}?state=one&state=two&code=three`);
	expect([answer.status, answer.location]).toEqual([302, `${ORIGIN}/api/auth/error?error=invalid_callback_request`]);
});
