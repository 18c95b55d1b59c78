import type { CONCURRENCY_ERROR_CODES } from "../../packages/tenants/src/errors/concurrency-error-codes.ts";
import type { TENANT_AUTH_ERROR_CODES } from "../../packages/tenants/src/errors/error-codes.ts";
import type { LIFECYCLE_ERROR_CODES } from "../../packages/tenants/src/errors/lifecycle-error-codes.ts";
import type { MOVE_COLLISIONS } from "../../packages/tenants/src/errors/move-error-codes.ts";
import type { SECOND_FACTOR_ERROR_CODES } from "../../packages/tenants/src/errors/second-factor-error-codes.ts";
import type { SSO_ERROR_CODES } from "../../packages/tenants/src/errors/sso-error-codes.ts";
import type { TENANT_ADMIN_ERROR_CODES } from "../../packages/tenants/src/errors/tenant-admin-error-codes.ts";
import type { TRANSFER_ERROR_CODES } from "../../packages/tenants/src/errors/transfer-error-codes.ts";
import type { INVITATION_ERROR_CODES } from "../../packages/tenants/src/features/invitations/error-codes.ts";
import type { POLICY_ERROR_CODES } from "../../packages/tenants/src/features/policy/error-codes.ts";
import type { ROW_ERROR_CODES } from "../../packages/tenants/src/features/rows/error-codes.ts";
import type { TOKEN_ERROR_CODES } from "../../packages/tenants/src/tokens.ts";

/** When a code is returned, and what the caller or the operator can do. */
export type Help = { cause: string; fix: string };

type HelpOf<Codes> = Record<keyof Codes, Help>;

const ANOTHER_MOMENT = "Retry after the seconds in `Retry-After`. If it persists, add processes or raise the limit.";

