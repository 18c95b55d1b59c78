import { betterAuth } from "better-auth";
import { passTime } from "test-kit/pass-time";
import { createWorld, MANAGEMENT_KEY, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";

const MAX_AGE = 1;

/** A second engine on the same database, like another process: with its own caches. */
const startSecond = async ({ options }: World) => {
	const second = betterAuth(options);
	await second.$context;
	return async (path: string, headers: Record<string, string>) => {
		const response = await second.handler(
			new Request(`${ORIGIN}/api/auth${path}`, { headers: { origin: ORIGIN, ...headers } }),
		);
		return { status: response.status, json: await response.json() };
	};
};

describe.each([
	["sessions in the database", {}],
	["the cookie cache", { session: { cookieCache: { enabled: true, maxAge: 300 } } }],
])("another process, with %s", (_name, engine) => {
	// threats 41 and 42
	it("rejects a deleted tenant's sessions after tenantCache.maxAge at the latest", async () => {
		const world = await createWorld({
			database: "postgres",
			engine,
			tenantAuth: {
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: MAX_AGE },
				deletion: { drainTime: 0 },
			},
		});
		const tenant = await world.newTenant();
		const neighbor = await world.newTenant();
		const browser = await world.signUp(tenant, "ada@example.com");
		const other = await world.signUp(neighbor, "ada@example.com");
		const second = await startSecond(world);
		const seen = async (who = browser) => (await second("/get-session", { cookie: who.header() })).json;
		expect((await seen()).session.tenantId).toBe(tenant);

		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: tenant } })).status).toBe(200);
		passTime(MAX_AGE * 1_000);
		expect(await seen()).toBeNull();
		expect((await second("/get-session", { "x-tenant-id": tenant })).status).toBe(404);
		expect((await seen(other)).session.tenantId).toBe(neighbor);
	});
});
