import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServed, type Served } from "./support/served.ts";

let served: Served;
beforeAll(async () => {
	served = await createServed({ TENANT_LIFECYCLE: "true", DELETION_DRAIN_TIME: "0", TENANT_CACHE_MAX_AGE: "0" });
});
afterAll(() => served.close());

const methodsOf = async (tenantId: string): Promise<number> =>
	(await fetch(`${served.service.url}/api/auth/tenant/methods?tenantId=${tenantId}`)).status;

describe("tenant suspend, archive and restore", () => {
	it("closes a tenant and opens it again, and leaves others alone", async () => {
		const create = async (slug: string) =>
			(await served.run(["tenant", "create", "--name", slug, "--slug", slug, "--json"])).json() as { id: string };
		const [{ id }, neighbor] = [await create("acme"), await create("globex")];
		const suspended = await served.run(["tenant", "suspend", id, "--reason", "unpaid invoice"]);
		expect(suspended).toMatchObject({ code: 0, stderr: "" });
		expect(suspended.stdout).toMatch(/status +suspended\nreason +unpaid invoice\n$/);
		expect([await methodsOf(id), await methodsOf(neighbor.id)]).toEqual([403, 200]);
		const renamed = await served.run(["tenant", "update", id, "--name", "Other"]);
		expect(renamed.code).toBe(1);
		expect(renamed.stderr).toContain("TENANT_SUSPENDED");
		expect(renamed.stderr).toContain("tenants tenant restore ID");
		const archived = await served.run(["tenant", "archive", id, "--reason", "left", "--end-sessions", "--json"]);
		expect(archived.json()).toMatchObject({ lifecycle: { status: "archived", reason: "left", endsSessions: true } });
		const restored = await served.run(["tenant", "restore", id, "--json"]);
		expect(restored.json()).toMatchObject({ lifecycle: { status: "active", endsSessions: false } });
		expect([await methodsOf(id), await methodsOf(neighbor.id)]).toEqual([200, 200]);
	});

	it("requires a reason", async () => {
		const refused = await served.run(["tenant", "suspend", "some-id"]);
		expect(refused.code).not.toBe(0);
		expect(refused.stderr).toContain("--reason");
	});
});
