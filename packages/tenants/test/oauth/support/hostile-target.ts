import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { type HostileProvider, json, startHostileProvider } from "test-kit/hostile-provider";
import { createWorld, type World } from "test-kit/world";
import { afterAll, afterEach, beforeAll } from "vitest";

/** Seconds that a sign-in may spend on its provider, in tests of the deadline and in all others. */
export const TIMEOUT = 0.4;
export const PATIENT = 60;
export const DIRECTORY = "7c0f9d3e-52a4-4b1b-9d7e-3f6a1c2b8e90";
export const good = { access_token: "access", token_type: "Bearer", refresh_token: "refresh", expires_in: 3600 };
export const profile = { id: 1, state: "active", name: "Ada", email: "ada@example.com", email_verified: true };

/** Runs a hostile provider for the tests of one file. It behaves well unless a test says otherwise. */
export const useHostileProvider = () => {
	let provider: HostileProvider;
	beforeAll(async () => {
		provider = await startHostileProvider();
	});
	afterEach(() => {
		provider.token = json(good);
		provider.user = json(profile);
	});
	afterAll(() => provider.close());

	/** Two tenants. `a` signs in at the hostile provider. */
	const createTarget = async (providerId: "gitlab" | "microsoft" = "gitlab", providerTimeout = TIMEOUT) => {
		const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: true, providerTimeout } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await world.signUp(b, "ada@example.com");
		const options =
			providerId === "gitlab"
				? { issuer: provider.origin }
				: { authority: provider.origin, tenantId: DIRECTORY, disableProfilePhoto: true };
		await world.call("/tenant/oauth-config/register", {
			operator: true,
			body: { tenantId: a, providerId, clientId: "client", clientSecret: canarySecret("hostile"), options },
		});
		return { world, a, b };
	};

	/** One sign-in, as far as the provider allows. */
	const attempt = async (world: World, tenantId: string, providerId = "gitlab") => {
		const browser = new Browser();
		const started = await world.call("/tenant/sign-in/social", {
			browser,
			body: { tenantId, provider: providerId, callbackURL: "/home", errorCallbackURL: "/failed" },
		});
		const url = new URL(started.json.url);
		const callback = `${url.searchParams.get("redirect_uri")}?code=code&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`;
		return { answer: await world.call(callback, { browser }), browser };
	};

	return { provider: () => provider, createTarget, attempt };
};