export const TENANT_AUTH_HELP: HelpOf<typeof TENANT_AUTH_ERROR_CODES> = {
	TENANT_ID_REQUIRED: {
		cause: "The endpoint needs a tenant, and the request names none.",
		fix: "Send `tenantId` in the body or query, or the header `x-tenant-id`, or configure `resolveTenantId`.",
	},
	INVALID_TENANT_ID: {
		cause: "The tenant id is not a single string of 1 to 64 letters, digits, `-` and `_`. A slug is no id.",
		fix: "Send the `id` that `/tenant/create` or `/tenant/get` returned.",
	},
	TENANT_NOT_FOUND: {
		cause:
			"No open tenant has this id, slug or host. Another process may still remember a deleted tenant for `tenantCache.maxAge`.",
		fix: "Check the id, the host and the resolver. List the tenants with `/tenant/list`.",
	},
	TENANT_BEING_DELETED: {
		cause: "The tenant is closed, and its rows are being deleted. Its id and slug stay in use until then.",
		fix: "Wait until `/tenant/delete` returns. If the deletion was interrupted, call `/tenant/delete` again.",
	},
	TENANT_ID_OR_SLUG_REQUIRED: {
		cause: "The request has none, or several, of `id`, `tenantId` and `slug`.",
		fix: "Send exactly one of them.",
	},
	TENANT_SLUG_TAKEN: { cause: "Another tenant has this slug.", fix: "Choose another slug." },
	INVALID_SLUG: {
		cause:
			"The slug is too short or long, has other characters than a-z, 0-9 and `-`, or is reserved. The message says which.",
		fix: "Choose a slug that is a lower-case DNS label. `reservedSlugs` lists your own reserved ones.",
	},
	INVALID_TENANT_NAME: {
		cause: "The name is empty, longer than 200 characters, or contains control characters.",
		fix: "Send a name with 1 to 200 printable characters.",
	},
	INVALID_METADATA: {
		cause:
			"The metadata is not a JSON object, has the key `__proto__`, or is larger than 16 kB or 32 levels. The message says which.",
		fix: "Send a smaller object, and rename the key. Store large data in your own table, by tenant id.",
	},
	INVALID_DOMAIN: {
		cause: "The domain is not a public host name, or belongs to the platform.",
		fix: "Send a name such as `login.acme.com`, without scheme, port and path.",
	},
	DOMAIN_TAKEN: {
		cause: "Another tenant has this domain. A host belongs to one tenant.",
		fix: "Remove the domain from the other tenant first.",
	},
	DOMAIN_NOT_FOUND: {
		cause: "The tenant does not have this domain.",
		fix: "List the tenant's domains with `/tenant/domain/list`.",
	},
	TOO_MANY_DOMAINS: { cause: "The tenant has 100 domains.", fix: "Remove a domain that is no longer used." },
	UNKNOWN_FIELD: {
		cause:
			"The body contains a field that the endpoint does not know. It is rejected, so that a typo changes nothing by accident.",
		fix: "Remove the field that the message names, or correct its spelling.",
	},
	INVALID_CURSOR: {
		cause: "The cursor was changed, or comes from another list.",
		fix: "Use the `cursor` of the `Link` header of the page before, unchanged. Start without one.",
	},
	SESSION_TENANT_MISMATCH: {
		cause: "The session belongs to another tenant than the one that the request names.",
		fix: "Sign in to the named tenant, or do not name a tenant: the session names its own.",
	},
	PLATFORM_SIGN_UP_CLOSED: {
		cause: "The request names no tenant, and nobody can sign up on the platform.",
		fix: "Name a tenant. To open the platform, set `platform.signUp`, or `PLATFORM_SIGN_UP` of the service.",
	},
	PLATFORM_SIGN_IN_CLOSED: {
		cause: "The request names no tenant, and `platform.signIn` is false.",
		fix: "Name a tenant, or set `platform.signIn`.",
	},
	TENANT_HOST_MISMATCH: {
		cause:
			"The request belongs to one tenant, and its host to another, for example after a redirect to the wrong host.",
		fix: "Use the host where the sign-in started.",
	},
	TENANT_SCOPE_CONFLICT: {
		cause: "Server code called `auth.api` inside a request of one tenant, and named another one.",
		fix: "Wrap the call in `runWithTenant(tenantId, …)`.",
	},
	TENANT_MANAGEMENT_UNAUTHORIZED: {
		cause: "The request to a management endpoint has neither a session nor a key.",
		fix: "Send a management key as `Authorization: Bearer KEY`, or sign in as an operator.",
	},
	TENANT_MANAGEMENT_NOT_ALLOWED: {
		cause: "The key is unknown, or the session may not manage this tenant.",
		fix: "Check the key against `management.keys`. Allow the user with `management.userIds`, `roles` or `authorize`.",
	},
	AUDIT_UNAVAILABLE: {
		cause: "`management.audit` threw, so the action did not run.",
		fix: "Read the server log, and repair the place where audit entries are stored. Then retry.",
	},
	IMPERSONATION_DISABLED: {
		cause: "`management.impersonation` is not set.",
		fix: "Set `management.impersonation` and `management.audit`.",
	},
	IMPERSONATION_TARGET_NOT_FOUND: {
		cause: "The tenant has no user with this id, or there is no such tenant.",
		fix: "Check `tenantId` and `userId`. Users of another tenant are not found.",
	},
	IMPERSONATION_NOT_ALLOWED: {
		cause: "The session impersonates a user, and such a session may only call a few endpoints.",
		fix: "Sign out of the impersonated session. To allow an endpoint, add its path to `management.impersonation.allow`.",
	},
	INVALID_VALUE: {
		cause:
			"A value cannot be stored or searched: a NUL character, half of an emoji, a wrong type, or an id of another kind.",
		fix: "Send plain text in the fields that expect text.",
	},
	FIELD_TOO_LONG: {
		cause: "A value has more characters than its field may have. The message names the field if the request does.",
		fix: "Shorten the value. To allow more, set `limits.fields`, and `limits.bodies` if the body is then too large.",
	},
	BODY_TOO_LARGE: {
		cause: "The body has more bytes than this endpoint accepts: 16 kB, and more for imports, SCIM and SAML.",
		fix: "Send less. To allow more, set `limits.bodies` for the path.",
	},
	BODY_TOO_COMPLEX: {
		cause: "The body has too many levels, members or parameters, so that parsing it would delay other requests.",
		fix: "Send a flatter body, or several requests.",
	},
	BODY_UNREADABLE: {
		cause: "The client ended the connection, or your own code read the body of the request before Better Auth.",
		fix: "Pass a request to the handler whose body was not read, for example `request.clone()`.",
	},
	URL_TOO_LONG: {
		cause: "The URL has too many characters or parameters.",
		fix: "Send long values in a body.",
	},
	REFERENCE_NOT_IN_TENANT: {
		cause: "A row would refer to a row of another tenant, for example an id of a user who is not in this tenant.",
		fix: "Use ids of the request's tenant.",
	},
	DATABASE_NOT_ISOLATED: {
		cause: "The database lacks a column or index that keeps tenants apart, or has one that spans all tenants.",
		fix: "Read the server log. It names the table, and the migration to run: [Start-up errors](startup-errors.md).",
	},
	STORE_UNAVAILABLE: {
		cause: "The database or the secondary storage did not respond.",
		fix: "Retry after the seconds in `Retry-After`. Cookies stay valid. Check the database and Redis.",
	},
	HASHING_BUSY: {
		cause:
			"Too many passwords of this tenant wait for a hash (`hashing.maxQueuePerTenant`), or one waited too long (`hashing.maxWait`).",
		fix: ANOTHER_MOMENT,
	},
	TOO_MANY_REQUESTS: {
		cause: "The tenant used up `limits.perTenant`, or the targeted user `limits.perUser`.",
		fix: "Retry after the seconds in `Retry-After`. Raise the limit if normal use reaches it.",
	},
	TOO_MANY_CODES: {
		cause: "The codes that were tried for the user reached `limits.codesPerUser`, by the user or by somebody else.",
		fix: "Sign in with a password, a link or a passkey, or retry after the seconds in `Retry-After`. Raise the limit if normal use reaches it.",
	},
	SHARE_EXCEEDED: {
		cause:
			"A network or a tenant used up `limits.shares`: too many codes, links, OAuth states, device codes or attempts at users in an hour, or too many codes tried from a network in a day.",
		fix: "Retry after the seconds in `Retry-After`. Raise the share if normal use reaches it, for example if many users share an address.",
	},
	UNSUPPORTED_PROVIDER: {
		cause: "`providerId` is not a social provider of Better Auth.",
		fix: "Choose one of [Providers](../providers.md). Other identity providers: [Single sign-on](../sso.md).",
	},
	INVALID_REDIRECT_URI: {
		cause: "The redirect URI is not https, has a user name or a fragment, or is not on an origin in `trustedOrigins`.",
		fix: "Use https, and add the origin to `trustedOrigins`. Leave it out to use the default one.",
	},
	INVALID_PROVIDER_OPTIONS: {
		cause: "`options` has a setting that the provider does not have, lacks a required one, or names a private address.",
		fix: "Compare `options` with [Providers](../providers.md). The message names the setting.",
	},
	OAUTH_CONFIG_NOT_FOUND: {
		cause: "The tenant has no config of this provider.",
		fix: "List the tenant's configs with `/tenant/oauth-config/list`.",
	},
	OAUTH_CONFIG_UNREADABLE: {
		cause: "The credentials were encrypted with a secret that was removed, or the row was copied from another tenant.",
		fix: "Add the old secret to `secrets` again and run `reencryptSecrets`, or register the credentials again.",
	},
	OAUTH_OPTIONS_UNREADABLE: {
		cause: "The update keeps the stored `options`, but no secret decrypts them.",
		fix: "Send `options` in the update, or null to clear them.",
	},
	OAUTH_CONFIG_CHANGED: {
		cause: "Other calls changed the same config several times during this call.",
		fix: "Retry. Let one process update a config at a time.",
	},
	PROVIDER_NOT_FOUND: {
		cause: "Neither the tenant nor the application has this provider, or the tenant disabled it.",
		fix: "Offer only what `/tenant/methods` returns. Register credentials with `/tenant/oauth-config/register`.",
	},
};

