import { afterEach, expect, it } from "vitest";
import { cookieHeader, makeWorld } from "./world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});
const REDIS = { REDIS_URL: "redis://127.0.0.1:6379" };
const ORIGIN = "http://auth.example.com";

it.each<[string, Record<string, string>]>([
	["Redis", REDIS],
	["no Redis", {}],
])("shares sessions and sign-outs between processes, with %s", async (_with, environment) => {
	const world = await makeWorld(environment);
	closers.push(world.close);
	const other = world.open();
	const headers = {
		cookie: cookieHeader((await world.signUp(world.acme.id, "ada@example.com")).cookies),
		origin: ORIGIN,
	};
	expect((await other.call("/get-session", { headers })).json.session).toMatchObject({ tenantId: world.acme.id });
	await other.call("/sign-out", { headers, body: {} });
	expect((await world.call("/get-session", { headers })).text).toBe("null");
});

it("keeps users signed in and mailed links valid when Redis loses its data", async () => {
	const world = await makeWorld(REDIS);
	closers.push(world.close);
	const headers = { cookie: cookieHeader((await world.signUp(world.acme.id, "ada@example.com")).cookies) };
	const { internalAdapter } = await world.auth.$context;
	await internalAdapter.createVerificationValue({
		identifier: "a-link",
		value: "1",
		expiresAt: new Date(Date.now() + 60_000),
	});
	const keys = async () => (await world.redis?.keys(`${world.config.redis?.keyPrefix}*`)) ?? [];
	// a copy is kept once this process follows the changes
	const copied = async () => {
		await world.call("/get-session", { headers });
		return (await keys()).length;
	};
	await expect.poll(copied).toBeGreaterThan(0);
	await world.redis?.del(...(await keys()));
	expect((await world.call("/get-session", { headers })).json.session).toMatchObject({ tenantId: world.acme.id });
	expect(await internalAdapter.consumeVerificationValue("a-link")).toMatchObject({ value: "1" });
});

it("decrypts with an older secret, and signs with the new one", async () => {
	const before = await makeWorld();
	closers.push(before.close);
	const credentials = {
		tenantId: before.acme.id,
		providerId: "github",
		clientId: "acme-client",
		clientSecret: "acme-secret",
	};
	await before.auth.api.registerTenantOauthConfig({ body: credentials });
	const secret = before.config.secrets.secret;
	const after = before.open({ AUTH_SECRET: "", AUTH_SECRETS: `2:${"new-".repeat(10)},1:${secret}` });
	const body = { provider: "github", callbackURL: "/" };
	const { json } = await after.call("/tenant/sign-in/social", { tenant: before.acme.id, body });
	expect(new URL(String(json.url)).searchParams.get("client_id")).toBe("acme-client");
	expect((await after.signUp(before.acme.id, "ada@example.com")).status).toBe(200);
});

it("prefers a gateway's header over the body's tenant", async () => {
	const world = await makeWorld({ TENANT_RESOLVER: "header", TENANT_RESOLVER_HEADER: "x-from-gateway" });
	closers.push(world.close);
	const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery", tenantId: world.acme.id };
	const headers = { "x-from-gateway": world.globex.id };
	expect((await world.call("/tenant/sign-up/email", { headers, body })).json.user).toMatchObject({
		tenantId: world.globex.id,
	});
	expect((await world.call("/tenant/sign-up/email", { body })).json.user).toMatchObject({ tenantId: world.acme.id });
});
