import { createAuthClient } from "better-auth/client";
import { expectTypeOf, it } from "vitest";
import type { Erasure, TenantUser } from "../../src/admin.ts";
import { tenantAdminClient, tenantAuthClient } from "../../src/client.ts";

const client = createAuthClient({ plugins: [tenantAuthClient(), tenantAdminClient()] });

it("types the administration by inference", async () => {
	const listed = await client.tenant.user.list({ query: { tenantId: "a", email: "ada" } });
	expectTypeOf(listed.data).exclude(null).toExtend<TenantUser[]>();
	const changed = await client.tenant.user.setRole({ tenantId: "a", userId: "u", role: "admin" });
	expectTypeOf(changed.data).exclude(null).toExtend<TenantUser>();
	const erased = await client.tenant.user.erase({ tenantId: "a", userId: "u" });
	expectTypeOf(erased.data).exclude(null).toExtend<{ erasure: Erasure; record: string }>();
	// @ts-expect-error there is no such role
	await client.tenant.user.setRole({ tenantId: "a", userId: "u", role: "king" });
});
