import type { EndpointTable } from "../endpoint.ts";

/** The same limits as the engine's on `/sign-in…`, which do not match `/tenant/sign-in…`. */
const STRICT = { window: 10, max: 3 };
/** Enough for manual use. Limits a stolen operator session, which could otherwise be used on every user. */
const BY_HAND = { window: 60, max: 20 };

/** The endpoints of this package. */
export const TENANT_ENDPOINTS: EndpointTable = {
	"/tenant/create": { kind: "management", needsProviders: false },
	"/tenant/get": { kind: "management", needsProviders: false },
	"/tenant/list": { kind: "management", needsProviders: false },
	"/tenant/update": { kind: "management", needsProviders: false },
	"/tenant/delete": { kind: "management", needsProviders: false },
	"/tenant/impersonate": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/import": { kind: "management", needsProviders: false },
	"/tenant/export-users": { kind: "management", needsProviders: false },
	"/tenant/import-users": { kind: "management", needsProviders: false },
	"/tenant/domain/add": { kind: "management", needsProviders: false },
	"/tenant/domain/list": { kind: "management", needsProviders: false },
	"/tenant/domain/remove": { kind: "management", needsProviders: false },
	"/tenant/methods": { kind: "management", needsProviders: false },
	"/tenant/current": { kind: "open", needsProviders: false, allowedWhileImpersonating: true },
	"/tenant/oauth-config/register": { kind: "management", needsProviders: false },
	"/tenant/oauth-config/list": { kind: "management", needsProviders: false },
	"/tenant/oauth-config/delete": { kind: "management", needsProviders: false },
	"/tenant/oauth-config/test": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/sign-up/email": { kind: "entry", needsProviders: false, delegatesTo: "/sign-up/email", rateLimit: STRICT },
	"/tenant/sign-in/email": { kind: "entry", needsProviders: false, delegatesTo: "/sign-in/email", rateLimit: STRICT },
	"/tenant/sign-in/social": { kind: "entry", delegatesTo: "/sign-in/social", rateLimit: STRICT },
	"/tenant/callback/:id": { kind: "callback" },
	"/tenant/callback/:id/:tenant": { kind: "callback" },
	"/tenant/shared-callback/:id": { kind: "callback", endsFlow: "none" },
};
