import { createAuthClient } from "better-auth/client";
import { expectTypeOf, it } from "vitest";
import { tenantAuthClient, tenantPolicyClient } from "../../src/client.ts";
import type { TenantPolicy } from "../../src/policy.ts";

const client = createAuthClient({ plugins: [tenantAuthClient(), tenantPolicyClient()] });

it("types policies and second factors by inference", async () => {
	const read = await client.tenant.policy.get({ query: { tenantId: "a" } });
	expectTypeOf(read.data).exclude(null).toExtend<TenantPolicy>();
	const changed = await client.tenant.policy.update({ tenantId: "a", policy: { maxSessions: 3, methods: null } });
	expectTypeOf(changed.data).exclude(null).toExtend<TenantPolicy>();
	const { data } = await client.tenant.secondFactor();
	expectTypeOf(data?.secondFactor).toEqualTypeOf<"verify" | "enroll" | null | undefined>();
	await client.tenant.secondFactor.challenge();
	// @ts-expect-error there is no such rule
	await client.tenant.policy.update({ tenantId: "a", policy: { color: "red" } });
});
