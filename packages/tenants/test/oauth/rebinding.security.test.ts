import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { makeCertificates } from "test-kit/certificates";
import { fakeNetwork, PUBLIC_V4 } from "test-kit/fake-network";
import { createWorld, type World } from "test-kit/world";
import { afterAll, beforeAll, expect, it } from "vitest";

const [ROGUE, HONEST] = ["gitlab.rogue.example.com", "gitlab.honest.example.com"];

/** A GitLab look-alike under both names: public if the network leads a public address to it, otherwise private. */
let gitlab: Server;
let port = 0;
const calls: string[] = [];
const standardCas = tls.getCACertificates();
beforeAll(async () => {
	const { ca, cert, key } = makeCertificates([ROGUE, HONEST]);
	tls.setDefaultCACertificates([...standardCas, ca]);
	gitlab = createServer({ cert, key }, ({ headers, url }: IncomingMessage, response: ServerResponse) => {
		calls.push(`${headers.host}${url}`);
		const tokens = { access_token: "token", token_type: "Bearer", expires_in: 3600 };
		const profile = { id: 7, name: "Ada", email: "ada@example.com", state: "active" };
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(url === "/oauth/token" ? tokens : profile));
	});
	await new Promise<void>((resolve) => gitlab.listen(0, "127.0.0.1", resolve));
	port = (gitlab.address() as AddressInfo).port;
});
afterAll(() => {
	tls.setDefaultCACertificates(standardCas);
	gitlab.closeAllConnections();
	gitlab.close();
});

const createTenant = async (world: World, host: string): Promise<string> => {
	const tenantId = await world.newTenant();
	const options = { issuer: `https://${host}:${port}` };
	const credentials = { clientId: "client", clientSecret: canarySecret("rebinding"), options };
	const body = { tenantId, providerId: "gitlab", ...credentials };
	expect((await world.call("/tenant/oauth-config/register", { operator: true, body })).status).toBe(200);
	return tenantId;
};

const signIn = async (world: World, tenantId: string): Promise<string | null> => {
	const browser = new Browser();
	const body = { tenantId, provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" };
	const started = await world.call("/tenant/sign-in/social", { browser, body });
	const asked = new URL(started.json.url).searchParams;
	const query = { code: "code", state: asked.get("state") ?? "" };
	return (await world.call(asked.get("redirect_uri") ?? "", { browser, query })).location;
};

// threat 23
it("signs in through a tenant's own server at the checked address, and calls nothing private if its name moves", async () => {
	const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: false } } });
	const [rogue, honest] = [await createTenant(world, ROGUE), await createTenant(world, HONEST)];
	// public for the first lookup, for the token; private from then on, for the profile
	const network = fakeNetwork({ [ROGUE]: [[PUBLIC_V4], ["127.0.0.1"]], [HONEST]: [[PUBLIC_V4]] });
	expect(await signIn(world, rogue)).toBe("/failed?error=unable_to_get_user_info");
	expect([network.lookups, network.targets]).toEqual([[ROGUE, ROGUE], [PUBLIC_V4]]);
	expect(await signIn(world, rogue)).toBe("/failed?error=invalid_code");
	expect(network.targets).toEqual([PUBLIC_V4]);
	expect(await signIn(world, honest)).toBe("/home");
	expect(calls).toEqual([
		`${ROGUE}:${port}/oauth/token`,
		`${HONEST}:${port}/oauth/token`,
		`${HONEST}:${port}/api/v4/user`,
	]);
	const users = await world.database.query('select "tenantId", "email" from "user"');
	expect(users).toEqual([{ tenantId: honest, email: "ada@example.com" }]);
});
