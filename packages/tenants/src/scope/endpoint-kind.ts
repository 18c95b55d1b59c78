import { addressedPath } from "../resolve/tenant-address.ts";

/**
 * How an endpoint may find its tenant. Whatever is not named here is a `member` endpoint, the strictest kind: it belongs
 * to the session's tenant and refuses any other hint. So an endpoint the engine adds later starts out closed.
 */
export type EndpointKind = "management" | "entry" | "open" | "callback" | "link" | "member" | "addressed" | "platform";

/** They carry a token from a mail and follow it, so that a link works in a browser that is signed in elsewhere. */
const LINKS = new Set(["/verify-email", "/reset-password", "/reset-password/:token", "/magic-link/verify"]);

/** They start something for a person who need not be signed in, or is signed in to another tenant. */
const ENTRIES = /^\/(tenant\/)?(sign-in|sign-up)(\/|$)|^\/(request-password-reset|ok|error)$/;

/**
 * They serve people who are not signed in, and some of them people who are: a hint is followed wherever it leads, and
 * without one the session says the tenant. A session of another tenant is worth nothing there.
 */
const OPEN = new RegExp(
	[
		"^/(email-otp|phone-number|siwe)/",
		"^/(device/(code|token)|is-username-available|send-verification-email|forget-password/email-otp|one-tap/callback|oauth-popup/start|one-time-token/verify)$",
		"^/passkey/(generate-authenticate-options|verify-authentication)$",
		// machines, which carry a credential of their own and no session
		"^/scim/v2/|^/stripe/webhook$|^/oauth2/(token|introspect|revoke|userinfo|public-client-prelogin)$",
		"^/sso/saml2/sp/metadata$",
	].join("|"),
);

/** Identity providers send the platform's users back there. A tenant's have an address that names the tenant. */
const PLATFORM_ONLY = /^\/sso\/(callback(\/:providerId)?|saml2\/sp\/(acs|slo)\/:providerId)$/;

const CALLBACKS = /^\/(tenant\/|oauth2\/)?callback\//;

/** Asked several times for each request, and there are only as many paths as endpoints. */
const known = new Map<string, EndpointKind>();

export const endpointKind = (path: string | undefined): EndpointKind => {
	if (!path) return "member";
	const kind = known.get(path);
	if (kind) return kind;
	const found = kindOf(path);
	known.set(path, found);
	return found;
};

const kindOf = (path: string): EndpointKind => {
	if (addressedPath(path) !== null) return "addressed";
	if (PLATFORM_ONLY.test(path)) return "platform";
	if (ENTRIES.test(path)) return "entry";
	if (OPEN.test(path)) return "open";
	if (CALLBACKS.test(path)) return "callback";
	if (LINKS.has(path)) return "link";
	// on these the tenant id names the target and does not move the caller
	if (path.startsWith("/tenant/")) return "management";
	return "member";
};
