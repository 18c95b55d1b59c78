import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorize, type Client, redeem, registerClient } from "./oauth-client.ts";
import { HOST, PASSWORD, type Party, type PluginWorld, startPlugins } from "./plugin-world.ts";

let world: PluginWorld;
/** the tenant that the credentials belong to, and one in which the same attacker has an account */
let own: Party;
let other: Party;
beforeAll(async () => {
	world = await startPlugins();
	[own, other] = [world.acme, world.globex];
}, 60_000);
afterAll(() => world.close());

/** Every way to say that a request is for the other tenant. */
const elsewhere = () => [
	{ host: other.host },
	{ tenant: other.id },
	{ query: { tenantId: other.id } },
	{ host: other.host, tenant: other.id },
	// the host counts
	{ host: other.host, tenant: own.id },
	{ host: other.host, query: { tenantId: own.id } },
];

describe("a credential of one tenant, used in another", () => {
	// threat 101
	it("refuses an API key, also beside a session of the other tenant", async () => {
		const made = await world.call("/api-key/create", { host: own.host, browser: own.browser, body: { name: "x" } });
		const headers = { "x-api-key": String(made.json.key) };
		for (const where of elsewhere()) {
			const answer = await world.call("/get-session", { ...where, headers });
			expect(answer.json.user).toBeUndefined();
			expect(answer.json.code).toEqual(expect.any(String));
		}
		const beside = await world.call("/get-session", { host: other.host, browser: other.browser.copy(), headers });
		expect(beside.json).toMatchObject({ code: "INVALID_API_KEY" });
		// nor may one tenant's user read, change or delete another's key
		for (const [path, body] of [
			["/api-key/update", { keyId: made.json.id, name: "y" }],
			["/api-key/delete", { keyId: made.json.id }],
		] as const)
			expect((await world.call(path, { host: other.host, browser: other.browser, body })).status).toBe(404);
		expect((await world.call("/get-session", { headers })).json.user).toMatchObject({ tenantId: own.id });
	});

	// threat 101
	it("lets an API key identify its user, and do nothing in their name", async () => {
		const made = await world.call("/api-key/create", { host: own.host, browser: own.browser, body: { name: "x" } });
		const headers = { "x-api-key": String(made.json.key) };
		for (const [path, body] of [
			["/api-key/create", { name: "another" }],
			["/change-password", { currentPassword: "x", newPassword: "another horse battery" }],
			["/delete-user", {}],
			["/list-sessions", undefined],
			["/device/approve", { userCode: "ABCDEFGH" }],
			["/oauth2/authorize", undefined],
		] as const) {
			const answer = await world.call(path, { headers, ...(body ? { body } : {}) });
			expect([path, answer.status, answer.json.code]).toEqual([path, 403, "API_KEY_NOT_ALLOWED"]);
		}
	});

	// threat 101
	it("approves and redeems a device code in its own tenant only", async () => {
		const codes = (await world.call("/device/code", { host: own.host, body: { client_id: "tv" } })).json;
		const user_code = String(codes.user_code);
		const body = {
			grant_type: "urn:ietf:params:oauth:grant-type:device_code",
			device_code: codes.device_code,
			client_id: "tv",
		};
		// a user of the other tenant, on any host
		for (const host of [other.host, HOST]) {
			const { browser } = other;
			const approved = await world.call("/device/approve", { host, browser, body: { userCode: user_code } });
			expect(approved.status).toBeGreaterThanOrEqual(400);
			const denied = await world.call("/device/deny", { host, browser, body: { userCode: user_code } });
			expect(denied.status).toBeGreaterThanOrEqual(400);
			expect((await world.call("/device", { host, browser, query: { user_code } })).json.error).toBe("invalid_request");
		}
		const { host, browser } = own;
		await world.call("/device", { host, browser, query: { user_code } });
		const approved = await world.call("/device/approve", { host, browser, body: { userCode: user_code } });
		expect(approved.status).toBe(200);
		for (const where of elsewhere())
			expect((await world.call("/device/token", { ...where, body })).json.access_token).toBeUndefined();
		expect((await world.call("/device/token", { host, body })).json.access_token).toEqual(expect.any(String));
	});

	// threat 101
	it("serves an OAuth client, its codes and its tokens in its own tenant only", async () => {
		const client = await registerClient(world, own);
		// a user of the other tenant, on both hosts
		for (const host of [other.host, HOST]) {
			const led = await authorize(world, client, { host, browser: other.browser });
			expect(led.searchParams.get("code")).toBeNull();
			expect(led.hostname).not.toBe("client.example.com");
		}
		const codeOf = async (by: Client) => (await authorize(world, by, own)).searchParams.get("code") ?? "";
		expect((await redeem(world, client, await codeOf(client), other.host)).json.access_token).toBeUndefined();
		const foreign = await registerClient(world, other);
		const stolen = await codeOf(client);
		for (const host of [own.host, other.host, HOST])
			expect((await redeem(world, foreign, stolen, host)).json.access_token).toBeUndefined();

		const { json: tokens } = await redeem(world, client, await codeOf(client), own.host);
		const headers = { authorization: `Bearer ${tokens.access_token}` };
		expect((await world.call("/oauth2/userinfo", { host: own.host, headers })).status).toBe(200);
		for (const where of elsewhere()) {
			expect((await world.call("/oauth2/userinfo", { ...where, headers })).status).toBe(401);
			const form = { ...client, grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
			expect((await world.call("/oauth2/token", { ...where, form })).json.access_token).toBeUndefined();
			const asked = { ...foreign, token: String(tokens.access_token) };
			expect((await world.call("/oauth2/introspect", { ...where, form: asked })).json.active).not.toBe(true);
		}
	});

	// threat 101
	it("accepts a code for a phone number in its own tenant only, and counts no attempt there for another", async () => {
		const phoneNumber = "+15550100002";
		const send = ({ host, browser }: Party) =>
			world.call("/phone-number/send-otp", { host, browser, body: { phoneNumber } });
		const verify = ({ host, browser }: Party, code: string) =>
			world.call("/phone-number/verify", { host, browser, body: { phoneNumber, code, updatePhoneNumber: true } });
		await send(own);
		const code = await world.sms.codeFor(own.id, phoneNumber);
		// also after the other tenant sent a code of its own to the same number
		for (let attempt = 0; attempt < 4; attempt++) expect((await verify(other, code)).status).toBe(400);
		await send(other);
		await world.sms.codeFor(other.id, phoneNumber);
		const misled = await world.call("/phone-number/verify", {
			host: other.host,
			tenant: own.id,
			browser: own.browser.copy(),
			body: { phoneNumber, code, updatePhoneNumber: true },
		});
		expect(misled.status).toBeGreaterThanOrEqual(400);
		expect((await verify(own, code)).status).toBe(200);
	});

	// threat 101
	it("sends no text message that nobody in the tenant could use", async () => {
		const phoneNumber = "+15550100003";
		const sent = () => world.sms.received.filter((one) => one.phoneNumber === phoneNumber).length;
		// strangers, on the platform and in the tenant
		for (const options of [{}, { tenant: own.id }, { host: own.host, browser: new Browser() }])
			expect((await world.call("/phone-number/send-otp", { ...options, body: { phoneNumber } })).status).toBe(200);
		const invalid = await world.call("/phone-number/send-otp", {
			host: own.host,
			browser: own.browser,
			body: { phoneNumber: "0900-premium" },
		});
		expect(invalid.status).toBe(400);
		// a later message arrives, so the earlier ones would have too
		const before = world.sms.received.length;
		const number = "+15550100004";
		await world.call("/phone-number/send-otp", {
			host: own.host,
			browser: own.browser,
			body: { phoneNumber: number },
		});
		await world.sms.codeFor(own.id, number, before);
		expect(sent()).toBe(0);
	});

	// threat 101
	it("lets nobody claim a phone number that they have not verified", async () => {
		const phoneNumber = "+15550100005";
		const { host } = own;
		const body = { name: "Eve", email: "eve@example.com", password: PASSWORD, phoneNumber };
		for (const path of ["/sign-up/email", "/tenant/sign-up/email"]) {
			const claimed = await world.call(path, { host, body });
			expect([path, claimed.status, claimed.json.code]).toEqual([path, 400, "VALIDATION_ERROR"]);
		}
		// its owner would sign in to the account of whoever claimed it
		const { browser } = own;
		await world.call("/phone-number/send-otp", { host, browser, body: { phoneNumber } });
		const code = await world.sms.codeFor(own.id, phoneNumber);
		const signedIn = await world.call("/phone-number/verify", { host, body: { phoneNumber, code } });
		expect(signedIn.json.user).toBeUndefined();
		// a number can be removed, and not set, without a code
		const updated = await world.call("/update-user", { host, browser, body: { phoneNumber } });
		expect(updated.status).toBe(400);
		expect((await world.call("/update-user", { host, browser, body: { phoneNumber: null } })).status).toBe(200);
		expect((await world.call("/get-session", { host, browser })).json.user).toMatchObject({ phoneNumber: null });
	});

	// threat 101
	it("accepts a passkey on the pages of its own tenant's host only", async () => {
		const { browser, host } = own;
		const real = createAuthenticator({ origin: `https://${host}`, rpId: host });
		const options = async (at: string, by: Browser) =>
			(await world.call("/passkey/generate-register-options", { host: at, browser: by })).json as never;
		const register = async (key: typeof real, headers = {}) =>
			world.call("/passkey/verify-registration", {
				host,
				browser,
				headers,
				body: { response: key.register(await options(host, browser)), name: "phone" },
			});
		expect((await register(real)).status).toBe(200);
		// made on another tenant's page, on the server's own, or anywhere else, whatever the Origin header says
		for (const [page, rpId] of [
			[other.host, host],
			[other.host, other.host],
			[HOST, host],
			["evil.example", host],
			[host, "app.example.com"],
		] as const) {
			const key = createAuthenticator({ origin: `https://${page}`, rpId });
			expect([page, rpId, (await register(key)).status]).not.toEqual([page, rpId, 200]);
		}
		const kept = await world.call("/passkey/list-user-passkeys", { host, browser });
		expect((JSON.parse(kept.text) as { credentialID: string }[]).map(({ credentialID }) => credentialID)).toEqual([
			real.id,
		]);
		const signIn = async (at: Pick<Party, "host">, key: typeof real) => {
			const visitor = new Browser();
			const asked = await world.call("/passkey/generate-authenticate-options", { ...at, browser: visitor });
			const body = { response: key.authenticate(asked.json as never) };
			return world.call("/passkey/verify-authentication", { ...at, browser: visitor, body });
		};
		expect((await signIn({ host }, real)).status).toBe(200);
		expect((await signIn({ host: other.host }, real)).status).toBeGreaterThanOrEqual(400);
		expect((await signIn({ host: HOST }, real)).status).toBeGreaterThanOrEqual(400);
	});

	// threat 101
	it("accepts a SCIM token in its own tenant only", async () => {
		const made = await world.call("/tenant/scim-connection/create", { operator: true, body: { tenantId: own.id } });
		const headers = { authorization: `Bearer ${made.json.token}` };
		const body = {
			schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
			userName: "eve@corp.example",
			emails: [{ value: "eve@corp.example", primary: true }],
		};
		for (const where of elsewhere()) {
			expect((await world.call("/scim/v2/Users", { ...where, headers })).status).toBe(401);
			expect((await world.call("/scim/v2/Users", { ...where, headers, body })).status).toBe(401);
		}
		// it is no session either
		for (const host of [own.host, other.host, HOST])
			expect((await world.call("/get-session", { host, headers })).text).toBe("null");
		const unknown = await world.call("/tenant/scim-connection/create", {
			operator: true,
			body: { tenantId: "no-such-tenant" },
		});
		expect([unknown.status, unknown.json.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});
});