export const CONCURRENCY_HELP: HelpOf<typeof CONCURRENCY_ERROR_CODES> = {
	TENANT_BUSY: { cause: "The tenant has `perTenant` requests in this process already.", fix: ANOTHER_MOMENT },
	SERVER_BUSY: {
		cause:
			"`others` requests on the platform, or without a known tenant, are in this process already. In the service also: the bodies that are being received have no room for this one, since large ones share 64 MB.",
		fix: ANOTHER_MOMENT,
	},
};

export const SSO_HELP: HelpOf<typeof SSO_ERROR_CODES> = {
	INVALID_SSO_PROVIDER_ID: {
		cause:
			"`providerId` has other characters than a-z, 0-9, `-` and `_`, or is too long. It is a part of callback URLs.",
		fix: "Choose an id such as `okta`.",
	},
	SSO_PROVIDER_ID_RESERVED: {
		cause: "The id is that of a social provider, and accounts are stored by this id.",
		fix: "Choose another id, such as `acme-google`.",
	},
	SSO_PROVIDER_EXISTS: {
		cause: "The tenant has an SSO provider or an OAuth config with this id.",
		fix: "Delete it first, or choose another id.",
	},
	SSO_ENTITY_ID_NOT_ALLOWED: {
		cause: "The request sets the SAML entity ID or audience. Each tenant has its own, which the server sets.",
		fix: "Remove `audience`, `spMetadata.entityID` and `spMetadata.metadata` from the request.",
	},
	INVALID_SSO_ENTRY_POINT: {
		cause: "The sign-in URL of the identity provider is not http or https, so a browser could run it as a script.",
		fix: "Send the https URL of the identity provider.",
	},
	INVALID_SAML_MESSAGE: {
		cause:
			"The SAML message or metadata has more than 2,000 tags or 4,000 attributes, or its signatures more than 4 references or 12 transforms. Or it has an encrypted assertion and more than 32 kB, is not valid Base64, or a response and its assertion name different requests.",
		fix: "Let the identity provider send only the attributes and groups that your application needs.",
	},
	USER_DEACTIVATED: {
		cause: "Each SCIM directory of the tenant that knows the user has deactivated or deleted them.",
		fix: "Activate the user in the directory.",
	},
	SSO_DOMAIN_ROUTING_DISABLED: {
		cause: "The sign-in names an email or domain, and the domains of providers are not verified.",
		fix: "Send `providerId`, or turn on `domainVerification` of the SSO plugin.",
	},
};

