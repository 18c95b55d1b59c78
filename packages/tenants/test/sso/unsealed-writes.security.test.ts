import { expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { registration } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const ISSUER = "http://127.0.0.1:9";

it("settings of an identity provider are never stored in a way that leaves them unencrypted", async () => {
	const { a, b, auth, registered, database } = await ssoWorld([ISSUER]);
	for (const tenant of [a, b]) await registered(tenant, registration(ISSUER, "okta"));
	const stored = () => database.query('select * from "ssoProvider" order by "tenantId"');
	const before = await stored();
	const { adapter } = await auth.$context;
	const where = [{ field: "providerId", value: "okta" }];
	const model = "ssoProvider";
	for (const settings of [{ oidcConfig: "{}" }, { samlConfig: "{}" }]) {
		const many = runWithTenant(a, () => adapter.updateMany({ model, where, update: settings }));
		await expect(many).rejects.toThrow("cannot be encrypted");
		const one = runWithTenant(a, () => adapter.incrementOne({ model, where, increment: {}, set: settings }));
		await expect(one).rejects.toThrow("cannot be encrypted");
	}
	expect(await stored()).toEqual(before);
	const others = { model, where, update: { domain: "other.example" } };
	expect(await runWithTenant(a, () => adapter.updateMany(others))).toBe(1);
	expect(await runWithTenant(PLATFORM, () => adapter.updateMany({ ...others, update: { oidcConfig: "{}" } }))).toBe(0);
});
