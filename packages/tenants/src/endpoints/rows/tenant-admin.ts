import type { EndpointTable } from "../endpoint.ts";

/** The endpoint of better-auth-tenants/admin that sets a password. */
export const ADMIN_ENDPOINTS: EndpointTable = {
	"/tenant/user/create": { kind: "management", needsProviders: false },
};
