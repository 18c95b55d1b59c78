import { expect, it, onTestFinished } from "vitest";
import { AUTH_URL, MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld } from "../support/world.ts";

const key = { authorization: `Bearer ${MANAGEMENT_KEY}` };

const startWith = async (environment: Record<string, string>) => {
	const world = await createWorld({ environment });
	onTestFinished(world.close);
	const service = await world.start();
	const [acme, globex] = [await service.createTenant("acme"), await service.createTenant("globex")];
	const { user } = (await (await service.signUp(acme, "ada@example.com")).json()) as { user: { id: string } };
	const impersonate = (tenantId: string, headers: Record<string, string> = key): Promise<Response> =>
		service.post("/tenant/impersonate", { tenantId, userId: user.id, reason: "ticket 4711" }, headers);
	return { service, acme, globex, impersonate };
};

it("impersonates nobody unless MANAGEMENT_IMPERSONATION is set", async () => {
	const { acme, impersonate } = await startWith({});
	const refused = await impersonate(acme);
	expect([refused.status, await refused.json()]).toMatchObject([404, { code: "IMPERSONATION_DISABLED" }]);
});

it("impersonates a user for MANAGEMENT_IMPERSONATION seconds, in the user's own tenant only", async () => {
	const { service, acme, globex, impersonate } = await startWith({ MANAGEMENT_IMPERSONATION: "120" });
	const began = Date.now();
	const done = await impersonate(acme);
	expect(done.status).toBe(200);
	const { session } = (await done.json()) as { session: { expiresAt: string; tenantId: string } };
	expect(session.tenantId).toBe(acme);
	const left = Date.parse(session.expiresAt) - began;
	expect(left).toBeGreaterThan(0);
	expect(left).toBeLessThanOrEqual(120_000 + (Date.now() - began));

	expect((await impersonate(globex)).status).toBe(404);
	const cookie = (await service.signIn(acme, "ada@example.com")).headers
		.getSetCookie()
		.map((line) => line.split(";", 1)[0])
		.join("; ");
	expect((await impersonate(acme, { cookie, origin: AUTH_URL })).status).toBe(403);
	expect((await impersonate(acme, {})).status).toBe(401);
});
