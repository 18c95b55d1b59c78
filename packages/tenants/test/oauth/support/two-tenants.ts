import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import type { IdentityProvider } from "test-kit/identity-provider";
import { globalProviders } from "test-kit/social";
import { type Answer, createWorld, type World, type WorldOptions } from "test-kit/world";
import { expect } from "vitest";

export const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
export const VICTIM = "victim@example.com";

export const createPair = async (options: WorldOptions = {}) => {
	const world = await createWorld(options);
	return { world, a: await world.newTenant(), b: await world.newTenant() };
};

/** Two tenants that both use the application's GitLab. */
export const createSocialPair = (
	idp: IdentityProvider,
	engine: WorldOptions["engine"] = {},
	options: WorldOptions = {},
) => createPair({ ...options, engine: { socialProviders: { gitlab: globalProviders(idp).gitlab }, ...engine } });

export const register = async (
	world: World,
	tenantId: string,
	providerId: string,
	changes: Record<string, unknown> = {},
) => {
	const answer = await world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId, clientId: "client-of-a", clientSecret: canarySecret("client-of-a"), ...changes },
	});
	expect(answer.status).toBe(200);
};

export const start = (world: World, tenantId: string, provider: string, browser = new Browser()) =>
	world.call("/tenant/sign-in/social", {
		browser,
		body: { tenantId, provider, callbackURL: "/home", errorCallbackURL: "/failed" },
	});

/** The callback to which the provider would redirect, with an invented code. */
export const callbackOf = (started: Answer, sent: Record<string, string> = {}): string => {
	const asked = new URL(started.json.url).searchParams;
	const callback = new URL(asked.get("redirect_uri") ?? "");
	callback.search = new URLSearchParams({ code: "code", state: asked.get("state") ?? "", ...sent }).toString();
	return callback.toString();
};

export const verifyEverybody = (world: World) => world.database.query('update "user" set "emailVerified" = 1');
export const count = async (world: World, table: string, where = "1 = 1") =>
	Number((await world.database.query(`select count(*) as n from "${table}" where ${where}`))[0]?.n);
export const userOf = async (world: World, browser: Browser) =>
	(await world.call("/get-session", { browser })).json?.user ?? null;

/** All user rows outside one tenant. */
export const rowsElsewhere = (world: World, tenantId: string) =>
	Promise.all(
		["user", "account", "session"].map((table) =>
			world.database.query(`select * from "${table}" where "tenantId" <> '${tenantId}' order by "id"`),
		),
	);

export const asForm = (body: Record<string, string>) => ({
	headers: { "content-type": "application/x-www-form-urlencoded" },
	body: new URLSearchParams(body).toString(),
});
