import { MANAGEMENT_KEY } from "test-kit/world";
import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { fromCustomDomain } from "../../src/resolvers.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

it("fails a call of server code if the owner of its host cannot be looked up", async () => {
	let isDown = false;
	const findTenantId = async () => {
		if (isDown) throw new Error("the directory is down");
		return null;
	};
	const world = await createHostedWorld({
		tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, resolveTenantId: fromCustomDomain({ findTenantId }) },
	});
	const read = (tenantId: string) =>
		runWithTenant(tenantId, () => world.auth.api.getSession({ headers: new Headers({ host: "login.acme.com" }) }));
	// a host of nobody counts as the platform's
	expect([await read(world.acme), await read(world.globex)]).toEqual([null, null]);
	isDown = true;
	await expect(read(world.acme)).rejects.toThrow("the directory is down");
});
