import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of `tenantPolicy()` for users who lack a second factor. */
export const SECOND_FACTOR_ENDPOINTS: EndpointTable = {
	"/tenant/second-factor": { kind: "member", needsProviders: false },
	"/tenant/second-factor/challenge": { kind: "member", needsProviders: false },
};
