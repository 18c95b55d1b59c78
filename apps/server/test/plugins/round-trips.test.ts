import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PluginWorld, startPlugins } from "./plugin-world.ts";

let world: PluginWorld;
beforeAll(async () => {
	world = await startPlugins();
}, 60_000);
afterAll(() => world.close());

const parties = () => [world.acme, world.globex];
const otherThan = ({ id }: { id: string }) => (id === world.acme.id ? world.globex : world.acme);

it("identifies the user of an API key in its own tenant, and in no other", async () => {
	for (const party of parties()) {
		const { browser, host, id } = party;
		const made = await world.call("/api-key/create", { host, browser, body: { name: "build" } });
		expect(made.status).toBe(200);
		const headers = { "x-api-key": String(made.json.key) };
		// with and without the tenant's host
		for (const where of [{ host }, {}, { tenant: id }])
			expect((await world.call("/get-session", { ...where, headers })).json.user).toMatchObject({ tenantId: id });
		for (const where of [{ host: otherThan(party).host }, { tenant: otherThan(party).id }])
			expect((await world.call("/get-session", { ...where, headers })).json).toMatchObject({ code: "INVALID_API_KEY" });
	}
});

it("signs a device in after its user approved the code, on the tenant's own host", async () => {
	for (const { browser, host, id } of parties()) {
		const codes = (await world.call("/device/code", { host, body: { client_id: "tv" } })).json;
		expect(codes.verification_uri).toBe(`https://${host}/device`);
		const user_code = String(codes.user_code);
		expect((await world.call("/device", { host, browser, query: { user_code } })).json.status).toBe("pending");
		const approved = await world.call("/device/approve", { host, browser, body: { userCode: user_code } });
		expect(approved.status).toBe(200);
		const body = {
			grant_type: "urn:ietf:params:oauth:grant-type:device_code",
			device_code: codes.device_code,
			client_id: "tv",
		};
		const token = (await world.call("/device/token", { host, body })).json.access_token;
		const headers = { authorization: `Bearer ${token}` };
		expect((await world.call("/get-session", { host, headers })).json.session).toMatchObject({ tenantId: id });
		expect((await world.call("/device/token", { host, body })).json.error).toBe("invalid_grant");
	}
	const unknown = await world.call("/device/code", { host: world.acme.host, body: { client_id: "toaster" } });
	expect(unknown.json.error).toBe("invalid_client");
});

it("verifies a phone number and signs in with it, by codes from the SMS webhook", async () => {
	const phoneNumber = "+15550100001";
	for (const { browser, host, id } of parties()) {
		const send = (sender?: Browser) =>
			world.call("/phone-number/send-otp", { host, ...(sender ? { browser: sender } : {}), body: { phoneNumber } });
		expect((await send(browser)).status).toBe(200);
		const code = await world.sms.codeFor(id, phoneNumber);
		const added = await world.call("/phone-number/verify", {
			host,
			browser,
			body: { phoneNumber, code, updatePhoneNumber: true },
		});
		expect(added.json.user).toMatchObject({ phoneNumber, phoneNumberVerified: true });

		const before = world.sms.received.length;
		expect((await send()).status).toBe(200);
		const another = new Browser();
		const body = { phoneNumber, code: await world.sms.codeFor(id, phoneNumber, before) };
		expect((await world.call("/phone-number/verify", { host, browser: another, body })).status).toBe(200);
		const session = await world.call("/get-session", { host, browser: another });
		expect(session.json.session).toMatchObject({ tenantId: id });
	}
});

it("registers passkeys for the tenant's own host, and signs in with them there", async () => {
	for (const { browser, host, id } of parties()) {
		const key = createAuthenticator({ origin: `https://${host}`, rpId: host });
		const options = await world.call("/passkey/generate-register-options", { host, browser });
		expect(options.json.rp).toMatchObject({ id: host, name: "auth.example.com" });
		const body = { response: key.register(options.json as never), name: "phone" };
		expect((await world.call("/passkey/verify-registration", { host, browser, body })).status).toBe(200);

		const another = new Browser();
		const asked = await world.call("/passkey/generate-authenticate-options", { host, browser: another });
		expect(asked.json.rpId).toBe(host);
		const response = key.authenticate(asked.json as never);
		const signedIn = await world.call("/passkey/verify-authentication", { host, browser: another, body: { response } });
		expect(signedIn.status).toBe(200);
		const session = await world.call("/get-session", { host, browser: another });
		expect(session.json.session).toMatchObject({ tenantId: id });
	}
});

it("provisions users by SCIM with a tenant's token alone, which only operators can create", async () => {
	const person = (userName: string) => ({
		schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
		userName,
		emails: [{ value: userName, primary: true }],
	});
	const tokens = new Map<string, string>();
	for (const { id, browser, host } of parties()) {
		const create = (options: object) =>
			world.call("/tenant/scim-connection/create", { ...options, body: { tenantId: id } });
		expect((await create({ browser, host })).status).toBe(403);
		expect((await create({})).status).toBe(401);
		const made = await create({ operator: true });
		expect(made.status).toBe(200);
		tokens.set(id, String(made.json.token));
	}
	for (const party of parties()) {
		const other = otherThan(party);
		const headers = {
			authorization: `Bearer ${tokens.get(party.id)}`,
			"content-type": "application/scim+json",
		};
		const made = await world.call("/scim/v2/Users", { headers, body: person("bob@corp.example") });
		expect([made.status, made.json.userName]).toEqual([201, "bob@corp.example"]);
		expect((await world.call("/scim/v2/Users", { headers })).json.totalResults).toBe(1);
		for (const where of [{ host: other.host }, { tenant: other.id }])
			expect((await world.call("/scim/v2/Users", { ...where, headers })).status).toBe(401);
		const foreign = { authorization: `Bearer ${tokens.get(other.id)}` };
		expect((await world.call(`/scim/v2/Users/${made.json.id}`, { headers: foreign })).status).toBe(404);
	}
	const listed = await world.call("/tenant/scim-connection/list", {
		operator: true,
		query: { tenantId: world.acme.id },
	});
	const [connection] = listed.json.connections as { connectionId: string }[];
	const named = { tenantId: world.acme.id, connectionId: connection?.connectionId };
	const rotated = await world.call("/tenant/scim-connection/rotate", { operator: true, body: named });
	const fresh = { authorization: `Bearer ${rotated.json.token}` };
	expect((await world.call("/scim/v2/Users", { headers: fresh })).json.totalResults).toBe(1);
	const { credentialId } = rotated.json.credential as { credentialId: string };
	const revoked = await world.call("/tenant/scim-connection/revoke", {
		operator: true,
		body: { ...named, credentialId },
	});
	expect(revoked.status).toBe(200);
	expect((await world.call("/scim/v2/Users", { headers: fresh })).status).toBe(401);
	// another tenant's connection is like a missing one
	const foreign = { ...named, tenantId: world.globex.id };
	const missing = { ...foreign, connectionId: "ba_scim_connection_missing" };
	const [there, nowhere] = await Promise.all(
		[foreign, missing].map((body) => world.call("/tenant/scim-connection/delete", { operator: true, body })),
	);
	expect([there?.status, there?.text]).toEqual([404, nowhere?.text]);
	const deleted = await world.call("/tenant/scim-connection/delete", { operator: true, body: named });
	expect(deleted.status).toBe(200);
	const gone = { authorization: `Bearer ${tokens.get(world.acme.id)}` };
	expect((await world.call("/scim/v2/Users", { headers: gone })).status).toBe(401);
});
