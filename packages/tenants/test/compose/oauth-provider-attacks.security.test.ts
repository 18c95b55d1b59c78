import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { form, RESOURCE } from "./support/oauth-clients.ts";
import { providerWorld, serveItself } from "./support/provider-world.ts";

// threat 65
it("rejects one tenant's ID token at another tenant's logout, with any client and tenant", async () => {
	const client = { enable_end_session: true };
	const { auth, sides, tokensOf, call, ok } = await providerWorld({ client });
	serveItself(auth.handler);
	const { a, b, platform } = sides;
	for (const [mine, theirs] of [
		[a, b],
		[b, platform],
		[platform, b],
	] as const) {
		const signIn = async ({ tenant }: Pick<typeof a, "tenant">) => {
			const browser = new Browser();
			await ok("/sign-in/email", { tenant, browser, body: { email: "ada@example.com", password: PASSWORD } });
			return browser;
		};
		const { id_token = "" } = await tokensOf({ ...mine, browser: await signIn(mine) });
		const browser = await signIn(theirs);
		for (const tenant of [undefined, theirs.tenant]) {
			for (const client_id of [undefined, theirs.client.client_id]) {
				const query = { id_token_hint: id_token, ...(client_id ? { client_id } : {}) };
				await call("/oauth2/end-session", { tenant, query });
			}
		}
		expect((await call("/get-session", { browser })).json?.user.id).toBe(theirs.userId);
	}
});

// threat 65
it("rejects another tenant's signed authorization request", async () => {
	const { a, b, sides, authorize, call } = await providerWorld();
	const oauth_query = (await authorize(sides.a.client, { browser: new Browser() })).search.slice(1);
	const body = { email: "ada@example.com", password: PASSWORD, oauth_query };
	for (const tenant of [b, undefined]) {
		const answer = await call("/sign-in/email", { tenant, body });
		expect([answer.status, answer.json.error]).toEqual([400, "invalid_signature"]);
	}
	expect((await call("/tenant/sign-in/email", { body: { ...body, tenantId: b } })).status).toBe(400);
	for (const path of ["/oauth2/consent", "/oauth2/continue"]) {
		for (const { browser } of [sides.b, sides.platform]) {
			const answer = await call(path, { browser, body: { accept: true, selected: true, oauth_query } });
			expect([answer.status, answer.json.error]).toEqual([400, "invalid_signature"]);
		}
	}
	expect((await call("/sign-in/email", { tenant: a, body })).json.url).toContain("code=");
});

// threat 65
it("lets neither a client nor its owner revoke or read another tenant's tokens", async () => {
	const { a, b, sides, tokensOf, call } = await providerWorld();
	const opaque = await tokensOf(sides.b);
	const signed = await tokensOf(sides.b, { resource: RESOURCE });
	for (const token of [opaque.access_token, opaque.refresh_token, signed.access_token]) {
		for (const tenant of [undefined, a, b]) {
			const fields = form({ ...sides.a.client, token: token ?? "" });
			expect((await call("/oauth2/revoke", { ...fields, tenant })).status).toBeGreaterThanOrEqual(400);
			expect((await call("/oauth2/introspect", { ...fields, tenant })).json?.active).not.toBe(true);
		}
	}
	const { client_id } = sides.b.client;
	const { browser } = sides.a;
	for (const path of ["/oauth2/get-client", "/oauth2/public-client"])
		expect((await call(path, { browser, query: { client_id } })).status).toBe(404);
	for (const path of ["/oauth2/client/rotate-secret", "/oauth2/delete-client", "/oauth2/update-client"])
		expect((await call(path, { browser, body: { client_id, update: { client_name: "mine" } } })).status).toBe(404);
	for (const { access_token } of [opaque, signed]) {
		const headers = { authorization: `Bearer ${access_token}` };
		expect((await call("/oauth2/userinfo", { headers })).json.sub).toBe(sides.b.userId);
	}
});

// threats 41 and 65
it("rejects codes and tokens after their tenant is deleted, and redeems a code once if two tenants' clients race", async () => {
	const { b, sides, tokensOf, codeOf, redeem, call, ok, tablesWith } = await providerWorld();
	const code = await codeOf(sides.b);
	const clients = [sides.a, sides.b, sides.platform, sides.a, sides.b, sides.platform];
	const raced = await Promise.all(clients.map(({ client }) => redeem(client, code)));
	expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
	const opaque = await tokensOf(sides.b);
	const signed = await tokensOf(sides.b, { resource: RESOURCE });
	const pending = await codeOf(sides.b);
	await ok("/tenant/delete", { operator: true, body: { tenantId: b } });
	for (const { access_token = "" } of [opaque, signed]) {
		const headers = { authorization: `Bearer ${access_token}` };
		expect((await call("/oauth2/userinfo", { headers })).json?.sub).toBeUndefined();
		for (const { client } of [sides.a, sides.b])
			expect((await call("/oauth2/introspect", form({ ...client, token: access_token }))).json?.active).not.toBe(true);
	}
	expect((await redeem(sides.b.client, pending)).status).toBe(400);
	const refresh = { ...sides.b.client, grant_type: "refresh_token", refresh_token: opaque.refresh_token ?? "" };
	expect((await call("/oauth2/token", form(refresh))).status).toBe(400);
	expect(await tablesWith(b)).toEqual([]);
});

// threat 65
it("notifies a tenant's own clients of a sign-out, with a token signed by its own keys", async () => {
	const { sides, tokensOf, ok, call } = await providerWorld({
		client: { backchannel_logout_uri: "https://client.example.com/logout" },
	});
	const told: string[] = [];
	serveItself(async (request) => {
		told.push(await request.text());
		return new Response(null, { status: 204 });
	});
	const { tenant, browser, client } = sides.b;
	await tokensOf(sides.b);
	await ok("/sign-out", { browser, body: {} });
	const token = new URLSearchParams(told[0]).get("logout_token") ?? "";
	expect([told.length, decodeJwt(token).aud]).toEqual([1, client.client_id]);
	const keysOf = async (of: string | undefined) =>
		createLocalJWKSet(JSON.parse((await call("/jwks", { tenant: of })).text));
	await expect(jwtVerify(token, await keysOf(tenant))).resolves.toBeTruthy();
	await expect(jwtVerify(token, await keysOf(sides.a.tenant))).rejects.toThrow();
	await expect(jwtVerify(token, await keysOf(undefined))).rejects.toThrow();
});
