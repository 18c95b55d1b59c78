import type { EndpointTable } from "../endpoint.ts";

/** The same limits as the engine's on `/sign-in…`, which do not match `/tenant/sign-in…`. */
const STRICT = { window: 10, max: 3 };
/** Enough for manual use. Limits a stolen operator session, which could otherwise be used on every user. */
const BY_HAND = { window: 60, max: 20 };

/** The endpoints of this package that are more than management: see `/tenant/*` in families.ts. */
export const TENANT_ENDPOINTS: EndpointTable = {
	"/tenant/impersonate": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/current": { kind: "open", needsProviders: false, allowedWhileImpersonating: true },
	"/tenant/oauth-config/test": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/sign-up/email": { kind: "entry", needsProviders: false, delegatesTo: "/sign-up/email", rateLimit: STRICT },
	"/tenant/sign-in/email": { kind: "entry", needsProviders: false, delegatesTo: "/sign-in/email", rateLimit: STRICT },
	"/tenant/sign-in/social": { kind: "entry", delegatesTo: "/sign-in/social", rateLimit: STRICT },
	"/tenant/callback/:id": { kind: "callback" },
	"/tenant/callback/:id/:tenant": { kind: "callback" },
	"/tenant/shared-callback/:id": { kind: "callback", endsFlow: "none" },
};
