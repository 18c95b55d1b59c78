import { afterAll, beforeAll, expect, it } from "vitest";
import { makeHostWorld } from "./host-world.ts";

let service: Awaited<ReturnType<typeof makeHostWorld>>;
beforeAll(async () => {
	service = await makeHostWorld({ TENANT_RESOLVER: "custom-domain,subdomain" }, ({ globex }) => ({
		"auth.example.com": globex.id,
	}));
}, 60_000);
afterAll(() => service.close());

it("keeps the host of AUTH_URL for the platform, even if the domains file gives it to a tenant", async () => {
	const { acme, signUp, pool } = service.world;
	expect((await signUp(acme.id, "ada@example.com")).status).toBe(200);
	expect((await pool.query('select "tenantId" from "user"')).rows).toEqual([{ tenantId: acme.id }]);
});
