import type { ManagementAction } from "../management/action.ts";

/** How an endpoint may find its tenant. */
export type EndpointKind =
	/** Belongs to the session's tenant and refuses any other hint. The strictest kind, and that of every unknown endpoint. */
	| "member"
	/** Starts something for a user who need not be signed in, or is signed in to another tenant. */
	| "entry"
	/**
	 * Serves users who are not signed in, and some of them users who are: a hint is followed wherever it leads, and without
	 * one the session says the tenant. A session of another tenant is worth nothing there.
	 */
	| "open"
	/** An OAuth provider redirects there: the state says the tenant. */
	| "callback"
	/** Carries a token from an email and follows it, so that a link works in a browser that is signed in elsewhere. */
	| "link"
	/** Manages tenants: a tenant id names the target and does not move the caller. */
	| "management"
	/** The path names the tenant. */
	| "addressed"
	/** Identity providers send the platform's users back there. A tenant's have an address that names the tenant. */
	| "platform";

/** A credential in a request that only one tenant has, by the plugin that issued it: see scope/credential-columns.ts. */
export type CredentialSource = "scim" | "one-time-token" | "device" | "oauth-provider" | "stripe";

/** What this package knows about one endpoint. A row names its kind, and what differs from `UNKNOWN`. */
export type Endpoint = {
	kind: EndpointKind;
	/** false where it is known to touch no OAuth provider, so that no credentials are loaded for it */
	needsProviders: boolean;
	/** Hashes a password once it has looked up a user. */
	hashesPassword: boolean;
	/**
	 * Takes longer where an account exists, so the response is padded: always, where a sign-up made no session, or unless
	 * the code is one to sign in with, which is sent to anyone.
	 */
	padsResponse: "always" | "without-session" | "unless-signing-in" | null;
	/** Plugins (phone-number, username) look into the body before anyone has checked that it is an object. */
	needsObjectBody: boolean;
	/** An impersonated session may call it: nothing it returns outlasts the session. */
	allowedWhileImpersonating: boolean;
	/** The engine's endpoint that one of ours hands on to. Limits on that one hold here too. */
	delegatesTo: string | null;
	/** Requests of one address: at most `max` in `window` seconds. */
	rateLimit: { window: number; max: number } | null;
	/** The credential, other than a session, that says the tenant where nothing else does. */
	carries: CredentialSource | null;
	/** Returns the claims of a token or of its user. */
	returnsClaims: boolean;
	/** Returns the session that the request carries. */
	returnsSession: boolean;
	signsOut: boolean;
	/** Signs up by email: the response must not tell a new address from a taken one. */
	signsUp: boolean;
	/** Redirects to the page where a new password is entered, with the token in the URL. */
	redirectsWithToken: boolean;
	/** Verifies what a passkey signed. */
	verifiesPasskey: boolean;
	/** Can be the response to a second-factor challenge, at which there is no session yet. */
	answersChallenge: boolean;
	/** The provider it is about, where the request names none. */
	provider: "google" | null;
	/** Starts a flow of the SSO plugin, which finds the provider itself. */
	startsSso: boolean;
	/** Which flows may end there: SSO's alone, none at all (the rest of SSO), one at the flow's own callback, or any. */
	endsFlow: "sso" | "none" | "at-its-callback" | "any";
	/** What a provider of the SSO plugin sends users back with. */
	ssoProtocol: "oidc" | "saml" | null;
	/** Calls a server which a tenant named: discovery, token, keys and user info. */
	callsSsoProvider: boolean;
	/** What it does to a tenant, where only those who manage the tenant may. Better Auth lets every signed-in user. */
	manages: ManagementAction | null;
};

export type EndpointRow = Pick<Endpoint, "kind"> & Partial<Endpoint>;
export type EndpointTable = Readonly<Record<string, EndpointRow>>;

/** An endpoint that nobody has listed: one the engine adds later starts out closed, and is slower by a statement. */
export const UNKNOWN: Endpoint = {
	kind: "member",
	needsProviders: true,
	hashesPassword: false,
	padsResponse: null,
	needsObjectBody: false,
	allowedWhileImpersonating: false,
	delegatesTo: null,
	rateLimit: null,
	carries: null,
	returnsClaims: false,
	returnsSession: false,
	signsOut: false,
	signsUp: false,
	redirectsWithToken: false,
	verifiesPasskey: false,
	answersChallenge: false,
	provider: null,
	startsSso: false,
	endsFlow: "any",
	ssoProtocol: null,
	callsSsoProvider: false,
	manages: null,
};
