import { createLocalJWKSet, jwtVerify } from "jose";
import { Browser } from "test-kit/browser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authorize, redeem, registerClient } from "./oauth-client.ts";
import { HOST, type PluginWorld, startPlugins } from "./plugin-world.ts";

let world: PluginWorld;
beforeAll(async () => {
	world = await startPlugins();
}, 60_000);
afterAll(() => world.close());

const parties = () => [world.acme, world.globex];

it("publishes an issuer of its own for each tenant's host, with that tenant's keys", async () => {
	const keys = new Set<string>();
	for (const host of [world.acme.host, world.globex.host, HOST]) {
		const issuer = `https://${host}/api/auth`;
		for (const document of ["openid-configuration", "oauth-authorization-server"]) {
			const { json } = await world.call(`/.well-known/${document}`, { host });
			expect(json).toMatchObject({
				issuer,
				authorization_endpoint: `${issuer}/oauth2/authorize`,
				token_endpoint: `${issuer}/oauth2/token`,
				jwks_uri: `${issuer}/jwks`,
			});
			expect(json).not.toHaveProperty("registration_endpoint");
		}
		const { json } = await world.call("/jwks", { host });
		for (const { kid } of json.keys as { kid: string }[]) keys.add(kid);
	}
	// no key is shared
	expect(keys.size).toBeGreaterThanOrEqual(3);
});

it("signs users in to a client by authorization code with PKCE, and issues tokens of the tenant's issuer", async () => {
	for (const party of parties()) {
		const client = await registerClient(world, party);
		const code = (await authorize(world, client, party)).searchParams.get("code") ?? "";
		expect(code).not.toBe("");
		// the code is bound to its verifier
		const wrong = (await authorize(world, client, party)).searchParams.get("code") ?? "";
		expect((await redeem(world, client, wrong, party.host, "x".repeat(43))).status).toBeGreaterThanOrEqual(400);
		const { json: tokens } = await redeem(world, client, code, party.host);
		const { json: jwks } = await world.call("/jwks", { host: party.host });
		const { payload } = await jwtVerify(String(tokens.id_token), createLocalJWKSet(jwks as never), {
			issuer: `https://${party.host}/api/auth`,
			audience: client.client_id,
		});
		expect(payload.tenant_id).toBe(party.id);
		const headers = { authorization: `Bearer ${tokens.access_token}` };
		const user = await world.call("/oauth2/userinfo", { host: party.host, headers });
		expect(user.json).toMatchObject({ sub: payload.sub, email: "ada@example.com", tenant_id: party.id });
		const form = { ...client, grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
		expect((await world.call("/oauth2/token", { host: party.host, form })).status).toBe(200);
	}
});

it("sends users without a session to the sign-in page on the tenant's host", async () => {
	const client = await registerClient(world, world.acme);
	const page = await authorize(world, client, { host: world.acme.host, browser: new Browser() });
	expect([page.origin, page.pathname]).toEqual([`https://${world.acme.host}`, "/login"]);
});

it("lets only operators manage a tenant's clients", async () => {
	const { id: tenantId, browser, host } = world.acme;
	const client = await registerClient(world, world.acme);
	const metadata = { redirect_uris: ["https://evil.example/callback"] };
	const attempts: [string, object][] = [
		["/oauth2/create-client", metadata],
		["/oauth2/register", metadata],
		["/oauth2/update-client", { client_id: client.client_id, update: metadata }],
		["/oauth2/delete-client", { client_id: client.client_id }],
		["/oauth2/client/rotate-secret", { client_id: client.client_id }],
		["/tenant/oauth-client/create", { tenantId, client: metadata }],
		["/tenant/oauth-client/update", { tenantId, client_id: client.client_id, update: metadata }],
		["/tenant/oauth-client/rotate-secret", { tenantId, client_id: client.client_id }],
		["/tenant/oauth-client/delete", { tenantId, client_id: client.client_id }],
	];
	for (const [path, body] of attempts) {
		const { status } = await world.call(path, { host, browser, body });
		expect([path, [401, 403].includes(status)]).toEqual([path, true]);
	}
	expect((await world.call("/oauth2/get-clients", { host, browser })).status).toBe(401);

	const operate = (path: string, body: object) =>
		world.call(`/tenant/oauth-client/${path}`, { operator: true, body: { tenantId, ...body } });
	const list = await world.call("/tenant/oauth-client/list", { operator: true, query: { tenantId } });
	expect(list.text).toContain(client.client_id);
	expect(list.text).not.toContain(client.client_secret);
	const { client_id } = client;
	const renamed = await operate("update", { client_id, update: { client_name: "Shop" } });
	expect([renamed.status, renamed.json.client_name]).toEqual([200, "Shop"]);
	const rotated = await operate("rotate-secret", { client_id });
	expect(rotated.json.client_secret).not.toBe(client.client_secret);
	expect((await operate("delete", { client_id })).json).toEqual({ success: true });
	expect((await operate("delete", { client_id })).status).toBe(404);
	// another tenant's client is like a missing one
	const foreign = await registerClient(world, world.globex);
	expect((await operate("delete", { client_id: foreign.client_id })).status).toBe(404);
	expect((await operate("rotate-secret", { client_id: foreign.client_id })).status).toBe(404);
});
