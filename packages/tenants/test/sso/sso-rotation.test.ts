import { sso } from "@better-auth/sso";
import { betterAuth } from "better-auth";
import { MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { expect, it } from "vitest";
import { reencryptSecrets, withTenants } from "../../src/index.ts";
import { registration } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const ISSUER = "http://127.0.0.1:9";
const NEW = "b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa";

// threats 58 and 72
it("re-encrypts the settings of SSO providers with a new secret, after which the old one can be removed", async () => {
	const world = await ssoWorld([ISSUER]);
	for (const tenant of [world.a, world.b]) await world.registered(tenant, registration(ISSUER, "okta"));
	const { secret, ...options } = world.options;
	const plugins = () =>
		withTenants({ management: { keys: [MANAGEMENT_KEY] }, deletion: { drainTime: 0 } }, [sso({ providersLimit: 5 })]);
	const secrets = [{ version: 2, value: NEW }];
	const both = betterAuth({ ...options, ...(secret ? { secret } : {}), secrets, plugins: plugins() });
	const onlyNew = betterAuth({ ...options, secrets, plugins: plugins() });
	const begin = async (auth: Pick<typeof both, "handler">, tenant: string) => {
		const headers = { "content-type": "application/json", origin: ORIGIN, "x-tenant-id": tenant };
		const body = JSON.stringify({ providerId: "okta", callbackURL: "/home" });
		const request = new Request(`${ORIGIN}/api/auth/sign-in/sso`, { method: "POST", headers, body });
		return (await auth.handler(request)).status;
	};
	for (const tenant of [world.a, world.b]) {
		expect([await begin(both, tenant), await begin(onlyNew, tenant)]).toEqual([200, 400]);
	}
	// one at a time, so the cursor moves from OAuth configs to SSO providers
	const done = await reencryptSecrets(both, { batchSize: 1 });
	expect(done).toMatchObject({ seen: 2, reencrypted: 2, unreadable: [] });
	for (const tenant of [world.a, world.b]) expect(await begin(onlyNew, tenant)).toBe(200);
	expect(await reencryptSecrets(both)).toMatchObject({ seen: 2, reencrypted: 0 });
});
