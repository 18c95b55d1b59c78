import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of better-auth-tenants/admin. */
export const ADMIN_ENDPOINTS: EndpointTable = {
	"/tenant/user/list": { kind: "management", needsProviders: false },
	"/tenant/user/get": { kind: "management", needsProviders: false },
	"/tenant/user/create": { kind: "management", needsProviders: false },
	"/tenant/user/set-role": { kind: "management", needsProviders: false },
	"/tenant/user/ban": { kind: "management", needsProviders: false },
	"/tenant/user/unban": { kind: "management", needsProviders: false },
	"/tenant/user/reset-second-factor": { kind: "management", needsProviders: false },
	"/tenant/user/end-sessions": { kind: "management", needsProviders: false },
	"/tenant/user/remove": { kind: "management", needsProviders: false },
	"/tenant/user/export": { kind: "management", needsProviders: false },
	"/tenant/user/erase": { kind: "management", needsProviders: false },
};
