import { sso } from "@better-auth/sso";
import { admin } from "better-auth/plugins/admin";
import { expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { createGate } from "../admin/support/gate.ts";
import { managedWorld } from "../sso/support/managed-world.ts";
import { listen } from "../sso/support/openid-server.ts";

/** An admin who registers an identity provider of their own, whose server answers when they like. */
const createRegistering = async () => {
	const [asked, released] = [createGate(), createGate()];
	const issuer = await listen(async (_, response) => {
		asked.open();
		await released.opened;
		const endpoints = { authorization_endpoint: "/authorize", token_endpoint: "/token", jwks_uri: "/jwks" };
		const found = Object.entries(endpoints).map(([name, path]) => [name, `${issuer}${path}`]);
		const body = { issuer, ...Object.fromEntries(found) };
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
	});
	const world = await managedWorld([admin({ ...tenantRoles }), tenantAdmin(), sso()], { trustedOrigins: [issuer] });
	const { a, call } = world;
	const browser = await world.signUp(a, "admin@acme.example");
	const { user } = (await call("/get-session", { browser })).json;
	const operate = async (path: string, more = {}): Promise<void> => {
		const body = { tenantId: a, userId: user.id, ...more };
		expect((await call(`/tenant/user/${path}`, { operator: true, body })).status).toBe(200);
	};
	await operate("set-role", { role: "admin" });
	const oidcConfig = { clientId: "client", clientSecret: "secret" };
	const body = { providerId: "okta", issuer, domain: "acme.example", oidcConfig };
	const register = () => call("/sso/register", { browser, body });
	const stored = () => world.database.query(`select "providerId" from "ssoProvider"`);
	return { ...world, operate, register, asked, released, stored };
};

// threat 161: a provider decides who signs in
it.each([
	["are banned", "ban", {}],
	["are removed", "remove", {}],
	["lose their role", "set-role", { role: "member" }],
	["lose their sessions", "end-sessions", {}],
])("admins who %s while their provider is looked up do not register it", async (_, path, more) => {
	const { operate, register, asked, released, stored } = await createRegistering();
	const registering = register();
	await asked.opened;
	await operate(path, more);
	released.open();
	expect((await registering).status).toBe(401);
	expect(await stored()).toEqual([]);
});

it("an admin whose rights stay registers it, whoever loses theirs in another tenant", async () => {
	const { newTenant, signUp, call, register, asked, released, stored } = await createRegistering();
	const b = await newTenant("globex");
	const { user } = (await call("/get-session", { browser: await signUp(b, "admin@acme.example") })).json;
	const registering = register();
	await asked.opened;
	expect((await call("/tenant/user/ban", { operator: true, body: { tenantId: b, userId: user.id } })).status).toBe(200);
	released.open();
	expect((await registering).status).toBe(200);
	expect(await stored()).toHaveLength(1);
});
