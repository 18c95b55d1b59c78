import { expect, it } from "vitest";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

it("limits the domains of a tenant, and no other tenant's", async () => {
	const world = await createHostedWorld();
	const { acme, globex, addDomain } = world;
	for (let count = 0; count < 100; count += 1)
		expect((await addDomain(acme, `login${count}.acme.example`)).status).toBe(200);
	const refused = await addDomain(acme, "one-more.acme.example");
	expect([refused.status, refused.code]).toEqual([400, "TOO_MANY_DOMAINS"]);
	// one that it has already is returned
	expect((await addDomain(acme, "login0.acme.example")).status).toBe(200);
	expect((await addDomain(globex, "login.globex.example")).status).toBe(200);
	expect(await world.database.query(`select "id" from "tenantDomain"`)).toHaveLength(101);
});
