import type { ManagementAction } from "./action.ts";

/** How the tenant of an endpoint is decided. */
export type EndpointKind =
	/** Uses the session's tenant and rejects any other hint. The strictest kind, and the kind of unknown endpoints. */
	| "member"
	/** Starts a sign-in or sign-up. The user may be signed out, or signed in to another tenant. */
	| "entry"
	/**
	 * Serves users who are signed out, and sometimes users who are signed in. The hint decides, or else the session. A
	 * session of another tenant than the hint's has no effect.
	 */
	| "open"
	/** An OAuth provider redirects there. The state names the tenant. */
	| "callback"
	/** The token from an email names the tenant, so a link works in a browser that is signed in to another tenant. */
	| "link"
	/** Manages tenants. A tenant id names the target and does not change the caller's tenant. */
	| "management"
	/** The path names the tenant. */
	| "addressed"
	/** Identity providers redirect users of the platform there. Tenants have paths that contain their id. */
	| "platform";

/** The plugin that issued a credential which only one tenant has. See scope/credential-columns.ts. */
export type CredentialSource = "scim" | "one-time-token" | "device" | "oauth-provider" | "stripe";

/**
 * How an endpoint signs users in, or starts to. `social`: by the provider that the request names. `continues`: with the session
 * of the request. `challenge`: with the second factor after a password. `unknown`: in a way that the request does not show.
 */
export type SignInWay =
	| "password"
	| "username"
	| "phoneNumber"
	| "magicLink"
	| "emailOtp"
	| "passkey"
	| "anonymous"
	| "siwe"
	| "oneTap"
	| "sso"
	| "device"
	| "social"
	| "continues"
	| "challenge"
	| "unknown";

/**
 * What a session has proven besides a first factor: a code of the two-factor plugin, a sign-in at the tenant's identity
 * provider, a passkey with user verification, or that an administrator made it to impersonate the user.
 */
export type SessionProof = "second-factor" | "sso" | "passkey" | "impersonation";

/** A field of the body that names a user. */
export type NameField = "email" | "newEmail" | "username" | "phoneNumber";

/** The properties of one endpoint. A row sets its kind, and the properties that differ from `UNKNOWN`. */
export type Endpoint = {
	kind: EndpointKind;
	/** False if it uses no OAuth provider, so no credentials are loaded. */
	needsProviders: boolean;
	/** Looks up a user, then hashes a password. */
	hashesPassword: boolean;
	/**
	 * Takes longer if an account exists, so the response time is padded: always, only if a sign-up created no session, or
	 * unless the code is for a sign-in (such codes are sent to any address).
	 */
	padsResponse: "always" | "without-session" | "unless-signing-in" | null;
	/** Plugins (phone-number, username) read the body before the engine checks that it is an object. */
	needsObjectBody: boolean;
	/** An impersonated session may call it: nothing it returns outlasts the session. */
	allowedWhileImpersonating: boolean;
	/** The engine's endpoint that one of ours calls. Its rate limits apply here too. */
	delegatesTo: string | null;
	/** At most `max` requests of one IP address in `window` seconds. */
	rateLimit: { window: number; max: number } | null;
	/** The credential, other than a session, that names the tenant if nothing else does. */
	carries: CredentialSource | null;
	/** Returns the claims of a token or of its user. */
	returnsClaims: boolean;
	/** Returns the session that the request carries. */
	returnsSession: boolean;
	/** Returns a token for the session that other servers accept until it expires. */
	issuesTokens: boolean;
	signsOut: boolean;
	/** Signs up by email. The response must not reveal whether the address is taken. */
	signsUp: boolean;
	/** Redirects to the reset-password page, with the token in the URL. */
	redirectsWithToken: boolean;
	/** Shows users the name of the application: the issuer in an authenticator app, or the name of a passkey. */
	showsAppName: boolean;
	/** Verifies a passkey's signature. */
	verifiesPasskey: boolean;
	/** Can complete a second-factor challenge, when there is no session yet. */
	answersChallenge: boolean;
	/** What a session that is created here has proven. Sessions of all other endpoints have proven a first factor only. */
	proves: SessionProof | null;
	/** Replaces the session of the request with a new one of the same user, which has proven the same. */
	renewsSession: boolean;
	/** A session that lacks a second factor may call it, if the user has none yet. */
	enrollsSecondFactor: boolean;
	/** Turns the second factor of the session's user off. */
	removesSecondFactor: boolean;
	/** The endpoint's provider, if the request does not name one. */
	provider: "google" | null;
	/** Starts a flow of the SSO plugin, which finds the provider itself. */
	startsSso: boolean;
	/** Which flows may end there: SSO flows only, none (other SSO endpoints), flows with this callback, or any. */
	endsFlow: "sso" | "none" | "at-its-callback" | "any";
	/** The protocol of an SSO callback. */
	ssoProtocol: "oidc" | "saml" | null;
	/** Calls a tenant's identity provider: discovery, token, keys and user info. */
	callsSsoProvider: boolean;
	/** The management action that a caller needs permission for. Better Auth allows it for every signed-in user. */
	manages: ManagementAction | null;
	/** How users sign in here. See endpoints/sign-in-ways.ts. */
	signsInWith: SignInWay | null;
	/** The fields of its body that name users. Names in other fields are not counted: nothing reads them. See endpoints/named-users.ts. */
	namesUsers: readonly NameField[];
	/** Takes a code that was sent to a user whom its body names, or that an app shows. */
	takesCode: boolean;
	/** The field of the body with a new password. */
	setsPassword: "password" | "newPassword" | null;
	/** An admin or a directory creates users here: nobody signs up. */
	provisionsUsers: boolean;
	/** Servers call it, from their own addresses. */
	servesMachines: boolean;
	/** A user approves the device of an OAuth client, which then exchanges its code for tokens. */
	approvesDevices: boolean;
	/** Exchanges what a user granted to an OAuth client (a code, a refresh token, the code of a device) for tokens. */
	redeemsGrants: boolean;
};

export type EndpointRow = Pick<Endpoint, "kind"> & Partial<Endpoint>;
export type EndpointTable = Readonly<Record<string, EndpointRow>>;

/**
 * An endpoint without a row, for example a new one of the engine. It gets the strictest rules and costs one extra
 * query.
 */
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
	issuesTokens: false,
	signsOut: false,
	signsUp: false,
	redirectsWithToken: false,
	showsAppName: false,
	verifiesPasskey: false,
	answersChallenge: false,
	proves: null,
	renewsSession: false,
	enrollsSecondFactor: false,
	removesSecondFactor: false,
	provider: null,
	startsSso: false,
	endsFlow: "any",
	ssoProtocol: null,
	callsSsoProvider: false,
	manages: null,
	signsInWith: null,
	// an endpoint that nobody has read may try a password or a code for any of them
	namesUsers: ["email", "newEmail", "username", "phoneNumber"],
	takesCode: true,
	setsPassword: null,
	provisionsUsers: false,
	servesMachines: false,
	approvesDevices: false,
	redeemsGrants: false,
};
