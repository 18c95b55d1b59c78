import { Browser } from "test-kit/browser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authorize, redeem, registerClient } from "./oauth-client.ts";
import { HOST, PASSWORD, type PluginWorld, startPlugins } from "./plugin-world.ts";

let world: PluginWorld;
beforeAll(async () => {
	world = await startPlugins();
}, 60_000);
afterAll(() => world.close());

it("leads a visitor through the sign-in and consent pages of the tenant's host, and back to the client", async () => {
	for (const party of [world.acme, world.globex]) {
		const { host } = party;
		const client = await registerClient(world, party, { skip_consent: false });
		const browser = new Browser();
		const login = await authorize(world, client, { host, browser });
		expect([login.origin, login.pathname]).toEqual([`https://${host}`, "/login"]);

		// the page's query is signed for this tenant
		const signIn = (at: string, visitor: Browser) =>
			world.call("/sign-in/email", {
				host: at,
				browser: visitor,
				body: { email: "ada@example.com", password: PASSWORD, oauth_query: login.search.slice(1) },
			});
		const other = party === world.acme ? world.globex : world.acme;
		for (const at of [other.host, HOST]) {
			const misled = await signIn(at, new Browser());
			expect([misled.status, misled.json.error]).toEqual([400, "invalid_signature"]);
		}

		const signedIn = await signIn(host, browser);
		const consent = new URL(String(signedIn.json.url), `https://${host}`);
		expect([consent.origin, consent.pathname]).toEqual([`https://${host}`, "/consent"]);
		const body = { accept: true, oauth_query: consent.search.slice(1) };
		const consented = await world.call("/oauth2/consent", { host, browser, body });
		const back = new URL(String(consented.json.url ?? consented.json.redirect_uri));
		expect([back.hostname, back.searchParams.get("iss")]).toEqual(["client.example.com", `https://${host}/api/auth`]);
		const tokens = await redeem(world, client, back.searchParams.get("code") ?? "", host);
		expect(tokens.json.id_token).toEqual(expect.any(String));
	}
});

it("names the tenant's host in the callback URL of a config that is registered there", async () => {
	const body = {
		tenantId: world.acme.id,
		providerId: "github",
		clientId: "client",
		clientSecret: "client-secret",
	};
	const { host } = world.acme;
	const made = await world.call("/tenant/oauth-config/register", { operator: true, host, body });
	expect(made.status).toBe(200);
	expect(made.json.callbackURL).toBe(`https://${host}/api/auth/tenant/callback/github`);
});
