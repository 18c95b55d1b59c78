import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of `tenantLifecycle()`. */
export const LIFECYCLE_ENDPOINTS: EndpointTable = {
	"/tenant/suspend": { kind: "management", needsProviders: false },
	"/tenant/restore": { kind: "management", needsProviders: false },
	"/tenant/archive": { kind: "management", needsProviders: false },
};
