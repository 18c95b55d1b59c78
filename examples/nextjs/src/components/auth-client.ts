import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenants/client";

// the host of the page decides the tenant, so the client needs no tenant id
export const authClient = createAuthClient({ plugins: [tenantAuthClient()] });
