import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenants/client";

// the host of the page decides the tenant, so the client needs no tenant id
export const authClient = createAuthClient({ plugins: [tenantAuthClient()] });

/** Reads the tenant of this host. Null on the platform. Throws on a host of nobody. */
export const readTenant = async () => {
	const { data, error } = await authClient.tenant.current();
	if (error) throw new Error(error.message);
	return data;
};

export type Tenant = NonNullable<Awaited<ReturnType<typeof readTenant>>>;
