import assert from "node:assert/strict";
import { type Checks, check, type World } from "../check.ts";
import { ok, redirection, refused, signedInShape } from "../expect.ts";
import type { Answer } from "../http.ts";
import {
	askSignIn,
	deleteConfig,
	deleteTenant,
	type Place,
	registerConfig,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";
import {
	callbackOf,
	failedCallback,
	goToProvider,
	PLAYED,
	registerPlayed,
	signInAtProvider,
	startSocial,
} from "../social.ts";

/** All failures that need no provider: each response, and the browser that got it. */
const failures = async (place: Place) => {
	const [tenant, closed] = await twoTenants(place);
	for (const owner of [tenant, closed]) await registerConfig(place, owner);
	const forged = async (path: string) => {
		const browser = place.visitor();
		return { browser, answer: await browser.get(`/tenant/callback/${path}`) };
	};
	return {
		"the provider's error": await failedCallback(place, tenant, { error: "access_denied" }),
		"neither code nor error": await failedCallback(place, tenant, {}),
		"a deleted config": await failedCallback(place, tenant, { code: "c" }, {}, () =>
			deleteConfig(place, tenant, "github"),
		),
		"a deleted tenant": await failedCallback(place, closed, { code: "c" }, {}, () => deleteTenant(place, closed)),
		"no state": await forged("github?code=c"),
		"a made-up state": await forged("github?code=c&state=made-up"),
		"two states": await forged("github?code=c&state=one&state=two"),
		"an unknown provider": await forged("nowhere?code=c&state=made-up"),
		"nothing at all": await forged("github"),
	};
};

const errorOf = (answer: Answer, place: Place) => redirection(answer, place.base).searchParams.get("error");

/** The application's page at a custom redirect URI passes the provider's response to the callback. */
const handOn = async (world: World, place: Place, tenant: Tenant, callbackURL: string) => {
	const { browser, arrival } = await goToProvider(world, place, tenant);
	const { origin, pathname, search } = new URL(arrival);
	return { browser, arrivedAt: origin + pathname, answer: await browser.visit(callbackURL + search) };
};

export const callbackChecks = {
	"CB-4": check("completes flows at two tenants' own URIs; the provider rejects an unknown URI", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		for (const owner of [tenant, neighbor]) {
			const redirectURI = `${standard.origin}/${owner.slug}/callback`;
			// the tenant's own page sends the code on to this URL
			const { callbackURL } = await registerPlayed(world, standard, owner);
			const { clientId } = await registerPlayed(world, standard, owner, { redirectURI });
			const { browser, arrivedAt, answer } = await handOn(world, standard, owner, callbackURL);
			assert.equal(arrivedAt, redirectURI);
			assert.equal(errorOf(answer, standard), null, `the callback failed: ${answer.headers.get("location")}`);
			assert.equal((await sessionOf(browser))?.session.tenantId, owner.id);
			const [asked] = world.identityProvider().tokenRequests.filter((request) => request.clientId === clientId);
			assert.equal(asked?.redirectURI, redirectURI);
		}
		const redirectURI = `${standard.origin}/forgotten/callback`;
		const knownURIs = [callbackOf(standard, PLAYED)];
		await registerPlayed(world, standard, tenant, { redirectURI, knownURIs });
		await assert.rejects(handOn(world, standard, tenant, callbackOf(standard, PLAYED)));
	}),
	"CB-5": check("completes flows of two tenants and reads tenantId from both sessions", async (world) => {
		const { standard } = world;
		for (const tenant of await twoTenants(standard)) {
			const { clientId, clientSecret } = await registerPlayed(world, standard, tenant);
			const { browser, identity } = await signInAtProvider(world, standard, tenant);
			const signedIn = await sessionOf(browser);
			assert.deepEqual([signedIn?.session.tenantId, signedIn?.user.email], [tenant.id, identity.email]);
			const [asked] = world.identityProvider().tokenRequests.filter((request) => request.clientId === clientId);
			assert.equal(asked?.clientSecret, clientSecret);
		}
	}),
	"CB-6": check("completes a flow and reads where the callback redirects to", async (world) => {
		const { standard } = world;
		const [tenant] = await twoTenants(standard);
		await registerPlayed(world, standard, tenant);
		const callbackURL = `${standard.origin}/inside?tab=1`;
		const { answer } = await signInAtProvider(world, standard, tenant, { fields: { callbackURL } });
		assert.equal(redirection(answer, standard.base).href, callbackURL);
	}),
	"CB-7": check("fails a flow and reads where the callback redirects to", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		const fields = { errorCallbackURL: `${standard.origin}/failed?from=callback` };
		const { answer, browser } = await failedCallback(standard, tenant, { error: "access_denied" }, fields);
		const url = redirection(answer, standard.base);
		assert.equal(url.origin + url.pathname, `${standard.origin}/failed`);
		assert.equal(url.searchParams.get("from"), "callback");
		assert.equal(await sessionOf(browser), null);
	}),
	"CB-8": check("fails in nine ways and looks for the error each time", async ({ standard }) => {
		for (const [failure, { answer, browser }] of Object.entries(await failures(standard))) {
			assert.ok(errorOf(answer, standard), `${failure}: no error`);
			assert.equal(await sessionOf(browser), null, `${failure}: a session was created`);
		}
	}),
	"CB-9": check("fails with and without a description", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		const described = { error: "access_denied", error_description: "The user denied access" };
		for (const query of [{ error: "access_denied" }, described]) {
			const { answer } = await failedCallback(standard, tenant, query);
			const { searchParams } = redirection(answer, standard.base);
			assert.ok(searchParams.get("error"));
			assert.notEqual(searchParams.get("error_description"), "", "an empty description");
			if (query !== described) assert.equal(searchParams.get("error_description"), null);
		}
	}),
	"A-4": check("signs in by the OAuth flow; a forged callback or a password does not", async (world) => {
		const { standard } = world;
		const [tenant] = await twoTenants(standard);
		await registerPlayed(world, standard, tenant);
		const { browser, identity, arrival } = await signInAtProvider(world, standard, tenant);
		assert.equal((await sessionOf(browser))?.user.email, identity.email);
		const forger = standard.visitor();
		assert.ok(errorOf(await forger.visit(arrival), standard));
		assert.equal(await sessionOf(forger), null);
		const person = { name: identity.name, email: identity.email, password: "a-guessed-password" };
		refused(await askSignIn(standard.visitor(), tenant, person));
		const again = await signInAtProvider(world, standard, tenant, { identity });
		const first = ok(await browser.get("/get-session"), signedInShape).user.id;
		assert.equal((await sessionOf(again.browser))?.user.id, first);
	}),
	"X-2": check("returns with a code that the provider does not accept", async (world) => {
		const { standard } = world;
		const [tenant] = await twoTenants(standard);
		const { callbackURL } = await registerPlayed(world, standard, tenant);
		const browser = standard.visitor();
		const started = await startSocial(standard, browser, tenant, { provider: PLAYED, errorCallbackURL: "/oops" });
		const query = new URLSearchParams({ state: started.searchParams.get("state") ?? "", code: "not-a-code" });
		const url = redirection(await browser.visit(`${callbackURL}?${query}`), standard.base);
		assert.equal(url.pathname, "/oops");
		assert.ok(url.searchParams.get("error"));
		assert.equal(await sessionOf(browser), null);
	}),
} satisfies Checks;