export const TRANSFER_HELP: HelpOf<typeof TRANSFER_ERROR_CODES> = {
	TRANSFER_DISABLED: {
		cause: "`management.transfer` is not set.",
		fix: "Set `management.transfer`, or `MANAGEMENT_TRANSFER=true` of the service, until the move is complete.",
	},
	TENANT_ID_TAKEN: {
		cause: "Another tenant has this id with another slug, or a tenant with this id is being deleted.",
		fix: "Compare both tenants. If a deletion runs, wait until it is complete.",
	},
	INVALID_USER: {
		cause: "A user of an import does not have the form of an exported user. The message names the fields.",
		fix: "Correct these fields, and send the user again.",
	},
	USER_ID_TAKEN: {
		cause: "Another user, in any tenant, has the id of an imported user.",
		fix: "Remove `id` from the user, so that it gets a new one.",
	},
	ACCOUNT_TAKEN: {
		cause: "Another user of the tenant has an account that the imported user has too.",
		fix: "Merge the two users in the source, or remove the account from one of them.",
	},
	PASSWORD_HASH_NOT_ACCEPTED: {
		cause: "The hash is not of Better Auth, and `transfer.acceptsPasswordHash` does not accept it.",
		fix: "Set `transfer.acceptsPasswordHash` and a matching `emailAndPassword.password.verify`, or leave the hash out.",
	},
	SECOND_FACTOR_NOT_MOVED: {
		cause: "The user has a second factor, which an export does not contain.",
		fix: "Turn the second factor off before the export. The user sets it up again after the import.",
	},
	BAN_NOT_MOVED: {
		cause: "The user is banned, and an import does not ban.",
		fix: "Remove the user from the import, or lift the ban first.",
	},
};

const LEAVE_OUT = "or leave the user out of `userIds`.";

