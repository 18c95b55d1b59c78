type Section = {
	title: string;
	/** A design choice covers a point that the specification marks as "not shown". */
	source: "specification" | "design";
	statements: Record<string, string>;
};

/** Every normative sentence and table row, numbered. The run fails if one has no check. */
export const sections = [
	{
		title: "What the service does",
		source: "specification",
		statements: {
			"S-1": "All paths are relative to {base_url}, which already includes the framework's base path",
			"S-2": "It manages tenants (create, get, list, update, delete)",
			"S-3": "Deleting a tenant also deletes its related records",
			"S-4": "It signs users up and in with email and password under a tenant",
			"S-5": "It stores OAuth provider credentials per tenant and uses them for social sign-in",
			"S-6":
				"When a tenant has no enabled OAuth config for a provider, it falls back to social providers configured globally in the host framework (`socialProviders`)",
			"S-7": "Sessions created through the tenant OAuth flow carry a `tenantId`",
			"S-8": "Per-tenant OAuth config is supported only for the built-in social providers of the host framework",
			"S-9": "Providers are identified by `providerId`",
			"S-10":
				"Stored OAuth credentials are encrypted at rest with the host framework's auth secret (via `symmetricEncrypt`)",
			"S-11": "The plugin is installed by adding `tenantAuth()` to the host framework's plugin list",
		},
	},
	{
		title: "Tenant",
		source: "specification",
		statements: {
			"T-1": "`id`: string; tenant identifier, used as `tenantId` elsewhere",
			"T-2": "`name`: string, required on create; display name",
			"T-3": "`slug`: string, required on create",
			"T-4": "`slug` is unique",
			"T-5": "`slug` is a URL-friendly id",
			"T-6": "`metadata`: object, not required on create",
			"T-7": "`metadata` is arbitrary JSON",
		},
	},
	{
		title: "Tenant OAuth config",
		source: "specification",
		statements: {
			"O-1": "A tenant OAuth config is stored as a `tenantOauthConfig` row",
			"O-2": "`tenantId`: string; the owning tenant",
			"O-3": "`providerId`: string; built-in social provider id",
			"O-4": "`clientId`: string; stored encrypted",
			"O-5": "`clientId` is returned decrypted by the list operation",
			"O-6": "`clientSecret`: string; stored encrypted",
			"O-7": "`clientSecret` is never returned by any endpoint",
			"O-8": "`scopes`: string[]; optional",
			"O-9": "`redirectURI`: string; optional override of the callback URL",
			"O-10": "`enabled`: boolean; default true",
			"O-11": "One config exists per (tenant, provider) pair",
			"O-12": "Registering again for the same pair updates (upserts) the existing config",
		},
	},
	{
		title: "User and session",
		source: "specification",
		statements: {
			"U-1": "Users have name, email, password",
			"U-2": "Users have an optional image (profile image URL)",
			"U-3": "A session created by tenant sign-in is bound to a tenant",
			"U-4": "A session created by the OAuth callback is bound to a tenant",
		},
	},
	{
		title: "Endpoints",
		source: "specification",
		statements: {
			"E-1": "All endpoints are mounted under the framework base path",
			"E-2": "Request bodies are JSON",
			"E-3": "Responses are JSON unless a redirect is stated",
		},
	},
	{
		title: "Tenant id resolution",
		source: "specification",
		statements: {
			"R-1": "The tenant id may be omitted when the `resolveTenantId` plugin option resolves it",
			"R-2": "The tenant id is resolved from the `tenantId` field of the request body",
			"R-3": "The tenant id may be omitted when the `tenantId` query parameter gives it",
			"R-4": "The tenant id may be omitted when a request header gives it (default name `x-tenant-id`)",
			"R-5": "The header name is configurable",
			"R-6": "Order: `resolveTenantId` before the body",
			"R-7": "Order: `resolveTenantId` before the query",
			"R-8": "Order: `resolveTenantId` before the header",
			"R-9": "Order: body before query",
			"R-10": "Order: body before header",
			"R-11": "Order: query before header",
			"R-12": "If a source returns nothing, the next one in the order is used",
		},
	},
	{
		title: "Tenant management",
		source: "specification",
		statements: {
			"M-1": "POST /tenant/create: `name` string required",
			"M-2": "POST /tenant/create: `slug` string required",
			"M-3": "POST /tenant/create: `metadata` object optional",
			"M-4": "POST /tenant/create returns the tenant object",
			"M-5": "GET /tenant/get: query `id` returns the tenant object",
			"M-6": "GET /tenant/get: query `slug` returns the tenant object",
			"M-7": "GET /tenant/list takes no input",
			"M-8": "GET /tenant/list returns an array of tenant objects",
			"M-9": "POST /tenant/update: `tenantId` string required",
			"M-10": "POST /tenant/update: `name` string optional",
			"M-11": "POST /tenant/update: `slug` string optional",
			"M-12": "POST /tenant/update: `metadata` object optional",
			"M-13": "POST /tenant/update returns the updated tenant object",
			"M-14": "POST /tenant/delete: `tenantId` string required",
			"M-15": "POST /tenant/delete returns `{ success: true }`",
			"M-16": "POST /tenant/delete: related records are deleted with the tenant",
			"M-17": "POST /tenant/create requires management authorization",
			"M-18": "GET /tenant/get requires management authorization",
			"M-19": "GET /tenant/list requires management authorization",
			"M-20": "POST /tenant/update requires management authorization",
			"M-21": "POST /tenant/delete requires management authorization",
		},
	},
	{
		title: "Email sign-up",
		source: "specification",
		statements: {
			"UP-1": "POST /tenant/sign-up/email signs up a user under a tenant",
			"UP-2": "`tenantId`: string, not required if it is resolved otherwise",
			"UP-3": "`tenantId` is required unless resolved by header or `resolveTenantId`",
			"UP-4": "`name`: string, required; user display name",
			"UP-5": "`email`: string, required; email address",
			"UP-6": "`password`: string, required",
			"UP-7": "`image`: string, not required; profile image URL",
			"UP-8": "`callbackURL`: string, not required; email verification callback",
			"UP-9": "`rememberMe`: boolean, not required",
			"UP-10": "`rememberMe` defaults to true",
			"UP-11": "Response: user and session when email verification is not required",
		},
	},
	{
		title: "Email sign-in",
		source: "specification",
		statements: {
			"IN-1": "POST /tenant/sign-in/email signs in a user under a tenant",
			"IN-2": "`tenantId`: string, not required if it is resolved otherwise",
			"IN-3": "`email`: string, required",
			"IN-4": "`password`: string, required",
			"IN-5": "`callbackURL`: string, not required; redirect after sign-in",
			"IN-6": "`rememberMe`: boolean, not required",
			"IN-7": "`rememberMe` defaults to true",
			"IN-8": "Response: user and session",
		},
	},
	{
		title: "OAuth configuration",
		source: "specification",
		statements: {
			"C-1": "POST /tenant/oauth-config/register: `tenantId` string, not required if it is resolved otherwise",
			"C-2": "POST /tenant/oauth-config/register: `providerId` string required",
			"C-3": "POST /tenant/oauth-config/register: `providerId` is a built-in social provider id",
			"C-4": "POST /tenant/oauth-config/register: `clientId` string required",
			"C-5": "POST /tenant/oauth-config/register: `clientSecret` string required",
			"C-6": "POST /tenant/oauth-config/register: `scopes` string[] optional",
			"C-7": "POST /tenant/oauth-config/register: `redirectURI` string optional (overrides the redirect URI)",
			"C-8": "POST /tenant/oauth-config/register: `enabled` boolean optional",
			"C-9": "POST /tenant/oauth-config/register: `enabled` defaults to true",
			"C-10": "POST /tenant/oauth-config/register returns the config object without the client secret",
			"C-11": "POST /tenant/oauth-config/register creates a config",
			"C-12": "POST /tenant/oauth-config/register updates the config when the (tenant, provider) pair exists",
			"C-13": "GET /tenant/oauth-config/list: query `tenantId` string, not required if it is resolved otherwise",
			"C-14": "GET /tenant/oauth-config/list returns an array of config objects",
			"C-15": "GET /tenant/oauth-config/list omits client secrets",
			"C-16": "GET /tenant/oauth-config/list returns client ids decrypted",
			"C-17": "POST /tenant/oauth-config/delete: `tenantId` string, not required if it is resolved otherwise",
			"C-18": "POST /tenant/oauth-config/delete: `providerId` string required",
			"C-19": "POST /tenant/oauth-config/delete returns `{ success: true }`",
			"C-20": "POST /tenant/oauth-config/register requires management authorization",
			"C-21": "GET /tenant/oauth-config/list requires management authorization",
			"C-22": "POST /tenant/oauth-config/delete requires management authorization",
		},
	},
	{
		title: "Social sign-in",
		source: "specification",
		statements: {
			"SO-1": "POST /tenant/sign-in/social starts OAuth sign-in for a tenant",
			"SO-2": "`tenantId`: string, not required if it is resolved otherwise",
			"SO-3": "`provider`: string, required; provider id",
			"SO-4": "`callbackURL`: string, not required; where to redirect after success",
			"SO-5": "`errorCallbackURL`: string, not required; where to redirect on error",
			"SO-6": "Response: a redirect to the OAuth provider",
			"SO-7": "Provider resolution: first the tenant's `tenantOauthConfig` row, if enabled",
			"SO-8": "Provider resolution: a row that is not enabled is skipped",
			"SO-9": "Provider resolution: then the globally configured social provider",
			"SO-10": "Provider resolution: otherwise the error `PROVIDER_NOT_FOUND`",
		},
	},
	{
		title: "OAuth callback",
		source: "specification",
		statements: {
			"CB-1": "The callback URL registered with the OAuth provider is {base_url}/tenant/callback/{providerId}",
			"CB-2": "Tenants without their own config use the global credentials",
			"CB-3": "Tenants without their own config use this same callback URL",
			"CB-4":
				"When a tenant config sets a custom `redirectURI`, that URI must be registered in the OAuth provider's console for each tenant",
			"CB-5": "On success: creates a session with `tenantId` set",
			"CB-6": "On success: redirects to `callbackURL`",
			"CB-7": "On failure: redirects to the error URL",
			"CB-8": "On failure: the query parameter `error` is always present",
			"CB-9": "On failure: the query parameter `error_description` is optional",
		},
	},
	{
		title: "Authentication",
		source: "specification",
		statements: {
			"A-1": "Tenant management endpoints require management authorization",
			"A-2": "OAuth configuration endpoints require management authorization",
			"A-3": "User credentials: email and password for email auth",
			"A-4": "User credentials: the OAuth flow for social auth",
			"A-5": "A successful sign-in creates a session bound to a tenant",
			"A-6": "Client secrets are never returned by any list or get endpoint",
			"A-7": "Client id and secret are encrypted at rest with the auth secret",
			"A-8": "Tenant identification for requests follows the resolution order under Endpoints",
		},
	},
	{
		title: "Errors and defaults",
		source: "specification",
		statements: {
			"X-1": "No enabled tenant config and no global provider for the requested provider: error `PROVIDER_NOT_FOUND`",
			"X-2": "OAuth callback fails: redirect to the error URL with query `error` and optional `error_description`",
			"L-1": "Default of `rememberMe` on email sign-up: true",
			"L-2": "Default of `rememberMe` on email sign-in: true",
			"L-3": "Default of `enabled` on OAuth config register: true",
			"L-4": "Default of the tenant id header name: `x-tenant-id`",
		},
	},
	{
		title: "Design choices: isolation",
		source: "design",
		statements: {
			"D-1": "Identity is (tenant, email): the same email in two tenants is two users with two passwords",
			"D-2": "The same provider account is two users in two tenants",
			"D-3": "One tenant never learns that an email exists in another",
			"D-4": "The platform (requests that name no tenant) is isolated from every tenant",
			"D-5": "A request that carries only its session cookie is scoped to the session's tenant",
			"D-6":
				"A hint that differs from a live session's tenant is refused: 403 `SESSION_TENANT_MISMATCH`, and null from get-session",
			"D-7": "Signing in to another tenant is allowed and replaces the cookie",
			"D-8": "On management endpoints the tenant id names the target and does not move the caller",
			"D-9": "A tenant id is one string: arrays, objects, duplicates and joined headers are a 400",
			"D-10": "Another tenant's OAuth config returns exactly the same as a missing one",
			"D-11": "An OAuth state is valid for one callback, of one provider, in the browser that started it",
		},
	},
	{
		title: "Design choices: answers",
		source: "design",
		statements: {
			"D-12": "Tenant object: id, name, slug, metadata (object or null), createdAt, updatedAt",
			"D-13":
				"OAuth config object: tenantId, providerId, clientId, readable, scopes, redirectURI, callbackURL, callbackURLs, enabled, createdAt, updatedAt",
			"D-14": "Slug: lower-case DNS label, 2 to 63 of a-z, 0-9 and hyphen, not at the ends; else 400 `INVALID_SLUG`",
			"D-15": "sign-up returns 200 `{ token, user, session }`",
			"D-16": "sign-up with required verification returns `{ token: null, user, session: null }`",
			"D-17": "sign-up with required verification returns the same for a new and a taken email",
			"D-18": "sign-in returns 200 `{ redirect, url, token, user, session }`",
			"D-19": "sign-in/social returns 200 `{ url, redirect: true }` with a `Location` header",
			"D-20": "sign-in/social returns a 302 for a plain HTML form post",
			"D-21": "get with neither id nor slug: 400 `TENANT_ID_OR_SLUG_REQUIRED`",
			"D-22": "get with both id and slug: 400 `TENANT_ID_OR_SLUG_REQUIRED`",
			"D-23": 'list: at most `limit` tenants, the next page in a `Link: rel="next"` header',
			"D-24": "list: `limit` defaults to 100 and is at most 1000",
			"D-25": "Errors are `{ code, message }`",
			"D-26": "400 `TENANT_ID_REQUIRED` if no source names a tenant",
			"D-27": "400 `INVALID_TENANT_ID` for a malformed tenant id",
			"D-28": "400 `INVALID_METADATA` for metadata that is too large or too deep",
			"D-29": "400 `UNSUPPORTED_PROVIDER` for a provider that is not built in",
			"D-30": "404 `TENANT_NOT_FOUND` for a tenant that does not exist",
			"D-31": "404 `OAUTH_CONFIG_NOT_FOUND` for a config that does not exist",
			"D-32": "`PROVIDER_NOT_FOUND` has the status 404",
			"D-33": "409 `TENANT_SLUG_TAKEN` for a slug in use, on create and on update",
		},
	},
	{
		title: "Design choices: management, credentials, deletion",
		source: "design",
		statements: {
			"D-34": "Management without any credential: 401 `TENANT_MANAGEMENT_UNAUTHORIZED`",
			"D-35": "Management with a wrong key or a user's session: 403 `TENANT_MANAGEMENT_NOT_ALLOWED`",
			"D-36": "Management is disabled unless enabled",
			"D-37": "A platform session whose user has an admin role may manage; a tenant's user with that role may not",
			"D-38": "A platform session whose user is listed may manage",
			"D-39": "A function of the application, which gets the action and the tenant, may allow it",
			"D-40":
				"The redirect URI of a config is https (or loopback) and on a trusted origin; else 400 `INVALID_REDIRECT_URI`",
			"D-41":
				"Providers that need more than id and secret accept an optional `options` object, encrypted with the rest",
			"D-42": "Options that name a private host are refused unless the application allows them",
			"D-43": "A deleted tenant's id is never reused, and its slug becomes available",
			"D-44": "Deleting a tenant ends its sessions and keeps those of other tenants",
		},
	},
	{
		title: "Design choices: OAuth configs",
		source: "design",
		statements: {
			"OC-1": "Registering a config again keeps `scopes`, `redirectURI` and `options` that are omitted",
			"OC-2": "Registering a config again with null clears `scopes`, `redirectURI` and `options`",
			"OC-3": "The secret of a disabled config is rotated without enabling it, with `enabled: false`",
			"OC-4": "What oauth-config/list returns can be sent to oauth-config/register with a client secret",
			"OC-5":
				"A sign-in ends at its `errorCallbackURL` if its config is changed, disabled or deleted, and at another provider's callback",
			"OC-6": "A config that cannot be decrypted is listed with `readable: false`, next to the others",
			"OC-7": "register and list return `callbackURL`, which is the redirect URI of the config's sign-ins",
			"OC-8": "The callback URL of a config does not change with the application's `socialProviders`",
			"OC-9": "A tenant's own authorization server has a callback URL of its own, and its sign-ins end nowhere else",
			"OC-10": "A provider may post its response to the callback as a form",
			"OC-11":
				"POST /tenant/oauth-config/test returns a provider URL. The test ends at `callbackURL` with `oauth-test=ok`, creates no user and no session, and needs management authorization",
			"OC-12":
				"A test says why it failed: a wrong client secret, a refusal of the provider, a config that changed. A provider without a config is 404 `OAUTH_CONFIG_NOT_FOUND`, also if it is configured globally",
		},
	},
	{
		title: "Design choices: tenants",
		source: "design",
		statements: {
			"TC-1": "list: the newest tenant comes first, and pages contain every tenant once while others are created",
			"TC-2": "`metadata: null`, which get and list return, is accepted by create and update",
			"TC-3":
				"400 `INVALID_METADATA` for the key `__proto__` at any level, with a message that names it; other keys are stored",
			"TC-4": "The message of `INVALID_SLUG` names the rule that the slug breaks, reserved words and `--` included",
			"TC-5": "get: `tenantId` means the same as `id`; more than one of id, tenantId and slug is a 400",
			"TC-6": "400 `UNKNOWN_FIELD` for a field that create or update does not know, with a message that names it",
			"TC-7":
				"list: `slug` and `name` find tenants by the beginning, in pages, for operators only; both at once are a 400",
			"TC-8":
				"current: the tenant that a request names, for anyone, without its metadata; null on the platform, 404 for an unknown tenant",
		},
	},
	{
		title: "Policies of tenants",
		source: "design",
		statements: {
			"PO-1":
				"GET /tenant/policy/get returns `own` and `effective` rules; POST /tenant/policy/update changes those that are sent, and null inherits",
			"PO-2": "Policies are read and changed with management authorization only; a missing tenant is a 404",
			"PO-3": "Of parallel changes of one policy, none is lost",
			"PO-4":
				"Other sign-in methods than `methods`: 403 `SIGN_IN_METHOD_NOT_ALLOWED`, whether the password is right or not; sessions of other methods end",
			"PO-5": "/tenant/methods returns the methods that the policy leaves",
			"PO-6":
				"A new password that is shorter than `minPasswordLength`: 400 `POLICY_PASSWORD_TOO_SHORT`, also for an email that has an account",
			"PO-7": "A session above `maxSessions` ends the user's oldest",
			"PO-8": "Sign-up where `signUp` is `closed`: 403 `SIGN_UP_NOT_ALLOWED`, also for an email that has an account",
			"PO-9": "Sign-up with an email outside of `emailDomains`: 403 `EMAIL_DOMAIN_NOT_ALLOWED`",
			"PO-10": "A policy with which nobody could sign in: 409 `POLICY_LOCKS_EVERYONE_OUT`, unless it is forced",
		},
	},
	{
		title: "Design choices: second factors",
		source: "design",
		statements: {
			"SF-1":
				"Where a second factor is required, a sign-in of a user who has one returns `secondFactor: verify`, and the session comes with the code",
			"SF-2":
				"A user without one gets a session that can only set it up: 401 `SECOND_FACTOR_REQUIRED`, and /get-session returns null",
			"SF-3":
				"Sessions from before the rule lack the second factor, in this tenant only, and work again when the rule ends",
			"SF-4": "A session from before the rule is completed with /tenant/second-factor/challenge and a code",
			"SF-5": "`required-for-admins` is about owners and admins, from the moment they get the role",
			"SF-6": "After reset-second-factor the sessions end, and the next sign-in sets up a new one",
		},
	},
	{
		title: "Design choices: administration",
		source: "design",
		statements: {
			"AD-1": "Owners and admins of a tenant manage its users; members, strangers and owners of other tenants do not",
			"AD-2": "A user of another tenant and a user that does not exist get the same response",
			"AD-3": "An admin cannot act on an owner, nor make one, and nobody changes their own role",
			"AD-4": "The last owner cannot be demoted, banned, removed or erased, also by two requests at the same time",
			"AD-5": "No sign-up gets a role, and Better Auth's admin endpoints are closed in tenants",
			"AD-6": "Erasing a user ends the sessions, deletes the rows, and returns a signed record",
		},
	},
	{
		title: "Design choices: the life of a tenant",
		source: "design",
		statements: {
			"LC-1": "suspend: 403 `TENANT_SUSPENDED` for every request of the tenant, with and without its session",
			"LC-2": "archive: 403 `TENANT_ARCHIVED`; an archived tenant cannot be suspended",
			"LC-3": "restore: sessions from before work again",
			"LC-4": "restore with `endSessions`, or after suspend with it: sessions from before stay dead, and new ones work",
			"LC-5": "get and list return a suspended tenant with its `lifecycle`; update is a 403",
			"LC-6": "Only operators suspend, archive and restore; a missing tenant is a 404",
			"LC-7": "A suspended tenant can be deleted, and then not be restored",
			"LC-8": "list: `status` finds the tenants that are active, suspended or archived",
		},
	},
	{
		title: "Design choices: invitations",
		source: "design",
		statements: {
			"INV-1":
				"An invitation creates a user with a verified address and the invited role, once, also by parallel requests",
			"INV-2": "A token of another tenant, a revoked one and a made-up one get the same response",
			"INV-3":
				"Owners and admins of a tenant invite; an admin cannot invite an owner; members and neighbors cannot invite",
			"INV-4": "An invitation ends when its inviter is demoted, banned or removed",
			"INV-5": "A signed-in user accepts with the invited, verified address only",
			"INV-6": "An address gets three mails a day from a tenant, also if it is revoked and invited again",
		},
	},
] as const satisfies readonly Section[];

type StatementsOf<S> = S extends { statements: infer R } ? keyof R : never;

export type StatementId = StatementsOf<(typeof sections)[number]>;

export const statementIds = sections.flatMap((section) => Object.keys(section.statements)) as StatementId[];
