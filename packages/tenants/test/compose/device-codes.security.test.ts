import { deviceAuthorization } from "better-auth/plugins/device-authorization";
import { composedWorld } from "test-kit/composed-world";
import { isEngineFrom } from "test-kit/engine-version";
import { describe, expect, it } from "vitest";

const createDevices = () =>
	composedWorld([deviceAuthorization({ verificationUri: "/device", validateClient: (client) => client === "tv" })]);

const poll = (device_code: string, client_id = "tv") => ({
	grant_type: "urn:ietf:params:oauth:grant-type:device_code",
	device_code,
	client_id,
});

describe("a device of a tenant", () => {
	it("gets the same response for an unknown client in every tenant", async () => {
		const { a, b, ok, call } = await createDevices();
		const { device_code } = (await ok("/device/code", { tenant: a, body: { client_id: "tv" } })).json;
		const answers = [];
		for (const tenant of [a, b, undefined])
			answers.push(await call("/device/token", { tenant, body: poll("unknown", "radio") }));
		answers.push(await call("/device/token", { tenant: a, body: poll(device_code, "radio") }));
		for (const { status, json } of answers)
			expect([status, json.error]).toEqual([400, isEngineFrom(22) ? "invalid_client" : "invalid_grant"]);
	});

	it("is claimed by the first user who looks, and never by one of another tenant", async () => {
		const world = await createDevices();
		const { a, b, ok, call } = world;
		const codes = (await ok("/device/code", { tenant: a, body: { client_id: "tv" } })).json;
		const browsers = [await world.signUp(a, "ada@example.com"), await world.signUp(a, "grace@example.com")];
		const neighbor = await world.signUp(b, "ada@example.com");
		const query = { user_code: codes.user_code };
		expect((await call("/device", { browser: neighbor, query })).status).toBeGreaterThanOrEqual(400);
		// both at once: one of them loses
		await Promise.all(browsers.map((browser) => call("/device", { browser, query })));
		const [row] = await world.database.query(`select "userId", "tenantId" from "deviceCode"`);
		expect(row?.tenantId).toBe(a);
		const body = { userCode: codes.user_code };
		const approvals = [];
		for (const browser of [neighbor, ...browsers]) {
			const { user } = await world.whoami(browser);
			const { status } = await call("/device/approve", { browser, body });
			approvals.push([user.id === row?.userId, status === 200]);
		}
		expect(approvals.filter(([, approved]) => approved)).toEqual([[true, true]]);
		const { access_token } = (await ok("/device/token", { tenant: a, body: poll(codes.device_code) })).json;
		const headers = { authorization: `Bearer ${access_token}` };
		// a token of a is no session of b
		expect((await call("/get-session", { tenant: b, headers })).json?.user).toBeUndefined();
	});
});
