import { canarySecret } from "test-kit/canary";
import { createWorld, type World } from "test-kit/world";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { PROVIDER_SETTINGS, type ProviderSettings } from "../../../src/features/oauth/provider-settings.ts";

export const CLIENT_ID = "client-of-the-tenant";
export const EXTRA_SCOPE = "one.more:scope";

export const SETTINGS = Object.entries<ProviderSettings>(PROVIDER_SETTINGS).flatMap(([providerId, { settings }]) =>
	Object.entries(settings).map(([name, setting]) => ({ providerId, name, setting, id: `${providerId}.${name}` })),
);

/** As in production: hosts must be public. */
export const createStrictWorld = () => createWorld({ tenantAuth: { oauth: { allowPrivateHosts: false } } });

const register = (world: World, tenantId: string, providerId: string, options?: Record<string, unknown>) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId,
			clientId: CLIENT_ID,
			clientSecret: canarySecret(providerId),
			scopes: [EXTRA_SCOPE],
			...(options ? { options } : {}),
		},
	});

export const start = (world: World, tenantId: string, provider: string) =>
	world.call("/tenant/sign-in/social", { body: { tenantId, provider } });

/** Registers a config, starts a sign-in and returns its authorization URL. */
export const startWith = async (
	world: World,
	tenantId: string,
	providerId: string,
	options?: Record<string, unknown>,
): Promise<URL> => {
	const registered = await register(world, tenantId, providerId, options);
	expect([providerId, options, registered.status, registered.code]).toEqual([providerId, options, 200, undefined]);
	const started = await start(world, tenantId, providerId);
	expect([providerId, options, started.status, started.code]).toEqual([providerId, options, 200, undefined]);
	return new URL(started.json.url);
};

export const expectRefused = async (
	world: World,
	tenantId: string,
	providerId: string,
	options: Record<string, unknown> | undefined,
): Promise<void> => {
	const answer = await register(world, tenantId, providerId, options);
	expect([providerId, options, answer.status, answer.code]).toEqual([
		providerId,
		options,
		400,
		"INVALID_PROVIDER_OPTIONS",
	]);
};

/** Fails a test that makes a request: starting a sign-in requires no network. */
export const forbidNetwork = (): void => {
	const calls: string[] = [];
	beforeEach(() => {
		calls.length = 0;
		vi.stubGlobal("fetch", async (input: unknown) => {
			calls.push(String(input));
			throw new TypeError("no network in this test");
		});
	});
	afterEach(() => {
		vi.unstubAllGlobals();
		expect(calls).toEqual([]);
	});
};
