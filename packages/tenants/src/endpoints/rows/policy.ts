import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of `tenantPolicy()`. */
export const POLICY_ENDPOINTS: EndpointTable = {
	"/tenant/policy": { kind: "management", needsProviders: false },
};
