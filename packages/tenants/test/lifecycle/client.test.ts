import { createAuthClient } from "better-auth/client";
import { MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantAuthClient, tenantLifecycleClient } from "../../src/client.ts";
import { lifecycleWorld } from "./support/lifecycle-world.ts";

it("suspends and restores a tenant with the typed client", async () => {
	const { auth, a, b, statusOf } = await lifecycleWorld();
	const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, origin: ORIGIN };
	const client = createAuthClient({
		baseURL: ORIGIN,
		plugins: [tenantAuthClient(), tenantLifecycleClient()],
		fetchOptions: { headers, customFetchImpl: async (url, init) => auth.handler(new Request(url, init)) },
	});
	const suspended = await client.tenant.suspend({ tenantId: a, reason: "unpaid" });
	expect(suspended.data?.lifecycle?.status).toBe("suspended");
	expect(await statusOf(a)).toBe("suspended");
	expect((await client.tenant.archive({ tenantId: a, reason: "left" })).data?.lifecycle?.reason).toBe("left");
	const restored = await client.tenant.restore({ tenantId: a, endSessions: true });
	expect(restored.data?.lifecycle?.sessionsSince).not.toBeNull();
	expect(await statusOf(b)).toBe("active");
});
