import type { EndpointTable } from "../endpoint.ts";

/** Enough for manual use. Guessing a token is hopeless anyway. */
const BY_HAND = { window: 60, max: 20 };

/** The endpoints of `tenantInvitations()` with a rate limit. The token names the tenant of the last two. */
export const INVITATION_ENDPOINTS: EndpointTable = {
	"/tenant/invitation/create": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/invitation/resend": { kind: "management", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/invitation/get": { kind: "link", needsProviders: false, rateLimit: BY_HAND },
	"/tenant/invitation/accept": { kind: "link", needsProviders: false, rateLimit: BY_HAND },
};
