import { betterAuth } from "better-auth";
import { type Tenant, withTenants } from "better-auth-tenants";
import { type LIFECYCLE_ERROR_CODES, tenantLifecycle } from "better-auth-tenants/lifecycle";
import { same } from "./same.ts";

export const auth = betterAuth({ plugins: withTenants({}, [tenantLifecycle()]) });

export const suspend = async (): Promise<Tenant> => {
	// @ts-expect-error a suspension has a reason
	await auth.api.suspendTenant({ body: { tenantId: "acme-id" } });
	same<typeof LIFECYCLE_ERROR_CODES.TENANT_SUSPENDED.code, "TENANT_SUSPENDED">(true);
	return auth.api.suspendTenant({ body: { tenantId: "acme-id", reason: "unpaid" } });
};
