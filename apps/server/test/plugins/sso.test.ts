import pg from "pg";
import { Browser } from "test-kit/browser";
import { startIdentityProvider } from "test-kit/identity-provider";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Party, type PluginWorld, startPlugins } from "./plugin-world.ts";

let world: PluginWorld;
let idp: Awaited<ReturnType<typeof startIdentityProvider>>;
beforeAll(async () => {
	idp = await startIdentityProvider();
	world = await startPlugins({ TRUSTED_ORIGINS: idp.gitlab.issuer });
}, 60_000);
afterAll(async () => {
	await world.close();
	await idp.close();
});

const register = ({ id, host }: Pick<Party, "id" | "host">, options: object) => {
	const { issuer } = idp.gitlab;
	const body = {
		providerId: "corp",
		issuer,
		domain: "corp.example",
		oidcConfig: {
			clientId: `client-of-${id}`,
			clientSecret: "client-secret",
			skipDiscovery: true,
			authorizationEndpoint: `${issuer}/oauth/authorize`,
			tokenEndpoint: `${issuer}/oauth/token`,
			jwksEndpoint: `${issuer}/oauth/discovery/keys`,
			pkce: true,
			tokenEndpointAuthentication: "client_secret_post",
		},
	};
	return world.call("/sso/register", { host, body, ...options });
};

/** Stands for the DNS record that proves who owns a domain. */
const verifyDomains = async (): Promise<void> => {
	const client = new pg.Client({ connectionString: world.world.database.url });
	await client.connect();
	await client.query(`update "ssoProvider" set "domainVerified" = true`);
	await client.end();
};

it("signs users of two tenants in at their own identity providers, which only operators can register", async () => {
	for (const party of [world.acme, world.globex]) {
		const { id, host, browser } = party;
		expect((await register(party, { browser })).status).toBe(403);
		const made = await register(party, { operator: true });
		const redirectURI = `https://${host}/api/auth/tenants/${id}/sso/callback/corp`;
		expect([made.status, made.json.redirectURI]).toEqual([200, redirectURI]);
		expect(made.text).not.toContain("client-secret");
		idp.addClient({ clientId: `client-of-${id}`, clientSecret: "client-secret", redirectURIs: [redirectURI] });

		const visitor = new Browser();
		const begin = () =>
			world.call("/sign-in/sso", { host, browser: visitor, body: { providerId: "corp", callbackURL: "/home" } });
		// its domain is not verified yet
		expect((await begin()).status).toBe(401);
		await verifyDomains();
		const begun = await begin();
		expect(begun.status).toBe(200);
		const back = new URL(await idp.authorize(String(begun.json.url), { sub: "42", email: "eve@corp.example" }));
		expect(`${back.origin}${back.pathname}`).toBe(redirectURI);
		const path = `${back.pathname.slice("/api/auth".length)}${back.search}`;
		const ended = await world.call(path, { host, browser: visitor });
		expect(ended.location).toMatch(/\/home$/);
		const session = await world.call("/get-session", { host, browser: visitor });
		expect(session.json.user).toMatchObject({ tenantId: id, email: "eve@corp.example" });
	}
});

it("finds no provider of another tenant", async () => {
	const made = await world.call("/tenant/create", { operator: true, body: { name: "Initech", slug: "initech" } });
	const initech = { id: String(made.json.id), host: "initech.app.example.com" };
	const signIn = () => world.call("/sign-in/sso", { ...initech, body: { providerId: "corp", callbackURL: "/home" } });
	expect((await signIn()).status).toBe(404);
	expect((await register(initech, { operator: true })).status).toBe(200);
	await verifyDomains();
	expect((await signIn()).status).toBe(200);
});
