import { canarySecret } from "test-kit/canary";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { failing, skipping } from "../database/support/refused-writes.ts";

const createPair = async () => {
	const world = await createWorld();
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const register = (tenantId: string, clientId: string) =>
		world.call("/tenant/oauth-config/register", {
			operator: true,
			body: { tenantId, providerId: "gitlab", clientId, clientSecret: canarySecret(clientId) },
		});
	const clientOf = async (tenantId: string) =>
		(await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } })).json;
	return { ...world, a, b, register, clientOf };
};

describe("registering a config", () => {
	it("fails if the database does, and is no conflict then", async () => {
		const { a, b, register, database } = await createPair();
		await database.query(failing('insert on "tenantOauthConfig"'));
		expect((await register(a, "first")).status).toBe(500);
		await database.query('drop trigger "failing"');
		expect((await register(b, "first")).status).toBe(200);
		const rows = await database.query('select "tenantId" from "tenantOauthConfig"');
		expect(rows).toEqual([{ tenantId: b }]);
	});

	it("is refused if others change the config each time", async () => {
		const { a, b, register, clientOf, database } = await createPair();
		for (const tenantId of [a, b]) expect((await register(tenantId, "first")).status).toBe(200);
		await database.query(skipping(`update on "tenantOauthConfig" when new."tenantId" = '${a}'`));
		const refused = await register(a, "second");
		expect([refused.status, refused.code]).toEqual([409, "OAUTH_CONFIG_CHANGED"]);
		expect((await register(b, "second")).status).toBe(200);
		expect([await clientOf(a), await clientOf(b)]).toMatchObject([[{ clientId: "first" }], [{ clientId: "second" }]]);
	});
});
