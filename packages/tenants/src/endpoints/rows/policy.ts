import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of `tenantPolicy()`. */
export const POLICY_ENDPOINTS: EndpointTable = {
	"/tenant/policy/get": { kind: "management", needsProviders: false },
	"/tenant/policy/update": { kind: "management", needsProviders: false },
};
