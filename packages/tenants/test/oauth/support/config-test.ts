import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import type { IdentityProvider } from "test-kit/identity-provider";
import { globalProviders, registerClient } from "test-kit/social";
import { type Answer, ORIGIN, type World, type WorldOptions } from "test-kit/world";
import { count, createPair } from "./two-tenants.ts";

export const PAGE = `${ORIGIN}/admin/providers`;

export const OK = `${PAGE}?oauth-test=ok`;
export const failed = (error: string): string => `${PAGE}?oauth-test=failed&error=${error}`;

/** Two tenants with their own clients at the application's GitLab. */
export const createClients = async (idp: IdentityProvider, options: WorldOptions = {}) => {
	const pair = await createPair({ ...options, engine: { socialProviders: globalProviders(idp), ...options.engine } });
	for (const tenantId of [pair.a, pair.b]) await registerClient(pair.world, idp, tenantId, `client-${tenantId}`);
	return pair;
};

/** Registers the GitLab config of a tenant again. */
export const change = (world: World, tenantId: string, fields: Record<string, unknown>): Promise<Answer> =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId: "gitlab",
			clientId: `client-${tenantId}`,
			clientSecret: canarySecret(`client-${tenantId}`),
			...fields,
		},
	});

/** Starts a test as an operator. */
export const startTest = async (
	world: World,
	tenantId: string,
	{ browser = new Browser(), ...fields }: { browser?: Browser; callbackURL?: string; providerId?: string } = {},
): Promise<{ browser: Browser; answer: Answer; url: string }> => {
	const answer = await world.call("/tenant/oauth-config/test", {
		operator: true,
		browser,
		body: { tenantId, providerId: "gitlab", callbackURL: PAGE, ...fields },
	});
	return { browser, answer, url: answer.json?.url };
};

/** What a test could have left behind, in the database and in Redis. */
export const leftBehind = async (world: World): Promise<number[]> => {
	const inRedis = world.options.secondaryStorage ? ["user", "account"] : ["user", "account", "session", "verification"];
	return [...(await Promise.all(inRedis.map((table) => count(world, table)))), (await world.redisKeys()).length];
};

export const NOTHING = [0, 0, 0, 0, 0];
