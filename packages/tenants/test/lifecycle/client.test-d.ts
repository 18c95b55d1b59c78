import { createAuthClient } from "better-auth/client";
import { expectTypeOf, it } from "vitest";
import { tenantAuthClient, tenantLifecycleClient } from "../../src/client.ts";
import type { Tenant } from "../../src/index.ts";

const client = createAuthClient({ plugins: [tenantAuthClient(), tenantLifecycleClient()] });

it("types the life of a tenant by inference", async () => {
	const suspended = await client.tenant.suspend({ tenantId: "a", reason: "unpaid", endSessions: true });
	expectTypeOf(suspended.data).exclude(null).toExtend<Tenant>();
	await client.tenant.archive({ tenantId: "a", reason: "left" });
	await client.tenant.restore({ tenantId: "a" });
	// @ts-expect-error a suspension has a reason
	await client.tenant.suspend({ tenantId: "a" });
});