export const MOVE_HELP: HelpOf<typeof MOVE_COLLISIONS> = {
	USER_NOT_FOUND: { cause: "The source tenant has no user with this id.", fix: "Check the id and `from`." },
	USER_BANNED: { cause: "The user is banned in the source.", fix: `Lift the ban first, ${LEAVE_OUT}` },
	USER_HAS_ROLE: {
		cause: "The user has a role of the admin plugin, which would apply in the target too.",
		fix: "Remove the role first, or set `keepRoles`.",
	},
	EMAIL_TAKEN: { cause: "A user of the target has the same email.", fix: `Merge the two users first, ${LEAVE_OUT}` },
	VALUE_TAKEN: {
		cause: "A user of the target has the same username, phone number or other unique value. `field` names it.",
		fix: `Change the value first, ${LEAVE_OUT}`,
	},
	ACCOUNT_TAKEN: {
		cause: "A user of the target has the same account at the same provider.",
		fix: `Unlink the account first, ${LEAVE_OUT}`,
	},
	ACCOUNT_NOT_ACCEPTED: {
		cause: "The account comes from a server that the target does not use, for example the source's own GitLab.",
		fix: "Unlink the account, move the user, and link it again.",
	},
	ROW_STAYS_BEHIND: {
		cause: "A row of the user refers to a row that stays in the source, for example a membership to an organization.",
		fix: "Delete the row first, or name its table in `discard`.",
	},
	ROW_OF_TENANT: {
		cause: "A row of the user belongs to its tenant and cannot move.",
		fix: "Delete the row first, or name its table in `discard`.",
	},
	SECRET_UNREADABLE: {
		cause: "No configured secret decrypts the user's second factor.",
		fix: "Turn the second factor off first.",
	},
	API_KEY_NOT_IN_DATABASE: {
		cause: "An API key of the user is only in secondary storage.",
		fix: "Delete the key first, and create it again after the move.",
	},
};

export const TOKEN_HELP: HelpOf<typeof TOKEN_ERROR_CODES> = {
	TOKEN_TENANT_MISMATCH: {
		cause: "The token is valid, but was issued in another tenant, or has no `tenant_id`.",
		fix: "Get a token in the tenant of the request. Add `tenantAuth()` before the plugin that issues tokens.",
	},
};

export const INVITATION_HELP: HelpOf<typeof INVITATION_ERROR_CODES> = {
	INVITATION_NOT_FOUND: {
		cause:
			"The invitation is expired, revoked, used or of another tenant, or its inviter was removed, banned or demoted.",
		fix: "Ask for a new invitation. Whoever resends it becomes the inviter.",
	},
	INVITATION_EXISTS: {
		cause: "The address has an open invitation to this tenant.",
		fix: "Resend it with `/tenant/invitation/resend`, or revoke it first.",
	},
	INVITATION_ROLE_NOT_ALLOWED: {
		cause: "An admin tried to invite an owner, or to resend or revoke such an invitation.",
		fix: "Ask an owner of the tenant, or an operator.",
	},
	INVITATION_SIGN_IN_REQUIRED: {
		cause:
			"The request has no session in the tenant and no `name` and `password`, or the tenant has a user with the invited address.",
		fix: "Sign in as the user with the invited address, then accept again without a name.",
	},
	INVITATION_EMAIL_MISMATCH: {
		cause: "The signed-in user has another address than the invited one.",
		fix: "Sign out, and sign in or up with the invited address.",
	},
	INVITATION_EMAIL_NOT_VERIFIED: {
		cause: "The user has the invited address, but neither Better Auth nor a provider has verified it.",
		fix: "Verify the address, then accept again.",
	},
	INVITATION_PASSWORD_REQUIRED: {
		cause: "The invitation raises the role of a user who has a password, and `password` is missing or wrong.",
		fix: "Send the password. If the user does not know it, they reset it first.",
	},
	INVITATION_NOT_SENT: {
		cause: "`sendInvitation` or `acceptURL` threw. The invitation is stored.",
		fix: "See the server log, then resend the invitation.",
	},
	INVITATION_INVALID_EMAIL: {
		cause: "The address is malformed or longer than 254 characters.",
		fix: "Send one valid address.",
	},
	TOO_MANY_INVITATIONS: {
		cause: "The tenant has `maxOpen` open invitations.",
		fix: "Revoke some, or raise `maxOpen`.",
	},
	TOO_MANY_INVITATION_MAILS: {
		cause:
			"The address got `mailsPerAddress` mails, or the tenant invited `addressesPerTenant` addresses, in 24 hours.",
		fix: "Try again tomorrow, or raise the limit.",
	},
};

