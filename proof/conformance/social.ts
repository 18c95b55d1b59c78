import type { World } from "./check.ts";
import { destination } from "./expect.ts";
import type { Browser } from "./http.ts";
import { type Place, random, registerConfig, type Tenant } from "./place.ts";

/** The provider that the run's identity provider imitates, so that a flow can be completed. */
export const PLAYED = "gitlab";

/** A provider that no deployment of the run configures globally. */
export const UNCONFIGURED = "dropbox";

export const callbackOf = (place: Place, providerId: string) => `${place.base}/tenant/callback/${providerId}`;

const newIdentity = () => {
	const id = random();
	return { sub: `subject-${id}`, email: `person-${id}@provider.example`, emailVerified: true, name: `Person ${id}` };
};

export const askSocial = (browser: Browser, tenant: Tenant, fields: Record<string, unknown> = {}) =>
	browser.post("/tenant/sign-in/social", {
		body: { tenantId: tenant.id, provider: "github", callbackURL: "/welcome", errorCallbackURL: "/oops", ...fields },
	});

/** Starts a social sign-in and returns the provider's URL. */
export const startSocial = async (place: Place, browser: Browser, tenant: Tenant, fields?: Record<string, unknown>) =>
	destination(await askSocial(browser, tenant, fields), place.base);

export const redirectURIOf = async (place: Place, tenant: Tenant) =>
	(await startSocial(place, place.visitor(), tenant)).searchParams.get("redirect_uri");

/** Gives a tenant credentials that the run's identity provider knows. */
export const registerPlayed = async (
	world: World,
	place: Place,
	tenant: Tenant,
	fields: { redirectURI?: string; knownURIs?: string[] } = {},
) => {
	const { redirectURI, knownURIs } = fields;
	const idp = world.identityProvider();
	const registering = { providerId: PLAYED, redirectURI, options: { issuer: idp.gitlab.issuer } };
	const { clientId, clientSecret, config } = await registerConfig(place, tenant, registering);
	// as an administrator copies it to the provider's console
	const callbackURL = config.callbackURL ?? callbackOf(place, PLAYED);
	idp.addClient({ clientId, clientSecret, redirectURIs: knownURIs ?? [redirectURI ?? callbackURL] });
	return { clientId, clientSecret, callbackURL };
};

type Going = { browser?: Browser; identity?: ReturnType<typeof newIdentity>; fields?: Record<string, unknown> };

/** Sends a browser to the provider and back, without opening the final URL. */
export const goToProvider = async (
	world: World,
	place: Place,
	tenant: Tenant,
	{ browser = place.visitor(), identity = newIdentity(), fields = {} }: Going = {},
) => {
	const started = await startSocial(place, browser, tenant, { provider: PLAYED, ...fields });
	return { browser, identity, arrival: await world.identityProvider().authorize(started.href, identity) };
};

/** Sends a browser through the whole flow and returns the callback's response. */
export const signInAtProvider = async (world: World, place: Place, tenant: Tenant, going?: Going) => {
	const arrived = await goToProvider(world, place, tenant, going);
	return { ...arrived, answer: await arrived.browser.visit(arrived.arrival) };
};

/** A callback with a valid state and this query; `meanwhile` runs while the browser is at the provider. */
export const failedCallback = async (
	place: Place,
	tenant: Tenant,
	query: Record<string, string>,
	fields: Record<string, unknown> = {},
	meanwhile: () => Promise<unknown> = async () => {},
) => {
	const browser = place.visitor();
	const state = (await startSocial(place, browser, tenant, fields)).searchParams.get("state") ?? "";
	await meanwhile();
	return { browser, answer: await browser.get("/tenant/callback/github", { query: { state, ...query } }) };
};
