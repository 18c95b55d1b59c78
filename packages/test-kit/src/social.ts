import { afterAll, beforeAll } from "vitest";
import { Browser } from "./browser.ts";
import { canarySecret } from "./canary.ts";
import { type IdentityProvider, type Person, startIdentityProvider } from "./identity-provider.ts";
import { type Answer, ORIGIN, type World } from "./world.ts";

export type Provider = "gitlab" | "microsoft";
export const PROVIDERS = ["gitlab", "microsoft"] as const;

/** A real identity provider for the tests of one file. */
export const useIdentityProvider = (): (() => IdentityProvider) => {
	let idp: IdentityProvider;
	beforeAll(async () => {
		idp = await startIdentityProvider();
	});
	afterAll(() => idp.close());
	return () => idp;
};

/**
 * Global credentials for both providers, registered at the identity provider with the platform's and the tenants'
 * callbacks.
 */
export const globalProviders = (idp: IdentityProvider) => {
	for (const id of PROVIDERS) {
		idp.addClient({
			clientId: `global-${id}`,
			clientSecret: canarySecret(`global-${id}`),
			redirectURIs: [`${ORIGIN}/api/auth/callback/${id}`, `${ORIGIN}/api/auth/tenant/callback/${id}`],
		});
	}
	return {
		gitlab: { clientId: "global-gitlab", clientSecret: canarySecret("global-gitlab"), ...idp.gitlab },
		microsoft: { clientId: "global-microsoft", clientSecret: canarySecret("global-microsoft"), ...idp.microsoft },
	};
};

/** Registers a tenant's own client at the identity provider and in the tenant. */
export const registerClient = async (
	world: World,
	idp: IdentityProvider,
	tenantId: string,
	clientId: string,
): Promise<Answer> => {
	const clientSecret = canarySecret(clientId);
	idp.addClient({
		clientId,
		clientSecret, // the second is for a server that only this tenant uses
		redirectURIs: [
			`${ORIGIN}/api/auth/tenant/callback/gitlab`,
			`${ORIGIN}/api/auth/tenant/callback/gitlab/${tenantId}`,
		],
	});
	const answer = await world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId: "gitlab", clientId, clientSecret, options: idp.gitlab },
	});
	if (answer.status !== 200) throw new Error(`not registered: ${answer.text}`);
	return answer;
};

export type Started = { browser: Browser; url: string; callback: string };

/** Starts a social sign-in to a tenant, or to the platform without one, and consents. */
export const startSocial = async (
	world: World,
	idp: IdentityProvider,
	tenantId: string | undefined,
	person: Person,
	provider: Provider = "gitlab",
	browser = new Browser(),
): Promise<Started> => {
	const body = { provider, callbackURL: "/home", errorCallbackURL: "/failed" };
	const started = tenantId
		? await world.call("/tenant/sign-in/social", { browser, body: { ...body, tenantId } })
		: await world.call("/sign-in/social", { browser, body });
	if (started.status !== 200) throw new Error(`not started: ${started.text}`);
	return { browser, url: started.json.url, callback: await idp.authorize(started.json.url, person) };
};

/** A whole sign-in. Returns the response of the callback. */
export const signInSocially = async (
	world: World,
	idp: IdentityProvider,
	tenantId: string | undefined,
	person: Person,
	provider: Provider = "gitlab",
): Promise<{ browser: Browser; answer: Answer }> => {
	const { browser, callback } = await startSocial(world, idp, tenantId, person, provider);
	return { browser, answer: await world.call(callback, { browser }) };
};

export const errorOf = (answer: Answer): string | null =>
	answer.location ? new URL(answer.location, ORIGIN).searchParams.get("error") : null;