export const TENANT_ADMIN_HELP: HelpOf<typeof TENANT_ADMIN_ERROR_CODES> = {
	TENANT_USER_NOT_FOUND: {
		cause: "The tenant has no user with this id. A user of another tenant looks the same.",
		fix: "Check `userId` and `tenantId`. `/tenant/user/list` has the ids.",
	},
	TENANT_USER_EXISTS: {
		cause: "A user of the tenant has this email.",
		fix: "Use another email, or change the existing user.",
	},
	LAST_OWNER: {
		cause: "The change would leave the tenant without an owner who is not banned.",
		fix: "Make another user an owner first.",
	},
	OWNER_REQUIRED: {
		cause: "An admin tried to act on an owner, or to make one.",
		fix: "Ask an owner of the tenant, or an operator.",
	},
	NOT_ON_YOURSELF: {
		cause: "Nobody changes their own role, and nobody bans, removes or erases themselves here.",
		fix: "Ask another admin or owner of the tenant.",
	},
	ROLE_NOT_ASSIGNABLE: {
		cause: "A request, a hook or a profile tried to set a role in a tenant.",
		fix: "Remove `role`. Use `/tenant/user/set-role`, or server code in `runWithTenant`.",
	},
	INVALID_TENANT_ROLE: {
		cause: "Server code tried to store no role, or several, for a user of a tenant.",
		fix: "Store one role: `owner`, `admin` or `member`.",
	},
	ADMIN_ENDPOINT_CLOSED: {
		cause: "A user of a tenant called an endpoint of Better Auth's admin plugin.",
		fix: "Use the endpoints below `/tenant/user`.",
	},
	SECOND_FACTOR_NOT_CONFIGURED: {
		cause: "The server does not use the `twoFactor` plugin.",
		fix: "Add it, or do not call this endpoint.",
	},
	INVALID_PASSWORD_LENGTH: {
		cause: "The password of a new user is shorter or longer than `emailAndPassword` allows.",
		fix: "Choose another password, or create the user without one.",
	},
};

export const LIFECYCLE_HELP: HelpOf<typeof LIFECYCLE_ERROR_CODES> = {
	TENANT_SUSPENDED: {
		cause: "An operator suspended the tenant. All its requests return this, and so do changes by operators.",
		fix: "Show users a page that says so. An operator restores the tenant with `POST /tenant/restore`.",
	},
	TENANT_ARCHIVED: {
		cause: "An operator archived the tenant. With 409: an archived tenant cannot be suspended.",
		fix: "An operator restores the tenant with `POST /tenant/restore`, if it is used again.",
	},
	TENANT_NOT_SUSPENDED: {
		cause: "`POST /tenant/restore` asked to end the sessions of a tenant that is active.",
		fix: "Suspend the tenant first, then restore it with `endSessions`.",
	},
	TENANT_STATE_CHANGED: {
		cause: "Another operator suspended, archived, restored or deleted the tenant during the call.",
		fix: "Read the tenant with `GET /tenant/get`, then decide again.",
	},
};

