import assert from "node:assert/strict";
import { type Checks, check } from "../check.ts";
import { redirection } from "../expect.ts";
import { createTenant, onlyConfig, registerConfig, sessionOf, twoTenants } from "../place.ts";
import { callbackOf, goToProvider, PLAYED, registerPlayed, signInAtProvider, startSocial } from "../social.ts";

const errorOf = (location: URL) => location.searchParams.get("error");

export const ownCallbackChecks = {
	"OC-7": check("reads the callback URL of two configs and compares it with the sign-in's", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const options = { issuer: "https://git-for-conformance.example.com" };
		for (const [owner, fields] of [
			[tenant, { providerId: "gitlab", options }],
			[neighbor, { providerId: "gitlab" }],
		] as const) {
			const { config } = await registerConfig(standard, owner, fields);
			assert.ok(config.callbackURL?.startsWith(callbackOf(standard, "gitlab")));
			assert.equal((await onlyConfig(standard, owner)).callbackURL, config.callbackURL);
			const url = await startSocial(standard, standard.visitor(), owner, { provider: "gitlab" });
			assert.equal(url.searchParams.get("redirect_uri"), config.callbackURL);
		}
	}),
	"OC-8": check("lists and uses configs on a server with and on one without global providers", async (world) => {
		const { standard } = world;
		const without = world.at("withoutGlobal");
		const issuer = world.identityProvider().gitlab.issuer;
		for (const at of [standard, without]) {
			const tenant = await createTenant(at);
			await registerConfig(at, tenant, { providerId: PLAYED, options: { issuer } });
			for (const place of [standard, without]) {
				const expected = `${callbackOf(place, PLAYED)}/${tenant.id}`;
				assert.equal((await onlyConfig(place, tenant)).callbackURL, expected);
				const url = await startSocial(place, place.visitor(), tenant, { provider: PLAYED });
				assert.equal(url.searchParams.get("redirect_uri"), expected);
			}
		}
	}),
	// threat 18
	"OC-9": check(
		"completes a flow at a server that only the tenant uses, and returns at the shared callback",
		async (world) => {
			const place = world.at("withoutGlobal");
			const idp = world.identityProvider();
			for (const tenant of await twoTenants(place)) {
				const { clientId, clientSecret, callbackURL } = await registerPlayed(world, place, tenant);
				assert.equal(callbackURL, `${callbackOf(place, PLAYED)}/${tenant.id}`);
				const { browser, identity, arrival, answer } = await signInAtProvider(world, place, tenant);
				assert.ok(arrival.startsWith(`${callbackURL}?`));
				assert.equal(errorOf(redirection(answer, place.base)), null);
				const signedIn = await sessionOf(browser);
				assert.deepEqual([signedIn?.session.tenantId, signedIn?.user.email], [tenant.id, identity.email]);
				const redeemed = () => idp.tokenRequests.filter((request) => request.clientId === clientId);
				assert.deepEqual(
					redeemed().map((request) => [request.clientSecret, request.redirectURI]),
					[[clientSecret, callbackURL]],
				);
				const moved = await goToProvider(world, place, tenant);
				const atShared = callbackOf(place, PLAYED) + new URL(moved.arrival).search;
				assert.equal(errorOf(redirection(await moved.browser.visit(atShared), place.base)), "state_mismatch");
				assert.equal(await sessionOf(moved.browser), null);
				assert.equal(redeemed().length, 1, "a code of another callback was redeemed");
			}
		},
	),
	"OC-10": check("posts the provider's response without cookies, as a cross-site form does", async (world) => {
		const { standard } = world;
		for (const tenant of await twoTenants(standard)) {
			await registerPlayed(world, standard, tenant);
			const { browser, arrival } = await goToProvider(world, standard, tenant);
			const { pathname, searchParams } = new URL(arrival);
			const form = { ...Object.fromEntries(searchParams), id_token: "not-for-the-url" };
			const path = pathname.slice(new URL(standard.base).pathname.length);
			const posted = redirection(await standard.visitor().post(path, { form }), standard.base);
			assert.equal(posted.pathname, pathname);
			assert.ok(!posted.searchParams.has("id_token"));
			assert.equal(errorOf(redirection(await browser.visit(posted.href), standard.base)), null);
			assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
		}
	}),
} satisfies Checks;