export const ROW_HELP: HelpOf<typeof ROW_ERROR_CODES> = {
	ROW_TENANT_REQUIRED: {
		cause: "A query for a tenant's rows ran outside of a request of Better Auth and outside of `runWithTenant`.",
		fix: "Run it in a hook or endpoint of a tenant's request, or wrap it in `runWithTenant`.",
	},
	ROW_TENANT_IS_PLATFORM: {
		cause: "The request belongs to the platform, which has no rows in the application's tables.",
		fix: "Run the code in a tenant. If the platform has rows of its own, set `allowPlatform`.",
	},
	ROW_OF_ANOTHER_TENANT: {
		cause: "The values of a write name a tenant.",
		fix: "Remove the tenant column from the values. The helper sets it.",
	},
	ROW_TABLE_NOT_LISTED: {
		cause: "The query uses a table or model that the helper does not know.",
		fix: "Add it to `own` if it has a tenant column, or else to `shared`.",
	},
	ROW_QUERY_NOT_SUPPORTED: {
		cause: "The helper cannot limit this query to one tenant, for example raw SQL or a nested write.",
		fix: "Write the query another way, or run it without the helper and with row-level security.",
	},
	ROW_QUERY_OF_ANOTHER_TENANT: {
		cause:
			"A compiled query of Kysely ran in another tenant than the one that it was compiled in. Its result is not returned. Or a connection of `tenantRowPool` was used in another tenant than the one that began its transaction.",
		fix: "Keep the query builder instead of the compiled query, and begin a transaction inside of the tenant that uses it.",
	},
	ROW_CLIENT_RELEASED: {
		cause:
			"Code used the connection of `withTenantRows` after its transaction, or one of `tenantRowPool` after `release()`. Most often, an `await` is missing. The pool may have given the connection to another tenant.",
		fix: "Await every query before the function that received the connection ends, and release a connection once.",
	},
	ROW_SCHEMA_UNKNOWN: {
		cause: "`tenantRowsForPrisma` found no models: this version of Prisma does not keep the schema in the client.",
		fix: "Pass the text of `schema.prisma` as `schema`.",
	},
	ROW_SECURITY_INACTIVE: {
		cause: "PostgreSQL does not apply the policies to this role or table.",
		fix: "Use a role that is no superuser, has NOBYPASSRLS and does not own the table. Enable row-level security.",
	},
	ROW_SETTING_PRESENT: {
		cause: "Connections have `app.tenant_id` before any transaction sets it.",
		fix: "Remove the setting from the role, the database and the connection string.",
	},
};

const ANOTHER_PASSWORD = "Choose another password. `GET /tenant/policy/get` returns the rules.";

export const POLICY_HELP: HelpOf<typeof POLICY_ERROR_CODES> = {
	INVALID_POLICY: {
		cause: "A rule is unknown, has a wrong value, or cannot be enforced by this application. The message says which.",
		fix: "Correct the rule that the message names, or configure what it requires.",
	},
	POLICY_CHANGED: {
		cause: "Other calls changed the tenant's policy five times while this one ran.",
		fix: "Read the policy again and retry.",
	},
	POLICY_LOCKS_YOU_OUT: {
		cause: "Your own session or address would not be allowed by the new policy.",
		fix: "Sign in with an allowed method first, or send `force: true`.",
	},
	POLICY_LOCKS_EVERYONE_OUT: {
		cause: "The new policy allows SSO only, and the tenant has neither an SSO provider nor break-glass users.",
		fix: "Register an SSO provider or set `breakGlassUserIds` first, or send `force: true`.",
	},
	SIGN_IN_METHOD_NOT_ALLOWED: {
		cause: "The tenant's policy excludes this sign-in method, or nothing says which method it is.",
		fix: "Use a method that `/tenant/methods` returns, or add it to the rule `methods`.",
	},
	IP_ADDRESS_NOT_ALLOWED: {
		cause: "The address of the request is in none of the tenant's `ipRanges`, or Better Auth cannot determine it.",
		fix: "Use an allowed network. Server code must pass `headers`. Check `advanced.ipAddress` of Better Auth.",
	},
	SIGN_UP_NOT_ALLOWED: {
		cause: "The tenant's rule `signUp` does not admit this user.",
		fix: "Invite or create the user, or change the rule.",
	},
	EMAIL_DOMAIN_NOT_ALLOWED: {
		cause: "The email is in none of the tenant's `emailDomains`. Subdomains are other domains.",
		fix: "Use another email, or add the domain to the rule.",
	},
	POLICY_PASSWORD_TOO_SHORT: {
		cause: "The password has fewer characters than the tenant's `minPasswordLength`.",
		fix: ANOTHER_PASSWORD,
	},
	POLICY_PASSWORD_TOO_LONG: {
		cause: "The password has more characters than the tenant's `maxPasswordLength`.",
		fix: ANOTHER_PASSWORD,
	},
	POLICY_PASSWORD_TOO_WEAK: {
		cause:
			"`passwordScore` returned less than the tenant's `minPasswordScore` or threw, or the password was never checked.",
		fix: ANOTHER_PASSWORD,
	},
	POLICY_PASSWORD_BREACHED: {
		cause: "The password is known from a data breach, and the tenant refuses such passwords.",
		fix: ANOTHER_PASSWORD,
	},
	PASSWORD_CHECK_UNAVAILABLE: {
		cause: "The server at `breachedPasswords.url` did not answer in time.",
		fix: 'Retry later. `breachedPasswords.onFailure: "allow"` accepts passwords meanwhile.',
	},
	POLICY_UNREADABLE: {
		cause: "The stored policy has rules that this version does not know. The tenant is closed until it is fixed.",
		fix: "Update all processes to the version that wrote it, or set the policy again with `POST /tenant/policy/update`.",
	},
};

export const SECOND_FACTOR_HELP: HelpOf<typeof SECOND_FACTOR_ERROR_CODES> = {
	SECOND_FACTOR_REQUIRED: {
		cause: "The tenant requires a second factor, and the session of the request lacks it.",
		fix: "Ask `GET /tenant/second-factor` what is missing. Verify the second factor, or set one up with `/two-factor/enable`.",
	},
	SECOND_FACTOR_NOT_PENDING: {
		cause: "The request has no session, its session is complete, or its user has no second factor yet.",
		fix: "Sign in first. If `GET /tenant/second-factor` returns `enroll`, call `/two-factor/enable`.",
	},
};

/** Codes that the service returns itself. The test compares them with its sources. */
export const SERVICE_HELP: Record<string, Help> = {
	NOT_FOUND: { cause: "The path is not one of the service.", fix: "Check the path and `BASE_PATH`." },
	MALFORMED_REQUEST: {
		cause: "The request is not valid HTTP, or its URL or headers cannot be parsed.",
		fix: "Correct the client or the proxy that sent it.",
	},
	INTERNAL_SERVER_ERROR: {
		cause: "The service met an error that it does not know.",
		fix: "Search the log for the `requestId` of the response.",
	},
	CLIENT_CLOSED_REQUEST: {
		cause: "The client closed the connection before its request was complete. The status is only in the log.",
		fix: "Nothing, unless it is frequent. Then check the timeouts of clients and proxies.",
	},
	ORIGIN_NOT_ALLOWED: {
		cause: "A page of an origin that is not trusted called the API.",
		fix: "Add the origin of the page to `TRUSTED_ORIGINS`.",
	},
	EMBEDDED_REQUEST: {
		cause: "A page loads an endpoint or a sign-in page as an image, a script or a style sheet.",
		fix: "Call the endpoint with `fetch`, or lead the browser to it.",
	},
	REQUEST_TIMEOUT: {
		cause: "The request was not received within `REQUEST_TIMEOUT`.",
		fix: "Check the network of the client. Raise `REQUEST_TIMEOUT` for slow uploads.",
	},
	HEADERS_TOO_LARGE: {
		cause: "The headers are larger than Node's limit of 16 kB.",
		fix: "Remove cookies of other applications from the domain.",
	},
	PAYLOAD_TOO_LARGE: {
		cause: "The body is larger than `BODY_LIMIT`, or its chunks have extensions that are too long.",
		fix: "Send less, for example fewer users per import, or raise `BODY_LIMIT`.",
	},
	API_KEY_NOT_ALLOWED: {
		cause: "A request with an API key called an endpoint that is not in `API_KEY_ENDPOINTS`.",
		fix: "Sign in, or add the endpoint to `API_KEY_ENDPOINTS`.",
	},
	TENANT_BRANDING_INVALID: {
		cause:
			"The branding in a tenant's metadata is not valid, such as a logo without https or a color with too little contrast.",
		fix: "Correct the field that the message names. See [Sign-in pages](../sign-in-pages.md#branding).",
	},
	TENANT_MAIL_INVALID: {
		cause: "The mail settings in a tenant's metadata are not valid, or `from` is at a domain that is not allowed.",
		fix: "Correct the field that the message names. Add the domain to `MAIL_SENDER_DOMAINS` if tenants may use it.",
	},
};
