/**
 * How well a row is defended. "covered": a test attacks it. "Better Auth's": Better Auth defends it, and this plugin keeps
 * the defense in place. "partly" and "open" must say what is missing.
 */
export type Status = "covered" | "partly" | "Better Auth's" | "open";

export type Threat = {
	number: number;
	/** what an attacker would try */
	title: string;
	/** what the code does today; files are named by their path */
	defense: string;
} & ({ status: "covered" | "Better Auth's"; remark?: string } | { status: "partly" | "open"; remark: string });

export type ThreatGroup = { title: string; threats: Threat[] };

/** All rows of the threat model. Tests name rows in comments; scripts/write-threat-model.ts combines both. */
export const THREAT_GROUPS: ThreatGroup[] = [
	{
		title: "Identity and account linking",
		threats: [
			{
				number: 1,
				title: "Sign in to one tenant with the password of the same email in another",
				defense:
					"Every read and write is limited to the pinned tenant (`src/scope/data/adapter.ts`). Users are unique by tenant and email (`src/scope/data/schema.ts`).",
				status: "covered",
			},
			{
				number: 2,
				title: "Reach another tenant's user through a Better Auth endpoint that looks users up by email",
				defense:
					"The adapter itself is scoped (`src/scope/data/adapter.ts`). Tokens in mails are signed with the tenant's secret (`src/scope/secrets/secrets.ts`) and name their tenant (`src/scope/request/mail-links.ts`). No list of paths is involved.",
				status: "covered",
				remark:
					"Tests attack every endpoint of Better Auth and of 21 bundled and 6 packaged plugins, on SQLite and on PostgreSQL with Redis. captcha and haveIBeenPwned have no endpoints.",
			},
			{
				number: 3,
				title: "Link an OAuth identity with an unverified email to another user's account",
				defense:
					'Linking by email happens inside the tenant, and only if both sides say that the email is verified (Better Auth\'s rule; "true" and 1 do not count: `src/features/oauth/bounded-provider.ts`). A server, directory or realm that the tenant chose is never linked automatically (`src/features/oauth/implicit-linking.ts`).',
				status: "covered",
				remark: "A tenant's own client at the provider's own server (GitHub, Google) still links by verified email.",
			},
			{
				number: 4,
				title: "Sign up with a victim's address first, and keep the password until the victim verifies the address",
				defense:
					"When an email becomes verified, the password and every other way in from before end: sessions, linked accounts, passkeys, API keys, the phone number, wallets, and links that change the email. This happens where the user is written, so for every endpoint (`src/features/unproven/guard-proofs.ts`). They stay if the request contains the password, or its browser has sent it before or has a session of the user (`src/features/unproven/guard-proofs.ts`). A signed cookie says which password a browser has sent (`src/features/unproven/sign-up-cookie.ts`).",
				status: "covered",
				remark:
					"A user who never had a password keeps the provider or wallet that they signed up with. `keepUnprovenPasswords` turns this off.",
			},
			{
				number: 5,
				title: "Run an own identity provider that vouches for users of others",
				defense:
					"What a provider says counts in its tenant only. No provider is trusted by its name there. A provider whose server or directory the tenant chose is not linked to existing users (`src/features/oauth/prepare-oauth.ts`, `src/features/oauth/implicit-linking.ts`). Its subjects are marked with their authority (`src/features/oauth/account-authority.ts`).",
				status: "covered",
			},
			{
				number: 6,
				title: "Change one's email at the provider to the victim's",
				defense:
					"Accounts are found by provider and subject, and the subject includes its authority (`src/features/oauth/account-authority.ts`). The email only matters for a new subject.",
				status: "covered",
			},
			{
				number: 7,
				title: "Use the same subject in two tenants, so that the accounts merge or the second is refused",
				defense: "Accounts are unique by tenant, provider and subject (`src/scope/data/schema.ts`).",
				status: "covered",
			},
			{
				number: 8,
				title: "Double-click the first OAuth sign-in, so that several users are created and sign-in fails afterwards",
				defense:
					"The unique index lets one request win. The other looks the account up again with the provider's response (`src/features/oauth/tenant-callback.ts`).",
				status: "covered",
			},
			{
				number: 9,
				title: "Become another user through changed credentials, which may come with other subjects",
				defense:
					"With another server, directory or realm, the same subject is another user (`src/features/oauth/account-authority.ts`). With another client of the same server, users are recognized by their subject.",
				status: "partly",
				remark:
					"Providers that give each client other subjects (Apple, Facebook) are not tested. The same user is then linked by email if it is verified, and refused with `account_not_linked` if not. Accounts do not record which config they came from.",
			},
			{
				number: 10,
				title: "Inherit the users of a deleted tenant by taking its slug, or of a deleted config by creating it again",
				defense:
					"Tenant ids are random and never reused. Deletion removes all rows of the tenant (`src/features/tenants/deletion.ts`). Accounts of another authority than the current one are never matched (`src/features/oauth/account-authority.ts`).",
				status: "covered",
				remark:
					"A slug is available again immediately; there are no tombstones. Accounts outlive the config they came from.",
			},
			{
				number: 11,
				title: "Link or unlink with a provider or an account of another tenant",
				defense:
					"A request only sees its tenant's providers (`src/features/oauth/tenant-providers.ts`) and accounts (`src/scope/data/adapter.ts`). A hint for another tenant is refused (`src/scope/request/decide.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "OAuth flows",
		threats: [
			{
				number: 12,
				title: "Start at one tenant and end at another, with its id in header, query or state",
				defense:
					"The callback takes its tenant from the state only (`src/scope/request/decide.ts`). The state's row belongs to the tenant, and its server-side part names the tenant, the provider, the config's version and the callback (`src/features/oauth/flow-binding.ts`).",
				status: "covered",
			},
			{
				number: 13,
				title: "Put a tenant into the state through `additionalData`",
				defense:
					"Only Better Auth's server context is read, which no client can write (`src/features/oauth/flow-binding.ts`).",
				status: "covered",
			},
			{
				number: 14,
				title: "Redeem the state of one provider, or of the platform, at the callback of another",
				defense:
					"Provider and callback path are bound to the state and compared before a code leaves the server (`src/features/oauth/verify-flow.ts`), for states in cookies too.",
				status: "covered",
			},
			{
				number: 15,
				title: "Use one state many times at once",
				defense:
					"Looking a state up consumes it, atomically in the database (`src/features/oauth/single-use-state.ts`).",
				status: "covered",
				remark: "Platform states that the application keeps in cookies are not single-use.",
			},
			{
				number: 16,
				title: "Present an OAuth state as a token of another kind",
				defense:
					"Better Auth 1.7.7 and later store states under a separate prefix. An older version is refused at startup (`src/plugin/startup-checks.ts`).",
				status: "covered",
			},
			{
				number: 17,
				title: "Run an own callback in another user's browser",
				defense:
					"The state must match the browser's signed cookie. Applications cannot turn that off in tenants (`src/features/oauth/prepare-oauth.ts`), and an attempt from another browser does not consume the state (`src/features/oauth/single-use-state.ts`).",
				status: "covered",
			},
			{
				number: 18,
				title: "Mix up servers, so that a code of an honest one is sent to a malicious one",
				defense:
					"A server that a tenant may run itself has a separate callback URL, and its flows end nowhere else (`src/features/oauth/callback-path.ts`; RFC 9700, section 4.4.2). The URL is decided by the config's own options and stored, so it does not change with the application's providers. A wrong `iss` in the callback (RFC 9207) is refused before the code is sent (`src/features/oauth/account-authority.ts`).",
				status: "covered",
				remark:
					"`iss` is compared if it is present and the issuer is certain: Google, GitLab, and Microsoft with a directory id. It is not required. The separate callback URLs do not depend on it.",
			},
			{
				number: 19,
				title: "Present an ID token that was issued for another tenant's client",
				defense:
					"Providers are built with one tenant's client id (`src/features/oauth/build-provider.ts`). ID tokens of the code flow are verified against it if Better Auth knows the provider's keys (`src/features/oauth/bounded-provider.ts`).",
				status: "covered",
			},
			{
				number: 20,
				title: "Present an ID token from an own issuer",
				defense:
					"Issuer, signature and age are verified (`src/features/oauth/bounded-provider.ts`). If the tenant chose the server or directory, ID tokens from clients are not accepted (`src/features/oauth/build-provider.ts`).",
				status: "partly",
				remark:
					"With a tenant's client at the provider's own server, genuine ID tokens from clients are accepted, unless the application sets `disableIdTokenSignIn`. A nonce is not required.",
			},
			{
				number: 21,
				title: "Skip PKCE",
				defense:
					"Better Auth sends a new S256 challenge for each flow. No tenant option changes that (`src/features/oauth/provider-settings.ts`).",
				status: "partly",
				remark:
					"Better Auth sends none to 13 of the 36 providers; [providers.md](providers.md) lists them. State and browser are bound there too.",
			},
			{
				number: 22,
				title: "Redirect codes with an own redirect URI",
				defense:
					"It must be https (or loopback) and on an origin that the application trusts (`src/features/oauth/config-input.ts`). Every write of a config ends its flows in progress (`src/features/oauth/config-store.ts`). The global credentials use none, not even the application's (`src/features/oauth/tenant-providers.ts`). The callback URL that an operator copies has the application's base URL or an allowed host, never a host that only the request names (`src/features/oauth/public-base-url.ts`).",
				status: "covered",
				remark: "Any path on a trusted origin is accepted, by design.",
			},
			{
				number: 23,
				title: "Make the server call internal addresses",
				defense:
					"Only built-in providers are allowed, with settings from a fixed list. Hosts must be https and public, in one notation (`src/features/oauth/config-input.ts`). Options that a registration keeps are checked again (`src/features/oauth/config-store.ts`). The check runs in the connection's own lookup, so a name cannot change between check and connection (DNS rebinding). Every address must be public, in URLs too, and open connections are not reused (`src/features/oauth/public-fetch.ts`). Redirects are not followed, and time and size are limited (`src/features/oauth/bounded-fetch.ts`).",
				status: "covered",
				remark:
					"This applies to Node, Bun and Deno. Workerd's `fetch` takes no lookup; its own network refuses internal addresses unless configured otherwise ([limits.md](limits.md)).",
			},
			{
				number: 24,
				title: "Redirect users to a foreign site after a sign-in",
				defense:
					"Better Auth checks `callbackURL`, `errorCallbackURL` and `newUserCallbackURL` of every POST against the trusted origins, on the plugin's endpoints too. A path that leads elsewhere once its dots are resolved is refused on every endpoint, in bodies and queries (`src/scope/request/safe-redirects.ts`). A callback takes its error URL only from a state that the same tenant stored (`src/features/oauth/verify-flow.ts`).",
				status: "covered",
			},
			{
				number: 25,
				title: "Use the origin of one tenant as the redirect of another",
				defense:
					"Better Auth's `trustedOrigins` may be a function of the request. If `resolveTenantId`, which is called before every other hint (`src/resolve/hint.ts`), uses the same function, the trusted origins belong to the tenant of the request. With `fromSubdomain` and `fromCustomDomain`, the plugin trusts a tenant's host in that tenant's requests only (`src/scope/tenants/hosts.ts`), and a pattern for all of them is refused at start-up (`src/plugin/host-checks.ts`).",
				status: "covered",
				remark:
					"An application that lists the origins of all its tenants in one array trusts each of them in every tenant; see [limits.md](limits.md).",
			},
			{
				number: 26,
				title: "Inject HTML, headers or log lines through the provider's error text",
				defense:
					"Better Auth URL-encodes `error` and `error_description`, and escapes both on its error page. Requests with lists instead of text are refused (`src/features/oauth/tenant-callback.ts`).",
				status: "partly",
				remark:
					"The provider's text reaches the application's error page, which must escape it. Better Auth logs a refused URL unchanged, including line breaks.",
			},
			{
				number: 27,
				title: "Use a config that was disabled, rotated or deleted during the flow",
				defense:
					"The flow is bound to one write of one config (`src/features/oauth/config-store.ts`, `src/features/oauth/verify-flow.ts`). Any other write ends it with `state_mismatch`, at the `errorCallbackURL` that was checked when it started, and no other credentials are used instead.",
				status: "covered",
				remark: "Another process may complete flows of the old config for up to `tenantCache.maxAge` (5 s).",
			},
			{
				number: 28,
				title: "Respond as a provider with too much, too slowly, or with nonsense",
				defense:
					"All calls of a sign-in share one deadline, and bodies are cut at one megabyte (`src/features/oauth/bounded-fetch.ts`). Tokens, profile and subject are checked before Better Auth sees them (`src/features/oauth/bounded-provider.ts`).",
				status: "covered",
				remark:
					"In tenants only: on the platform, Better Auth waits without a limit. The JSON Web Key Set is not attacked.",
			},
			{
				number: 29,
				title: "Have a tenant's tokens used with other credentials than their own",
				defense:
					"Tokens of another authority are hidden (`src/features/oauth/prepare-oauth.ts`). The others are used with the tenant's current credentials (`src/features/oauth/tenant-providers.ts`).",
				status: "partly",
				remark:
					"After a tenant's config is deleted, `/refresh-token` sends its refresh token to the same server with the global client. The server refuses it, but the call is made and not tested.",
			},
		],
	},
	{
		title: "Which tenant a request is for",
		threats: [
			{
				number: 30,
				title: "Name another tenant in a signed-in request",
				defense:
					"The session determines the tenant. A different hint is refused with `SESSION_TENANT_MISMATCH`, and `/get-session` returns null, on every endpoint that is not known to be of another kind (`src/scope/request/decide.ts`, `src/endpoints/endpoints.ts`).",
				status: "covered",
			},
			{
				number: 31,
				title: "Name different tenants in option, body, query and header",
				defense: "The first that returns a tenant wins, in the order of the specification (`src/resolve/hint.ts`).",
				status: "covered",
				remark: "Conflicting sources are not refused: the specification's order decides.",
			},
			{
				number: 32,
				title: "Name a tenant by a list, an object, twice, or by text with a meaning to a database",
				defense: "A hint must be one string of a narrow alphabet (`src/resolve/hint.ts`).",
				status: "covered",
				remark: "MongoDB is not tested.",
			},
			{
				number: 33,
				title: "Send the tenant header through a proxy that does not strip it",
				defense:
					"`tenantHeader: false` disables the header (`src/plugin/options.ts`). A hint never grants access (`src/scope/request/decide.ts`).",
				status: "covered",
				remark: "The header is enabled by default, as in the specification.",
			},
			{
				number: 34,
				title: "Omit the tenant to end up among the platform's users",
				defense: "The plugin's endpoints require a tenant (`src/scope/request/require-tenant.ts`).",
				status: "covered",
			},
			{
				number: 35,
				title: "Take a slug that resembles another one or a part of the site",
				defense:
					"A slug is a unique lower-case DNS label, not internationalized and not on a reserved list (`src/features/tenants/tenant-input.ts`).",
				status: "partly",
				remark:
					"A deleted tenant's slug is available immediately to anyone who may create tenants: there are no tombstones.",
			},
			{
				number: 36,
				title: "Sign up with an email that resembles an existing one",
				defense:
					"Better Auth lower-cases addresses and refuses anything but plain ASCII. Addresses from providers pass the same check (`src/features/oauth/bounded-provider.ts`).",
				status: "covered",
			},
			{
				number: 37,
				title: "Find out which tenants exist",
				defense:
					"Ids are random. `/tenant/methods` returns the same for an unknown tenant as for one without providers, after the same lookups (`src/features/methods/sign-in-methods.ts`).",
				status: "covered",
				remark:
					"Everywhere else an unknown tenant is a 404, by design: ids cannot be guessed and are not secret. [isolation.md](isolation.md) compares the times for known and unknown tenants.",
			},
			{
				number: 38,
				title: "Make a cache serve one tenant's response to another",
				defense:
					"Management responses set `no-store` (`src/features/management/management.ts`), and so do sign-up, sign-in, the social start (`src/scope/request/delegate.ts`) and its callback (`src/features/oauth/tenant-callback.ts`). `/tenant/methods` sets `Vary` (`src/features/methods/sign-in-methods.ts`). The plugin's own caches are keyed by tenant.",
				status: "covered",
			},
		],
	},
	{
		title: "Users, sessions and the life of a tenant",
		threats: [
			{
				number: 39,
				title: "Write `tenantId` where users may write",
				defense:
					"The columns accept no input (`src/scope/data/schema.ts`), and the adapter drops the field from every update (`src/scope/data/adapter.ts`).",
				status: "covered",
				remark: "At sign-up the field is the request's hint, as in the specification.",
			},
			{
				number: 40,
				title: "Get a session that belongs to no tenant, or to another than its user",
				defense:
					"Every session is created with the pinned tenant in its token and row, for a user of that tenant. Anything else throws (`src/scope/sessions/sessions.ts`, `src/scope/data/adapter.ts`).",
				status: "covered",
			},
			{
				number: 41,
				title: "Use a session after its tenant was deleted",
				defense:
					"Every request requires that the session's tenant is open (`src/scope/request/decide.ts`). Deletion removes rows and stored sessions (`src/features/tenants/deletion.ts`).",
				status: "covered",
				remark: "Another process may accept it for up to `tenantCache.maxAge` (5 s); no test runs two processes.",
			},
			{
				number: 42,
				title: "Stay signed in through the cookie cache",
				defense:
					"The tenant is checked before the cache is read (`src/scope/request/decide.ts`). Management reads the session itself (`src/features/management/management.ts`).",
				status: "covered",
				remark: "Other processes refuse after at most `tenantCache.maxAge`.",
			},
			{
				number: 43,
				title: "Stay signed in through the secondary storage",
				defense:
					"Keys contain the tenant (`src/scope/data/storage.ts`). Deletion ends the sessions of each user and deletes all keys with the prefix (`src/features/tenants/stored-deletion.ts`).",
				status: "covered",
				remark:
					"A storage that cannot list its keys keeps open flows, and sessions from sign-ins during the deletion, until they expire. They are unreachable.",
			},
			{
				number: 44,
				title: "Race a deletion with sign-ins, so that data stays behind",
				defense:
					"Deletion closes the tenant, deletes its rows, waits, deletes again, and only then removes the tenant's row (`src/features/tenants/deletion.ts`). It does not wait if no process has ever served the tenant: the first one to serve it marks it before (`src/scope/tenants/known-tenants.ts`). Nor if triggers in the database refuse rows of closed tenants (`src/features/triggers/refusal-check.ts`).",
				status: "covered",
				remark: "Sign-ups, sign-ins and resets at two processes and many tenants: `pnpm isolation --part deletion`.",
			},
			{
				number: 45,
				title: "Sign up with one email many times at once",
				defense: "Users are unique by tenant and email (`src/scope/data/schema.ts`).",
				status: "covered",
			},
			{
				number: 46,
				title: "Get around uniqueness with an empty tenant",
				defense:
					"The column is never empty; the platform has its own value (`src/scope/data/schema.ts`, `src/scope/pin/platform.ts`).",
				status: "covered",
				remark: "Tested on PostgreSQL.",
			},
			{
				number: 47,
				title: "Crash between creating a user and the account",
				defense: "Adapters without transactions are refused at startup (`src/plugin/startup-checks.ts`).",
				status: "covered",
				remark:
					"`pnpm isolation --part kills` ends the process with SIGKILL at random statements of sign-up, callback, deletion and re-encryption.",
			},
			{
				number: 48,
				title: "Register one config or slug many times at once",
				defense:
					"Unique indexes (`src/scope/data/schema.ts`). The loser of the race updates the winner's row. It compares the values that it keeps with those that it checked, and starts again if they changed (`src/features/oauth/config-store.ts`). The loser of a slug gets an error that it is taken (`src/scope/tenants/tenant-store.ts`).",
				status: "covered",
			},
			{
				number: 49,
				title: "Manage another tenant's resources",
				defense:
					"Management is disabled until an option enables it. The guard and the handler use the same target (`src/features/management/management.ts`), and stores are bound to a tenant (`src/features/oauth/config-store.ts`).",
				status: "covered",
			},
			{
				number: 50,
				title: "Manage through a foreign site's request with the operator's cookie (CSRF)",
				defense: "JSON only, plus Better Auth's origin check. GET changes nothing.",
				status: "covered",
			},
			{
				number: 51,
				title: "Sign a victim in to the attacker's tenant through a form",
				defense:
					"Better Auth's check for cross-site forms protects all three endpoints (`src/features/email/sign-in-email.ts`, `src/features/email/sign-up-email.ts`, `src/features/oauth/sign-in-social.ts`). JSON without an origin may start a social sign-in, as at Better Auth's own endpoint: no page can send it to another site (`src/engine/lean-endpoint.ts`).",
				status: "covered",
			},
			{
				number: 52,
				title: "Find out who has an account",
				defense:
					"Better Auth's own sign-up and sign-in run in the tenant (`src/scope/request/delegate.ts`), with their responses and hashing. A code that is used up or expired is a wrong code (`src/features/email/uniform-code-response.ts`).",
				status: "covered",
				remark:
					"[isolation.md](isolation.md) compares the times for known and unknown users. Without `requireEmailVerification`, sign-up reveals a taken address, as in Better Auth alone. It always reveals a taken phone number or username ([limits.md](limits.md)).",
			},
			{
				number: 53,
				title: "Get another request's response because requests run concurrently",
				defense:
					"The tenant is in the record of the request, which Better Auth's request state keeps, and nothing of a request in a module (`src/scope/pin/request-record.ts`, `src/scope/pin/tenant-context.ts`).",
				status: "covered",
				remark: "2,000 requests at one endpoint.",
			},
		],
	},
	{
		title: "Secrets, data and abuse",
		threats: [
			{
				number: 54,
				title: "Read a client secret through an endpoint",
				defense:
					"Responses contain selected fields, never a row (`src/features/oauth/oauth-config.ts`). The columns are not returned (`src/scope/data/schema.ts`).",
				status: "covered",
				remark:
					"In addition to the tests listed here: after every test, all responses, logs, tables and keys are searched for a marker that all client secrets contain (`packages/test-kit/src/canary.ts`).",
			},
			{
				number: 55,
				title: "Find a client secret in logs, errors or traces",
				defense:
					"No credentials are passed to a logger or an error. A value that cannot be decrypted becomes null (`src/features/oauth/config-store.ts`).",
				status: "partly",
				remark:
					"Every test searches its debug logs with causes, and its console output. Traces (OpenTelemetry) are not searched. Credentials are plain text in memory: no type hides them when printed.",
			},
			{
				number: 56,
				title: "Move a ciphertext to another row",
				defense:
					"Tenant, provider and field are encrypted with the value and compared on decryption (`src/features/oauth/seal.ts`). A value that cannot be decrypted disables the provider, logs whose it is (`src/plugin/start-services.ts`), and is listed as unreadable.",
				status: "covered",
				remark:
					"The line is logged when the config is loaded, not for each sign-in. Credentials that can be decrypted but do not form a provider are not logged.",
			},
			{
				number: 57,
				title: "Have text encrypted for another purpose and put it in a secret's place",
				defense:
					"A decrypted value must have the sealed form and name its place (`src/features/oauth/seal.ts`). Better Auth's state cookies use a separate key. No ciphertext is ever returned.",
				status: "partly",
				remark:
					"There is no separate key for this purpose: the specification requires Better Auth's `symmetricEncrypt` and auth secret. Text encrypted inside a tenant has the tenant's key and cannot be decrypted here. On the platform, a text in the sealed form that was encrypted for another purpose could be; using it requires write access to the table.",
			},
			{
				number: 58,
				title: "Break sign-ins by rotating the auth secret",
				defense:
					"Values name the secret that encrypted them. `reencryptSecrets` encrypts them again in batches and lists those that cannot be decrypted (`src/features/oauth/reencrypt.ts`), including second factors and signing keys (`src/features/oauth/engine-tables.ts`).",
				status: "partly",
				remark: "The package does not report the number of rows per secret. The service's `tenants doctor` does.",
			},
			{
				number: 59,
				title: "Pollute prototypes through metadata",
				defense:
					"The key `__proto__` is refused at every level (`src/features/tenants/tenant-input.ts`). Other keys, `constructor` too, are stored and returned as they are: metadata is never merged into another object.",
				status: "covered",
				remark: "Code of your own that merges metadata into its objects must skip `constructor` and `prototype`.",
			},
			{
				number: 60,
				title: "Send very large or deep metadata",
				defense: "The limits are 16 kB and 32 levels. The check stops early (`src/features/tenants/tenant-input.ts`).",
				status: "covered",
			},
			{
				number: 61,
				title: "Inject SQL or operators through a query",
				defense:
					"Listing takes a number and a cursor, which must be a time and an id (`src/features/tenants/list-tenants.ts`). Hints are narrow strings (`src/resolve/tenant-id.ts`). Better Auth's adapters use parameters.",
				status: "covered",
				remark: "[The isolation runs](isolation.md) generate 100,000 more requests. MongoDB is not tested.",
			},
			{
				number: 62,
				title: "Guess passwords faster at the plugin's endpoints than at Better Auth's",
				defense:
					"The same limits and the application's rules apply to both (`src/endpoints/rate-limits.ts`). Better Auth counts by address and path; attempts at one user of a tenant are counted over all addresses (`src/load/limits/limits.ts`). Without Redis, the memory for counters is bounded, and a flood of invented users pushes out what it brought, not counters of other tenants and networks (`src/load/limits/windows.ts`).",
				status: "covered",
				remark: "Without Redis, each process counts separately and a restart begins again.",
			},
			{
				number: 63,
				title: "Slow one tenant down by loading another, or lock its users out",
				defense:
					"Tenants take turns at hashing passwords (`src/lib/fair-turns.ts`), with `limitConcurrency` a few requests of a tenant run and the others wait (`src/lib/turns.ts`), a hanging provider is cut off (`src/features/oauth/bounded-provider.ts`), deletion runs in batches (`src/features/tenants/deletion.ts`), and a tenant's requests can be limited (`src/load/limits/limits.ts`). A few failures of others do not lock a user out: by default, attempts at one user are refused for the rest of ten minutes after a hundred.",
				status: "partly",
				remark:
					"A tenant's limit counts requests, not mails or provider calls separately. A sign-up hashes inside Better Auth's transaction and holds a connection meanwhile. Other kinds of load are not tested.",
			},
			{
				number: 64,
				title: "Use up the processor with password hashes",
				defense:
					"Concurrent hashes are limited, tenants take turns, and requests that wait too long or behind too many get 503 (`src/load/hashing/bounded-hashing.ts`). Better Auth refuses passwords that are too long before it hashes them.",
				status: "covered",
			},
			{
				number: 65,
				title: "Bypass the scope through another plugin or the order of plugins",
				defense:
					"The scope is in the adapter, the storage and the secrets, not in a list of paths. The plugin must come first, and a table or unique field without a tenant is refused (`src/plugin/startup-checks.ts`).",
				status: "covered",
				remark: "[plugins.md](plugins.md) lists the verified versions, and what the application must do.",
			},
			{
				number: 66,
				title: "Write a path so that a guard does not recognize it",
				defense:
					"Decisions use the endpoint that Better Auth's router found, not the URL (`src/endpoints/endpoints.ts`).",
				status: "covered",
			},
			{
				number: 67,
				title: "Run on a Better Auth version with known vulnerabilities",
				defense:
					"The plugin refuses to start below 1.7.7 and from 1.8 on (`src/plugin/startup-checks.ts`). Row 77 covers the packages.",
				status: "covered",
				remark: "No run against the newest Better Auth is scheduled.",
			},
			{
				number: 68,
				title: "Use clocks that differ, or a state that outlives its cookie",
				defense: "Better Auth keeps a state for 10 minutes and its cookie for 5.",
				status: "Better Auth's",
				remark: "No test changes a clock.",
			},
		],
	},
	{
		title: "Single sign-on",
		threats: [
			{
				number: 69,
				title: "Have another tenant's authorization code sent to one's own identity provider (OAuth mix-up)",
				defense:
					"Every tenant and provider has its own redirect URI, `/tenants/<tenant id>/sso/callback/<provider id>` (`src/endpoints/tenant-address.ts`). The URL determines the tenant, the state is looked up there, and the platform's URL serves only the platform (`src/endpoints/endpoints.ts`). A response that names another issuer is refused (RFC 9207, `src/features/sso/scope-sso.ts`). With `sso({ redirectURI })`, startup fails (`src/scope/compose/shared-state.ts`).",
				status: "covered",
			},
			{
				number: 70,
				title: "Present a SAML response of one tenant in another, at another address, to another audience, or unasked",
				defense:
					"The assertion consumer URL, entity ID and audience name the tenant and provider (`src/features/sso/saml-entity.ts`). Requests, relay states and used assertions are rows of the tenant. With `saml.enableInResponseToValidation: false`, startup fails (`src/scope/compose/shared-state.ts`).",
				status: "covered",
				remark:
					"A relay state is not tied to a browser (Better Auth's choice: identity providers post across sites), so a victim may be signed in as the attacker.",
			},
			{
				number: 71,
				title: "Name an identity provider like a social provider and claim its users",
				defense:
					"SSO providers cannot have the name of a built-in or global provider, configured or not (`src/features/sso/manage-providers.ts`). A social provider cannot be configured next to an SSO provider of its name (`src/features/oauth/config-store.ts`). Account ids of SSO and generic OAuth providers include their authority (`src/features/sso/sso-accounts.ts`, `src/features/oauth/generic-authorities.ts`).",
				status: "covered",
			},
			{
				number: 72,
				title: "Register, change or read a tenant's identity providers without permission to manage the tenant",
				defense:
					"The SSO plugin's management endpoints require management authorization in tenants and are audited (`src/features/sso/manage-providers.ts`). Settings are encrypted and bound to tenant, provider and column, and a registration returns no secret (`src/features/sso/sealed-providers.ts`).",
				status: "covered",
				remark: "Providers that are linked to an organization are also bound to its admins, as in Better Auth.",
			},
			{
				number: 73,
				title: "Claim a domain or an email address through one's own identity provider",
				defense:
					"Users are routed by domain to providers whose domain is verified (`src/features/sso/in-tenant.ts`). A provider verifies emails, and is linked to existing users by email, only inside its verified domains (`src/features/sso/sso-accounts.ts`). A change of the identity provider resets the verification (`src/features/sso/sealed-providers.ts`) and ends the DNS record that was asked for (`src/features/sso/in-tenant.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Impersonation, sign-in methods and versions of plugins",
		threats: [
			{
				number: 74,
				title: "Make an impersonated session outlast its end, by bringing it in another cookie",
				defense:
					"The token of a live impersonated session in any cookie or header makes the request one of that session, which may only read itself and sign out (`src/scope/sessions/impersonated-session.ts`). An impersonated session that a plugin finds anywhere else becomes neither the request's session nor a new one (`src/features/management/keep-impersonation-off.ts`).",
				status: "covered",
			},
			{
				number: 75,
				title: "Bypass a tenant's own Google client and Workspace domain through Google One Tap",
				defense:
					"In a tenant with its own Google config, One Tap only accepts tokens for that client and domain (`src/features/oauth/prepare-oauth.ts`). It is disabled there if the credentials cannot be decrypted or if `oneTap()` has its own client id.",
				status: "covered",
			},
			{
				number: 76,
				title: "Relay a passkey that a user of one tenant uses on the page of another",
				defense:
					"If there are trusted origins besides the base URL's, `passkey()` without `origin` fails at startup (`src/features/passkey/check-origins.ts`). The page's origin, which the browser signs, must not be a host of another tenant (`src/features/passkey/assert-origin.ts`).",
				status: "covered",
				remark:
					"`resolveTenantId` determines whose host a page has. Hosts of tenants that it does not know count as the application's.",
			},
			{
				number: 77,
				title: "Exploit a version of Better Auth or one of its packages with a published advisory",
				defense:
					"One table lists them with their advisories (`src/engine/known-bad-versions.ts`). Startup fails for such a version, for a prerelease of the fix, and for a plugin of that name without a version (`src/engine/check-versions.ts`).",
				status: "partly",
				remark: "The table is maintained by hand; advisories published after a release are not in it.",
			},
		],
	},
	{
		title: "Shares and parsing",
		threats: [
			{
				number: 78,
				title: "Use up another tenant's share of a process, or escape one's own, by naming another tenant",
				defense:
					"Requests count for the tenant they are pinned to (`src/load/concurrency/slot.ts`). Before that, they count for the tenant that the same decision predicts without lookups (`src/scope/request/predict-tenant.ts`), and among the undecided, which have a separate limit (`src/load/concurrency/shares.ts`). Requests for a hash are shed early by the same decision (`src/load/hashing/shed-early.ts`).",
				status: "covered",
				remark:
					"With `limitConcurrency`, which the server uses. Anyone can send requests to a tenant and use up its share. Each process counts separately.",
			},
			{
				number: 79,
				title:
					"Stop the process with a text that takes quadratic time to parse, a body in one-byte chunks, or many bodies that do not end",
				defense:
					"No regular expression of the package or the server takes more than linear time: `pnpm lint` fails on one that does or cannot be checked (`scripts/check-expressions.ts`, with recheck). Cookies are read by string functions (`src/engine/request-cookie.ts`). The server reads a body into one buffer and refuses more than 1,024 chunks plus one per 64 bytes. Bodies that are begun and not ended have a bounded room together, and the oldest gives way (`apps/server/src/request/body-room.ts`).",
				status: "covered",
				remark: "Expressions of Better Auth and of other dependencies are not checked.",
			},
		],
	},
	{
		title: "Namespaces that tenants share",
		threats: [
			{
				number: 80,
				title: "Use an identifier that is unique in one tenant only where all tenants share a namespace",
				defense:
					"Each identifier of Better Auth and its plugins has a row in [namespaces.md](namespaces.md) that says what separates tenants. They are collected from a running instance, and one without a row fails `proof/surface/namespaces.security.test.ts`. A key that a plugin would share between tenants is refused at startup (`src/scope/compose/shared-state.ts`). A state or token that appears in two places of a request selects no tenant (`src/scope/request/tagged-input.ts`).",
				status: "covered",
				remark: "Identifiers that no mechanism finds (a relying party id, an entity id) are listed by hand.",
			},
			{
				number: 81,
				title: "Present a token of one tenant to a resource server of another, where all tenants have one issuer",
				defense:
					"Signed tokens, introspection and userinfo name their tenant in a claim that no user, client or callback can set (`src/scope/compose/tenant-tokens.ts`, `src/scope/compose/returned-claims.ts`). The helper for resource servers requires it, with the keys of that tenant (`src/tokens.ts`).",
				status: "covered",
				remark:
					"A resource server that verifies tokens itself must compare the claim: [tokens.md](tokens.md). ID tokens signed with a client's secret (`disableJwtPlugin`) have none; their audience is one tenant's client.",
			},
		],
	},
	{
		title: "Users that move between tenants",
		threats: [
			{
				number: 82,
				title: "Use a session, a reset token or a one-time password from before the move, in either tenant",
				defense:
					"The move deletes them in the database and in the secondary storage (`src/features/move/write-move.ts`, `src/features/move/end-stored-sessions.ts`, `src/features/move/end-verifications.ts`). They stay dead if the user moves back.",
				status: "covered",
				remark:
					"Cached sessions (`session.cookieCache`), JWTs and signed links to verify an email are not stored. They end when they expire.",
			},
			{
				number: 83,
				title: "Sign in as a moved user with the same subject at another server",
				defense:
					"Account ids are translated between the platform and tenants. An account moves only if the target uses the server that issued it, and no tenant runs that server (`src/features/move/moved-accounts.ts`).",
				status: "covered",
			},
			{
				number: 84,
				title: "Gain rights by a move: a tenant's admin becomes an operator, or a client serves another tenant",
				defense:
					"Users with a role or a ban are reported and do not move (`src/features/move/plan-move.ts`). OAuth clients, SCIM users and SSO providers stay in their tenant (`src/features/move/user-tables.ts`).",
				status: "covered",
				remark: "`keepRoles` turns the first check off.",
			},
			{
				number: 85,
				title: "Race a move with sign-ins, so that a session or a row stays in the old tenant",
				defense:
					"Each batch is one transaction that locks its users. After a drain time the move looks again, ends late sessions and moves late rows (`src/features/move/user-move.ts`, `src/features/move/move-batch.ts`). A session that is stored after its user left is none (`src/scope/sessions/lost-users.ts`).",
				status: "covered",
				remark: "Until then such a session is valid in the old tenant, for at most `deletion.drainTime`.",
			},
			{
				number: 86,
				title: "Change a neighbor's rows, or leave a row that refers to a user of another tenant",
				defense:
					"Every statement of the move names the tenant. Rows that refer to a row that stays are found first, and nothing is written (`src/features/move/moving-rows.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Hosts of tenants",
		threats: [
			{
				number: 87,
				title:
					"Write a host in another way, or send two hosts, so that tenant, links and cookies belong to different hosts",
				defense:
					"A host has one spelling: case, port and a trailing dot do not count, and anything else is no host (`src/resolve/host-name.ts`). One function reads it for the tenant, the links and the trusted origins (`src/resolve/request-host.ts`, `src/scope/tenants/hosts.ts`). `X-Forwarded-Host` counts with `advanced.trustedProxyHeaders` only. Protocol and port of links come from the configuration. A request that belongs to another tenant than its host, because of its session, state or path, is refused. The path of a tenant is read before it is removed (`src/resolve/tenant-paths.ts`).",
				status: "covered",
				remark:
					"Applies to `fromSubdomain` and `fromCustomDomain`. Your own resolver decides for itself what a host means.",
			},
			{
				number: 88,
				title: "Use a host or path of no tenant, so that users end up on the platform",
				defense:
					"A host that is neither a tenant's nor the platform's is a 404 at every endpoint (`src/plugin/on-request.ts`, `src/scope/tenants/hosts.ts`), and so is a path of no tenant (`src/resolve/from-path.ts`). Missing names are cached in a small cache of their own (`src/scope/tenants/cached-lookup.ts`), so that they cost few queries and push out no tenant.",
				status: "covered",
			},
			{
				number: 89,
				title: "Claim the domain of another tenant, or of the platform",
				defense:
					"A domain is stored in one spelling, with a unique index over all tenants (`src/scope/data/schema.ts`, `src/scope/tenants/domain-store.ts`). Hosts of the platform and all subdomains are refused (`src/features/domains/managed-domains.ts`), and win over a domain that was stored before (`src/resolve/host-rules.ts`). The host of `baseURL.fallback` also wins over your own `findTenantId` (`src/resolve/resolve-with.ts`). Only operators add domains; `authorize` is not asked (`src/features/domains/add-domain.ts`).",
				status: "covered",
				remark: "The plugin does not check the DNS. Your operators or your server code do, before they add a domain.",
			},
			{
				number: 90,
				title: "Receive the cookies of one tenant at the host of another",
				defense:
					"Cookies have no domain, so browsers keep them for one host. Options that set one are refused at start-up (`src/plugin/host-checks.ts`). A session of another tenant than the host's is refused (`src/scope/request/decide.ts`).",
				status: "covered",
			},
			{
				number: 91,
				title: "Take a slug whose subdomain is a host of the platform",
				defense:
					"The platform's hosts are reserved as slugs (`src/resolve/from-subdomain.ts`). The platform's URL must not be a subdomain that a tenant could get (`src/plugin/host-checks.ts`).",
				status: "covered",
			},
			{
				number: 92,
				title: "Sign up on the platform of an application that meant to have tenants only",
				defense:
					"With `resolveTenantId`, the platform creates no users for requests. The adapter checks it, which every new user passes (`src/scope/sessions/platform-access.ts`), so the way of signing up does not matter. Email sign-up is refused before it looks a user up.",
				status: "covered",
				remark: "`platform.signUp` opens it. Server code may always create users.",
			},
		],
	},
	{
		title: "Ids that callers choose",
		threats: [
			{
				number: 93,
				title: "Choose the id of a user, as an admin of one tenant, to find or take the id of another tenant's user",
				defense:
					"Ids are primary keys of all tenants. The id of a new user that a request sends is dropped (`src/scope/data/chosen-ids.ts`), and an update of a request never changes an id (`src/scope/data/adapter.ts`). The response is the same, whether the id exists in another tenant or not.",
				status: "covered",
				remark:
					"Server code may choose ids, database hooks of the application may choose those of new users, and so does an import by an operator.",
			},
		],
	},
	{
		title: "A router that many requests share",
		threats: [
			{
				number: 94,
				title:
					"Get the context of another request, with its tenant, secrets or trusted origins, from a router that is built once",
				defense:
					"`createTenantHandler` creates a context for each request, as Better Auth does (`src/features/handler/request-context.ts`). What the shared router holds forwards to the context of the running request, and throws if there is none (`src/features/handler/running-context.ts`). Plugins receive the request's own context, and options are read for each request (`src/features/handler/plugins-view.ts`). Versions of Better Auth that were not tested are served by its own handler.",
				status: "covered",
			},
		],
	},
	{
		title: "Deleting one tenant among many",
		threats: [
			{
				number: 95,
				title:
					"Choose a tenant id or a key, so that deleting or moving out of one tenant deletes keys or rows of others",
				defense:
					"A tenant's prefix ends in a character that no id contains (`src/scope/data/storage.ts`). In the pattern for Redis it is literal (`src/scope/data/redis-key-scan.ts`), and names with another beginning are dropped, whatever the storage returns (`src/scope/data/key-scan.ts`). Rows are deleted by id and tenant, and what keeps PostgreSQL from the tenant's index matches no tenant (`src/scope/data/rows-by-id.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Sessions in two places",
		threats: [
			{
				number: 96,
				title: "Keep a session that its user has ended, because the database and the secondary storage do not agree",
				defense:
					"If the database has every session, the list of a user's sessions contains what either of the two has, so ending all others ends all (`src/scope/sessions/sessions-by-database.ts`). While the storage does not respond, sessions are checked in the database, and nothing is ended or changed: it would come back with the storage. No session is copied from the database into the storage. A user is changed only if the storage responds, which has copies of the user (`src/scope/sessions/require-live-storage.ts`). If the storage fails after the database has changed, the request returns 503, and a retry ends or changes the rest (`src/scope/pin/outage.ts`). A list of sessions has no limit (`src/scope/data/all-sessions.ts`).",
				status: "covered",
				remark:
					"If the storage fails after the rows were deleted and nobody retries, the copies there live until they expire. Since 1.7.18, Better Auth rejects most of them.",
			},
		],
	},
	{
		title: "Rotating the auth secret",
		threats: [
			{
				number: 97,
				title: "Sign users out, or break links and second factors, by rotating the auth secret",
				defense:
					"All configured secrets verify and the first one signs. What another secret of the pinned tenant signed is signed again with the first, in the copy of the request that Better Auth reads (`src/scope/secrets/re-sign.ts`). `/get-session` renews the cookies, so they outlive the old secret (`src/scope/sessions/renewed-cookies.ts`).",
				status: "covered",
				remark:
					"Users who do not return while both secrets are configured must sign in again: [rotation.md](rotation.md).",
			},
			{
				number: 98,
				title: "Use what an older secret signed in another tenant, changed, or after the secret was removed",
				defense:
					"Only the secrets of the pinned tenant verify, each derived from one configured secret (`src/scope/secrets/secret-versions.ts`). Nothing is signed again unless one of them signed exactly this value, compared in constant time (`src/engine/re-sign.ts`), in a cookie with Better Auth's own name (`src/engine/signed-cookies.ts`). The new signature does not leave the process unless Better Auth accepts the session. With `verifyWithAllSecrets: false`, an older secret opens stored values only, and nothing that a caller sends (`src/engine/newest-for-callers.ts`). Where the two cannot be told apart, the server refuses to start (`src/plugin/secret-checks.ts`).",
				status: "covered",
				remark:
					"Anyone who knows an older secret can forge cookies while it is configured, unless `verifyWithAllSecrets` is `false`: [rotation.md](rotation.md).",
			},
		],
	},
	{
		title: "A restored database",
		threats: [
			{
				number: 99,
				title: "Stay signed in through Redis, as a user or with a session that a restored database does not have",
				defense:
					"The keys of the service in Redis begin with the identity of its database (`apps/server/src/redis/keys-of-database.ts`): the cluster, the database and the table of sessions, of which a dump has none (`apps/server/src/database/identity.ts`). Processes look again while they run, and do not start without it. Sessions in the dump are read from the database.",
				status: "covered",
				remark:
					"A physical restore (snapshot, point in time) keeps the identity: `tenants restored` removes the keys, and `tenants doctor` finds sessions that only Redis has. Revocations after the backup are lost: `tenants restored --end-sessions`.",
			},
			{
				number: 100,
				title: "Sign in with, find users by, or exhaust the server with an imported password hash of another system",
				defense:
					"The service reads each format strictly and limits its cost (`apps/server/src/foreign-hashes/read-hash.ts`). A hash that cannot be read verifies no password. Better Auth's own hash is computed at the same time, as for an unknown user, and each verification takes a turn of its tenant (`apps/server/src/foreign-hashes/password.ts`). The first sign-in replaces the hash.",
				status: "covered",
				remark:
					"A hash that costs more than Better Auth's takes longer, until the first sign-in. bcrypt covers 72 bytes of a password: such a hash is not replaced for a longer one.",
			},
		],
	},
	{
		title: "Plugins of the service",
		threats: [
			{
				number: 101,
				title:
					"Use an API key, device code, OAuth client, phone code, passkey or SCIM token of one tenant in another, or create one without being allowed to",
				defense:
					"Every plugin of the service is composed with tenants (`apps/server/src/auth/plugins.ts`), and a tenant's host decides before any header. Passkeys and issuers belong to the tenant's own host (`apps/server/src/auth/passkey.ts`, `apps/server/src/auth/resolver.ts`). OAuth clients and SCIM connections are managed by operators only (`src/features/management/guard-management.ts`). An API key is accepted at the configured endpoints only (`apps/server/src/auth/api-key.ts`). Codes are sent to numbers of the tenant's users, or for a signed-in user (`apps/server/src/auth/phone-number.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Mails of the service",
		threats: [
			{
				number: 102,
				title:
					"Send mails as another tenant, as the service or as a stranger's domain through a tenant's mail settings",
				defense:
					"Only operators write a tenant's settings, and they are validated behind the guard (`apps/server/src/auth/tenant-mail-check.ts`), so others do not learn which domains are allowed: one address each, names on one line without signs of an address and without encoded words (`apps/server/src/mail/tenant-mail.ts`). A sender's domain must be in `MAIL_SENDER_DOMAINS`, compared as DNS has it, and again for each mail. At the service's own domain, below or above it, the name still says `via`; a name like the service's gets its domain (`apps/server/src/mail/senders.ts`). Encoded words in other names are taken apart (`apps/server/src/mail/names.ts`). Settings are looked up by the tenant's id when a mail is sent (`apps/server/src/mail/deliver.ts`).",
				status: "covered",
				remark:
					"The list of domains belongs to the service: an operator can give a tenant any domain in it. Letters of other alphabets that look like the service's name are not found.",
			},
		],
	},
	{
		title: "Rows of the application",
		threats: [
			{
				number: 103,
				title: "Read rows of another tenant in the application's own tables",
				defense:
					"`requireTenantId` throws without a tenant, so that no query runs without one (`src/features/rows/require-tenant-id.ts`). The helpers for Kysely and Prisma add the tenant to every query, and reject tables in no list and every query with a part that they do not know (`src/features/rows/kysely.ts`, `src/features/rows/prisma.ts`).",
				status: "covered",
				remark: "Only with these helpers. Drizzle has no place for one: use row-level security.",
			},
			{
				number: 104,
				title: "Insert, change, move or delete rows of another tenant in the application's own tables",
				defense:
					"The helpers set the tenant of new rows, reject values that name another, and limit updates, deletes and conflicts (`src/features/rows/kysely-insert.ts`, `src/features/rows/prisma.ts`). They reject nested writes, `replace` and `merge`.",
				status: "covered",
				remark: "Only with these helpers, or with row-level security.",
			},
			{
				number: 105,
				title: "Read or write rows of another tenant with a query that has no condition, or in raw SQL",
				defense:
					"Policies of PostgreSQL compare each row with the tenant of the transaction, and raise an error without one (`src/features/rows/row-security-sql.ts`). `assertRowSecurity` refuses a role that they do not apply to, and a table without them (`src/features/rows/row-security.ts`).",
				status: "covered",
				remark:
					"PostgreSQL only. Injected SQL can set another tenant. Keys, functions with `security definer` and materialized views are not limited: [row-level data](guides/row-level-data.md#limits-of-row-level-security).",
			},
			{
				number: 106,
				title: "Get the tenant of an earlier request with its connection from the pool",
				defense:
					"`withTenantRows` sets the tenant for one transaction only, and destroys a connection whose transaction could not be ended (`src/features/rows/row-security.ts`). A connection that was given back runs nothing more (`src/features/rows/lent-client.ts`, `src/features/rows/row-pool.ts`). `assertRowSecurity` refuses connections that have a tenant from the start.",
				status: "covered",
			},
		],
	},
	{
		title: "The life of a tenant",
		threats: [
			{
				number: 107,
				title: "Use a tenant that an operator suspended or archived",
				defense:
					"Every request that names the tenant, or carries one of its sessions, links, states or keys, returns 403 before an endpoint runs, and never runs as a platform request (`src/scope/tenants/known-tenants.ts`, `src/scope/request/decide.ts`). Server code in `runWithTenant` throws. Only operators change the state (`src/features/lifecycle/guard-state.ts`), and a late call does not undo a newer one (`src/scope/tenants/tenant-store.ts`). Optional triggers refuse what running requests write (`src/features/triggers/trigger-steps.ts`).",
				status: "covered",
				remark:
					"With `tenantLifecycle()`. Other processes notice within `tenantCache.maxAge`. Requests that are already running complete, unless the database has the triggers. A resource server that has the tenant's keys accepts JWTs until it fetches the keys again or the token expires: [lifecycle](lifecycle.md#limitations).",
			},
			{
				number: 108,
				title: "Use a session, link or token from before an operator ended all sessions of a tenant",
				defense:
					"A restore with `endSessions` deletes sessions, verifications, tokens and key pairs while the tenant is closed and no request can create any (`src/features/lifecycle/restore-tenant.ts`, `src/features/lifecycle/end-tenant-sessions.ts`). From then on, the tenant signs with different secrets, one for each configured secret (`src/scope/secrets/secrets.ts`, `src/scope/secrets/secret-versions.ts`). Cached sessions have another version, and older ones in a storage are hidden (`src/scope/sessions/ended-sessions.ts`). Marks of used SAML assertions stay.",
				status: "covered",
				remark:
					"With `tenantLifecycle()`. API keys, SCIM tokens, passwords and passkeys are not sessions, and stay. If the application has its own key set (`jwt({ adapter })`), it must rotate the keys itself.",
			},
		],
	},
	{
		title: "Administration of a tenant",
		threats: [
			{
				number: 109,
				title:
					"Take a tenant over from inside: promote oneself, act on an owner, make an owner, or use Better Auth's admin endpoints",
				defense:
					"Only owners act on owners and make them, and nobody changes their own role. The rules are checked in the transaction of the change, after it has locked the tenant (`src/features/admin/act-on-user.ts`, `src/features/users/roles.ts`). Better Auth's `/admin/*` endpoints are closed in tenants, including those that it adds later (`src/features/admin/close-engine-endpoints.ts`, `src/endpoints/admin-endpoints.ts`).",
				status: "covered",
				remark: "Admins can act on other admins. An admin who can read an owner's mail can reset the owner's password.",
			},
			{
				number: 110,
				title: "Leave a tenant without an owner, also by two changes at the same time",
				defense:
					"The adapter refuses to delete, demote or ban the last owner who is not banned, whichever endpoint, plugin or server code asks for it. A move refuses too (`src/features/admin/owner-guard.ts`). It counts owners with an UPDATE in the same transaction, which reads the newest rows and locks them. Better Auth deletes users in a transaction (`src/features/admin/delete-in-transaction.ts`).",
				status: "covered",
				remark:
					"Needs transactions (`database.requireTransactions`). Your own SQL is not checked. An identity provider or a SCIM directory can still stop the last owner from signing in. The tenant can be deleted.",
			},
			{
				number: 111,
				title: "Get a role, or manage users, without being an admin of that tenant",
				defense:
					"A request cannot write a role, whatever a body, a profile or a hook says (`src/features/admin/owner-guard.ts`). Authority comes from the user's role in the database, in the tenant of the session, if the user is not banned. Impersonated sessions have none (`src/features/admin/allowed-actions.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Invitations",
		threats: [
			{
				number: 112,
				title:
					"Join a tenant, or get a role in it, with an invitation that is another tenant's, another address's, used, expired or revoked",
				defense:
					"Only the hash of a token is stored, as a row of its tenant, and the database deletes the row once, in the transaction that creates the user or raises the role (`src/features/invitations/invitation-store.ts`). The token proves the address of a new user. An existing user needs the token, the invited address and its verification (`src/features/invitations/accept-as-existing-user.ts`). All other tokens return the same 404 (`src/features/invitations/find-by-token.ts`).",
				status: "covered",
			},
			{
				number: 113,
				title:
					"Misuse the right to invite: grant a higher role, return by an own invitation, flood mailboxes, or find accounts",
				defense:
					"Only owners invite owners and change such invitations. An invitation is no longer valid once its inviter is removed, banned or demoted. The transaction that accepts it checks this again (`src/features/invitations/may-invite.ts`, `src/features/invitations/use-invitation.ts`). Mails per address, addresses per tenant and open invitations are counted while the tenant is locked, and revoking resets nothing (`src/features/invitations/invitation-store.ts`). Creating an invitation does not look for a user (`src/features/invitations/create-invitation.ts`).",
				status: "covered",
				remark:
					"The limits are per tenant: many tenants can mail one address. Invitations from an operator stay valid after the operator leaves: revoke them.",
			},
		],
	},
	{
		title: "Policies of tenants",
		threats: [
			{
				number: 114,
				title:
					"Get or keep a session that the tenant's policy excludes: by another method, from another address, or after the policy became stricter",
				defense:
					"Checked where sessions are created (`src/features/policy/admit-sessions.ts`) and wherever one is read, from the database, the storage or the cookie cache (`src/features/policy/guard-sessions.ts`). The method is a property of the endpoint (`src/endpoints/rows/sign-in-ways.ts`), and an unknown one is refused. A test reads Better Auth's source and fails if a new place creates sessions. Requests are refused before a password is checked (`src/features/policy/guard-requests.ts`). A policy that cannot be read refuses everything (`src/features/policy/policies.ts`).",
				status: "covered",
				remark:
					"Other processes use the old policy for up to `tenantCache.maxAge`. JWTs, API keys and OAuth tokens that were issued before stay valid until they expire: [policies](policy.md#limits).",
			},
			{
				number: 115,
				title: "Set a password, or create a user, that the tenant's policy excludes",
				defense:
					"Checked where a password is stored (`src/features/policy/password-rules.ts`) and where users are created and their emails change (`src/features/policy/sign-up-rules.ts`). The response to a sign-up is the same for an email that has an account. The breach server receives five characters of a digest (`src/features/policy/breached-passwords.ts`), and if it does not respond, the password is refused.",
				status: "covered",
				remark: "Imported password hashes cannot be checked.",
			},
			{
				number: 116,
				title: "Change another tenant's policy, loosen one by a race, or lock a tenant out",
				defense:
					"`policy:get` and `policy:update` are management actions (`src/features/policy/update-policy.ts`). The store is bound to one tenant, and parallel changes are all kept (`src/features/policy/policy-store.ts`). A change that locks the caller or everyone out is refused unless it is forced (`src/features/policy/update-policy.ts`). Rules that the application cannot enforce are refused (`src/features/policy/usable-rules.ts`).",
				status: "covered",
			},
			{
				number: 117,
				title: "Get or keep a session without the second factor that the tenant requires",
				defense:
					"The token of a session records the second factor (`src/scope/sessions/session-proof.ts`). All other sessions lack one: other sign-in methods, sessions from before the rule, methods that Better Auth adds later. They do not count as sessions wherever one is read, from the database, the storage or the cookie cache (`src/scope/sessions/pending-sessions.ts`), and plugin hooks do not see a new one. Its response contains neither user nor session (`src/features/second-factor/respond-to-pending.ts`). Tests compare it with an outsider on every endpoint.",
				status: "covered",
				remark:
					"Other processes use the old rule for up to `tenantCache.maxAge`. JWTs and OAuth tokens that were issued before stay valid until they expire: [second factors](second-factor.md#limits).",
			},
			{
				number: 118,
				title: "Replace, guess or skip a user's second factor with the first one",
				defense:
					"A user who has a second factor gets the two-factor plugin's own challenge, which counts wrong codes (`src/engine/two-factor-plugin.ts`). A session that lacks a second factor may only set one up, and only if the user has none (`src/scope/sessions/pending-sessions.ts`). A trusted device counts only for its user. After a reset, no session counts as verified (`src/features/policy/second-factor/second-factor-rule.ts`).",
				status: "partly",
				remark:
					"An attacker who has the first factor of a user without a second one can set one up. `secondFactorFrom` and `secondFactorGrace` limit the time: [second factors](second-factor.md#limits).",
			},
		],
	},
	{
		title: "Sign-in pages of the service",
		threats: [
			{
				number: 119,
				title: "Sign in to, read or end the session of another tenant through a sign-in page",
				defense:
					"Pages have no access to users or sessions: every form is a request to Better Auth's own endpoint, in the process, with the visitor's headers, host and address (`apps/server/src/pages/call-engine.ts`, `apps/server/src/http/engine.ts`). The host or path decides the tenant as in the API. A tenant that does not exist, the platform and an unknown host get the same page (`apps/server/src/pages/create-pages.ts`).",
				status: "covered",
				remark: "Tenants below paths share a host and its cookies: signing in to one signs out of the other.",
			},
			{
				number: 120,
				title:
					"Run a script, frame a page or load something from elsewhere by a tenant's name, branding, input or error code",
				defense:
					"Every text and attribute is escaped, and inline code throws (`apps/server/src/pages/view/h.ts`). Branding has fixed fields, validated behind the management guard and again when read; colors become a style sheet whose URL contains nothing but colors (`apps/server/src/branding/branding.ts`, `apps/server/src/branding/brand-styles.ts`). Error codes only choose a text (`apps/server/src/pages/failures.ts`). The content security policy allows no inline code, no frames and no origin except the logo's, and requires Trusted Types (`apps/server/src/pages/page-headers.ts`).",
				status: "covered",
				remark:
					"The logo's server sees the addresses of visitors. Names can be misleading. Only operators set them, and with `CONSOLE` the owners of the tenant.",
			},
			{
				number: 121,
				title: "Sign visitors in or out by a form on another site, or lead them to another site after a sign-in",
				defense:
					"A form is accepted only from the page's own origin, even without cookies (`apps/server/src/pages/same-origin.ts`). A return URL is a path on the same host or at an origin in `TRUSTED_ORIGINS`; it is checked on every page, and again by Better Auth (`apps/server/src/pages/return-url.ts`). Responses to forms redirect to pages only; for other targets, a page redirects the visitor, and never to a scheme that runs code (`apps/server/src/pages/lead-on.ts`).",
				status: "covered",
			},
			{
				number: 122,
				title: "Join a tenant with another tenant's, an old or somebody else's invitation, on the page that accepts it",
				defense:
					"The page has no access to invitations: it calls the endpoints of `tenantInvitations()` with the visitor's cookies, in the tenant of its host or path (`apps/server/src/pages/page/invitation.ts`). Tokens that are expired, used, revoked, invented or another tenant's get the same page (`apps/server/src/pages/page/invitation-view.ts`). A signed-in user with another address gets no form that accepts.",
				status: "covered",
			},
			{
				number: 123,
				title:
					"Steal the token of an invitation from the page, or make a visitor accept another invitation than the one shown",
				defense:
					"The token moves from the URL to an `HttpOnly` cookie at once, and is in no page, link or log (`apps/server/src/pages/page/accept-invitation.ts`, `apps/server/src/pages/flow-cookies.ts`). Only a form of the page's own origin accepts. It contains the address that was shown, and nothing happens if the cookie belongs to another invitation.",
				status: "covered",
				remark: "Anyone who can read the email can accept the invitation.",
			},
		],
	},
	{
		title: "Invitations, administration and policies together",
		threats: [
			{
				number: 124,
				title: "Sign up with an invited address first, and keep a way in until its owner accepts a role",
				defense:
					"If an invitation raises a user's role, they must send their password, or reset it first. Other sessions, passkeys, API keys, the phone number, wallets, trusted devices and tokens of OAuth clients are removed, and so are linked accounts of a user with a password (`src/features/invitations/end-other-access.ts`). Pending links that change the email stop working (`src/features/unproven/ended-links.ts`).",
				status: "covered",
				remark:
					"Linked accounts of a user without a password stay, and API keys that are only in the secondary storage. Before you invite an existing user to a higher role, check the user with `/tenant/user/get`.",
			},
			{
				number: 125,
				title: "Skip a new second factor on a device that was trusted with the old one",
				defense:
					"Turning a second factor off ends the trust of all the user's devices, and so does a reset by an administrator (`src/features/second-factor/end-trusted-devices.ts`). Both recognize hashed identifiers (`src/engine/two-factor-plugin.ts`).",
				status: "covered",
				remark:
					"With verifications in a secondary storage, it needs `withKeyScan`: other storages cannot list what they contain.",
			},
			{
				number: 126,
				title:
					"Get past a policy by how a session came about: a challenge that hides the method, another tenant's SSO, an impersonated session, or an order of plugins",
				defense:
					"A challenge remembers the method of the first step (`src/features/second-factor/challenge-method.ts`). SSO counts as two factors only if the tenant's policy says so, and only for sessions from its own provider (`src/features/policy/second-factor/second-factor-rule.ts`). A session that replaces an impersonated one stays impersonated and ends at the same time (`src/scope/sessions/pending-sessions.ts`). Companions guard the same objects in any order (`src/engine/when-assigned.ts`).",
				status: "covered",
			},
			{
				number: 127,
				title:
					"Undo what an administrator did: sign in during a ban, or show a forged or foreign record of an erasure; or read credentials in a user's export",
				defense:
					"A session that is stored while its user is banned or removed is refused after the commit (`src/features/rights/sessions.ts`). Records are signed with a key of their own, and `verifyErasure` compares the tenant and the user that the caller expects (`src/features/admin/erasure-record.ts`). With `verifyWithAllSecrets: false`, a record that an older secret signed is rejected. An export contains listed columns only (`src/features/admin/exported-fields.ts`).",
				status: "covered",
				remark: "With `session.cookieCache`, the cached cookie of a banned user is valid until it expires.",
			},
		],
	},
	{
		title: "Console of the service",
		threats: [
			{
				number: 128,
				title: "Read or change another tenant, or the platform, through the endpoints of the console",
				defense:
					"Every endpoint that names a tenant is guarded like the other management endpoints (`src/features/management/guard-management.ts`): another tenant and a missing one get the same response. Users of a tenant are allowed a fixed list of actions in the tenant of their session, by their role in the database (`apps/server/src/console/authorize.ts`, `apps/server/src/console/caller-role.ts`). Impersonated sessions, banned users and sessions that lack a second factor are refused. An action on all tenants requires an operator, and a malformed tenant id does not mean all tenants (`apps/server/src/console/list-events.ts`). Only operators can list and search tenants (`src/features/tenants/list-tenants.ts`). On a tenant's own host, a session of another tenant does not count (`src/scope/tenants/hosts.ts`), and it does not open the console below a tenant's path (`apps/server/src/console/get-console.ts`).",
				status: "covered",
			},
			{
				number: 129,
				title: "Learn from the events or the counts of a tenant about operators or other tenants, or fill them",
				defense:
					"Users of a tenant see that an operator acted, without name, email or reason. They do not see attempts by users of other tenants. Ids are random, so they reveal no counts. After a deletion, a tenant with the same id starts without events. Attempts without a key or session are not stored (`apps/server/src/console/events.ts`). Sign-ins are counted only for existing tenants and a fixed list of methods, in bounded memory. Deleting a tenant deletes its counts (`apps/server/src/measure/sign-in-counts.ts`).",
				status: "covered",
				remark:
					"A signed-in user can create two events of refused attempts an hour and action, which operators see, whatever tenants they name. What owners and admins may do creates an event each time. Rate limits apply, and events are deleted after 90 days.",
			},
			{
				number: 130,
				title: "Change a tenant unseen, or lose a change of its metadata by a race",
				defense:
					"An event is stored before its action, in addition to the log. If it cannot be stored, the action does not run (`apps/server/src/console/events.ts`). The branding is written while the tenant's row is locked, and the other fields do not change (`apps/server/src/console/metadata-field.ts`).",
				status: "covered",
				remark:
					"`/tenant/update` replaces all metadata. A caller that read the metadata before a branding change overwrites that change.",
			},
		],
	},
	{
		title: "Tests of OAuth configs",
		threats: [
			{
				number: 131,
				title:
					"Sign in, link or create a user with the state of a test, or use it in another tenant, callback or browser",
				defense:
					"The mark of a test is part of the callback that the state is bound to, on the server, so no request can add or remove it, and a version that does not know tests refuses such a state (`src/features/oauth/flow-binding.ts`). Tenant, provider, config, callback and browser are compared as in a sign-in, and the state works once (`src/features/oauth/verify-flow.ts`, `src/features/oauth/verify-flow.ts`). The provider of a test never returns a user to Better Auth (`src/features/oauth/observed-provider.ts`).",
				status: "covered",
				remark: "The application's `mapProfileToUser` also runs in a test.",
			},
			{
				number: 132,
				title:
					"Use the test of a config to reach another tenant's credentials, to lead a browser to another site, or to read a profile",
				defense:
					"`oauth-config:test` is a management action, and impersonated sessions cannot run it. Only that tenant's config is used, never the application's provider. Another tenant's config gets the same response as a missing one (`src/features/oauth/test-oauth-config.ts`). Better Auth checks `callbackURL` when the test starts. The return URL gets a result from a fixed list and nothing else (`src/features/oauth/test-outcome.ts`).",
				status: "covered",
				remark: "The result in the URL is for display only. Anyone can open the page with another result.",
			},
		],
	},
	{
		title: "Pages of the console",
		threats: [
			{
				number: 133,
				title:
					"Use the operators' pages as a user of a tenant, as a platform user without the role or in an impersonated session",
				defense:
					"The console has no authority: each call goes to a management endpoint with its own guard. Hiding a page only avoids an error (`apps/console/src/app/root-route.ts`). Another tenant and a missing one get the same response (`apps/server/src/console/get-console.ts`). Operators can only be created on the server, with access to its database (`apps/server/src/command-line/operator/create-operator.ts`). An impersonated session sees only the page that ends it (`apps/console/src/app/lead-aside.ts`), and impersonation is off unless `MANAGEMENT_IMPERSONATION` is set.",
				status: "covered",
			},
			{
				number: 134,
				title: "Lead a user of the console to another site by a link, or take a token from its URL or storage",
				defense:
					"After a sign-in, the console follows only paths below its own (`apps/console/src/sign-in/console-path.ts`), and a tenant's sign-in page checks the path again (`apps/server/src/pages/return-url.ts`). Sessions are in cookies that scripts cannot read. The console stores only the theme (`apps/console/src/app/theme.ts`).",
				status: "covered",
				remark: "`pnpm console` compares the URL and the storage of the browser with the cookies.",
			},
			{
				number: 135,
				title:
					"Run a script in the console, frame it or load something from elsewhere by a name, a reason, a user agent, branding or the URL",
				defense:
					"The page is the same for everyone. Its data comes from the API as JSON, and React renders it as text. Nothing turns text into HTML: the content security policy allows no inline code, no other origin and no frames, and requires Trusted Types without a policy (`apps/server/src/http/console-files/serve-console.ts`). Only a valid slug from the URL is written into the page (`apps/server/src/http/console-files/console-paths.ts`). The preview of the branding loads no logo. Error codes that return from a provider only choose a text (`apps/console/src/tenant/providers/test-result.ts`).",
				status: "covered",
				remark:
					"The console has no special access: it calls the public endpoints with the user's cookies. `pnpm console` repeats all its calls as an admin of another tenant.",
			},
		],
	},
	{
		title: "React components",
		threats: [
			{
				number: 136,
				title:
					"See methods, a session, typed values or a pending second factor of one tenant after a switch to another",
				defense:
					"A tenant is a mount: the provider gives everything below it a new key when the tenant changes (`packages/react/src/tenant-provider.tsx`). Requests of the previous tenant are aborted and never settle (`packages/react/src/send.ts`). A session is shown only if it names the tenant (`packages/react/src/use-shared-session.ts`). Parameters that a redirect adds to the URL are removed when they are read (`packages/react/src/sign-in/address-hints.ts`).",
				status: "covered",
				remark: "If the host decides the tenant, the server compares the session, and a switch loads another page.",
			},
			{
				number: 137,
				title: "Lead users to another site or run a script through `returnTo` or the address of a link",
				defense:
					"`returnTo` is followed only at the page's origin or at an allowed one, also as the callback URL of a provider or an email. Links and URLs of tenants must be http or https (`packages/react/src/return-to.ts`). Error codes in the URL only choose a text (`packages/react/src/failures.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Sign-ins and grants from before an end",
		threats: [
			{
				number: 138,
				title:
					"Keep a session by a sign-in that began before the user's sessions were ended: by an invitation that raises the role, an administrator, a ban that was lifted, or a new password",
				defense:
					"Every end of all sessions of a user replaces the user's epoch. A new session gets the epoch that its request saw first, on every way to one, and is refused if the user has another one (`src/features/rights/sessions.ts`). A request that ends the sessions itself keeps its own (`src/features/rights/request-rights.ts`).",
				status: "covered",
				remark:
					"Requires `tenantAdmin()`. A request that begins with a code or a link compares the clocks of servers. The end of one session does not replace the epoch.",
			},
			{
				number: 139,
				title:
					"Redeem an OAuth code, a refresh token or the code of a device from before a second factor was required, a ban, or the end of the session",
				defense:
					"Where the OAuth provider redeems a grant, its user and session are checked again (`src/scope/data/grant-guard.ts`, `src/engine/oauth-grants.ts`): a banned user, and a code whose session is gone or excluded by the policy, get `invalid_grant`. So does a user who needs a second factor that the session has not proven, or whose session is gone (`src/features/policy/start-policy.ts`). The code of a device counts with the session that approved it, which is remembered at the approval (`src/engine/device-approvals.ts`). With `refreshTokenReuseInterval`, the user is checked before a response is sent again. A suspended tenant serves no request.",
				status: "covered",
				remark:
					"Access tokens stay valid until they expire. Refresh tokens outlast their session unless a second factor is required.",
			},
		],
	},
	{
		title: "Several tabs and tenants in one browser",
		threats: [
			{
				number: 140,
				title: "Give a visitor the token of another link by a cookie that a sibling subdomain sets",
				defense:
					"The names of these cookies begin with `__Host-`, which browsers accept from the host itself only. Between cookies, only the spaces that browsers remove are skipped, so a name with another space before the prefix is another name (`apps/server/src/pages/flow-cookies.ts`).",
				status: "covered",
				remark:
					"The session's cookie has no such prefix: see [Links, cookies and origins](hosts.md#links-cookies-and-origins) for tenants that run scripts on their hosts.",
			},
			{
				number: 141,
				title: "Make a visitor change the password of another account than the one whose link they opened",
				defense:
					"The form names the link that it was shown for, by a hash of the token. If another link was opened meanwhile, nothing is changed, and the page does not say that it was (`apps/server/src/pages/page/reset-password.ts`).",
				status: "covered",
			},
			{
				number: 142,
				title: "Get a consent from another user than the page names, or for something else than the page shows",
				defense:
					"The form contains the address that the page was shown for, and the page is shown again if somebody else signed in meanwhile. What a client asks for is shown only if Better Auth signed it (`apps/server/src/pages/page/consent.ts`).",
				status: "covered",
			},
			{
				number: 143,
				title: "Sign visitors in unseen, by a link that a page loads as an image, such as another tenant's logo",
				defense:
					"Hosts of tenants are one site to browsers, which send and keep cookies with such images. The service refuses endpoints and pages that a browser loads as an image, a script or a style sheet (`apps/server/src/http/embedded.ts`).",
				status: "covered",
				remark:
					"Browsers before Chrome 80, Firefox 90 and Safari 16.4 do not say what they load (`Sec-Fetch-Dest`). A link that a visitor opens still signs in.",
			},
		],
	},
	{
		title: "One callback host for all tenants",
		threats: [
			{
				number: 144,
				title:
					"Use a code in a flow of another tenant: send a victim to the provider with the challenge of a flow at Acme and the state of one's own tenant",
				defense:
					"With one redirect URI, the provider no longer keeps tenants apart. So a code is redeemed on the callback host only, with the verifier of the state that it came with, and the provider refuses it there (`src/features/oauth/continue-at-tenant.ts`). A tenant's host gets a code of ours, and no code that arrives there is sent to a provider (`src/features/oauth/handed-provider.ts`).",
				status: "covered",
				remark:
					"A provider that ignores PKCE would issue tokens. They are stored for the flow of the attacker's own tenant, and sign in there only.",
			},
			{
				number: 145,
				title:
					"Sign a victim in as the attacker, or link the attacker's account, with a hand-over that the victim opens",
				defense:
					"The callback host creates no user, session or cookie. The tenant's host continues only with the signed cookie of the state, which is in the browser that began (`src/features/oauth/single-use-state.ts`).",
				status: "covered",
			},
			{
				number: 146,
				title: "Use a state, a code or a hand-over twice, later, or in another flow, tenant or host",
				defense:
					"States and hand-overs are consumed when they are read, in the tenant's own rows. A hand-over is bound to its state and to the hash of a random code, and expires after 60 seconds. Its tokens are encrypted with the tenant's key and name their state (`src/features/oauth/hand-over.ts`).",
				status: "covered",
			},
			{
				number: 147,
				title: "Mix up providers or clients on the callback host",
				defense:
					"Provider, config version and `iss` are compared before the code is redeemed (`src/features/oauth/tenant-shared-callback.ts`, `src/features/oauth/flow-provider.ts`). Servers that a tenant may run keep a redirect URI of their own (`src/features/oauth/build-provider.ts`).",
				status: "covered",
			},
			{
				number: 148,
				title: "Make the callback host redirect elsewhere, or another host act as the callback host",
				defense:
					"The target is the host that the server stored when the flow began, and its owner is looked up again. Everything else ends on the application's error page. A redirect without tokens has a fragment, so that none of the provider's follows (`src/features/oauth/continue-at-tenant.ts`). The endpoint exists on the callback host only, which must be the platform's (`src/features/oauth/check-callback-host.ts`).",
				status: "covered",
				remark: "Another process may know the owner of a host from before, for `tenantCache.maxAge` seconds.",
			},
			{
				number: 149,
				title:
					"Send the callback host too much, or something that can be read in two ways, or change the tenant while it waits",
				defense:
					"Repeated and long parameters end the flow (`src/features/oauth/callback-request.ts`). After the provider was called, tenant and host are checked again, and the tenant's host compares the config again (`src/features/oauth/verify-flow.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "What pages and apps show of a tenant",
		threats: [
			{
				number: 150,
				title: "Read what operators keep in a tenant's metadata from what its pages may know",
				defense:
					"`/tenant/current` returns chosen fields and the text that the option `branding` returns, which is nothing by default (`src/features/tenants/get-current-tenant.ts`, `src/scope/tenants/tenant-profiles.ts`). The metadata is not kept in memory.",
				status: "covered",
				remark: "Whoever knows the slug, the host or the id of a tenant reads its name, as on its sign-in page.",
			},
			{
				number: 151,
				title: "Make a page show another tenant, by a session, a header or a shared cache",
				defense:
					"The host decides before anything else, and a session of another tenant has no effect (`src/scope/request/decide.ts`). Responses set `no-store` (`src/features/tenants/get-current-tenant.ts`).",
				status: "covered",
				remark: "Where nothing in the request names a tenant, the session does.",
			},
			{
				number: 152,
				title: "Make a user confuse two accounts in an authenticator app, or break its entry, by the name of a tenant",
				defense:
					"The issuer of a TOTP URI and the name of a passkey are the tenant's (`src/engine/app-name.ts`), on one line, without colons and invisible characters, and at most 64 bytes long (`src/lib/clean-label.ts`). Better Auth encodes it.",
				status: "covered",
				remark: "Names are not unique. `displayName` can add the slug.",
			},
		],
	},
	{
		title: "What storage keys reveal",
		threats: [
			{
				number: 153,
				title: "Read from the names of stored keys who was erased, or use a session that the erasure missed",
				defense:
					"Better Auth keeps the time until which a user's sessions are revoked, and the key contains the user's id. In a tenant, the key contains a hash of the id, so that the time can stay (`src/engine/revocation-time.ts`).",
				status: "covered",
				remark:
					"Better Auth before 1.7.18 does not know this time. With `tenantAdmin()`, the session of a user who is gone is not found.",
			},
		],
	},
	{
		title: "Sizes of inputs",
		threats: [
			{
				number: 154,
				title: "Fill the database with long values, make a list of users too large to load, or learn from the refusal",
				defense:
					"Every field of every table has a maximum that follows from the schema (`src/load/bounds/field-bounds.ts`, `src/engine/field-sizes.ts`). It is checked below the scoped adapter, in and outside of transactions (`src/load/bounds/bounded-adapter.ts`). Fields of users are checked before anything is looked up, where anyone can send them (`src/load/bounds/sent-fields.ts`).",
				status: "covered",
				remark: "This bounds the length of a value, not how many of them a tenant stores.",
			},
			{
				number: 155,
				title:
					"Fill the storage that all tenants share with one long state, or with a long copy of a user in each session",
				defense:
					"A verification in the storage has the bounds of its row, any other value those of a user and a session together (`src/load/bounds/bounded-storage.ts`). The copy of a user consists of fields that have a maximum.",
				status: "covered",
				remark: "This bounds the length of a value, not how many of them a tenant stores.",
			},
			{
				number: 156,
				title:
					"Occupy the process of all tenants with a body or URL that is long, deeply nested or has many parameters",
				defense:
					"A body is received up to the bound of its path, whatever its Content-Length says (`src/load/bounds/receive-request.ts`, `src/endpoints/body-sizes.ts`). Levels, members and parameters are counted in one pass before it is parsed (`src/lib/is-simple.ts`). Every handler does this (`src/plugin/on-request.ts`). Tags, attributes, references and transforms of SAML messages and metadata are counted before they are searched (`src/features/sso/saml-messages.ts`).",
				status: "covered",
				remark:
					"Better Auth's limits by IP address run before, with the URL alone. What an encrypted assertion contains is not counted, so such a message may have 32 kB.",
			},
		],
	},
	{
		title: "Shares of what is stored",
		threats: [
			{
				number: 157,
				title: "Fill the database with codes and tokens that expire and are never deleted",
				defense:
					"The service deletes expired rows of every table that has an expiry, also of device codes, which anyone can create. What is kept is listed with its reason, and a table in neither list fails a test (`apps/server/src/schema/expiring-tables.ts`).",
				status: "covered",
				remark: "The package itself deletes nothing by time. Without the service, an application deletes expired rows.",
			},
			{
				number: 158,
				title: "Guess a mailed code over days: ask for new ones, from many addresses, on every endpoint that takes one",
				defense:
					"The codes that are tried for one user of a tenant are counted over a day and over all endpoints (`src/load/limits/code-guesses.ts`). A guess is recognized by what the request sends, and a second factor when Better Auth looks it up. Only codes are refused. Where a database compares look-alikes as equal, a code for one does not hide the code for another (`src/scope/data/exact-rows.ts`).",
				status: "covered",
				remark:
					"Whoever uses up the codes of a user, from at least 4 addresses, keeps the user from signing in with a code until the window ends.",
			},
			{
				number: 159,
				title: "Get further counters: by the other path of an endpoint, by invented paths, by addresses of one network",
				defense:
					"Better Auth's rate limit counts by endpoint, with one counter for `/tenant/…` and the path behind it and one for all paths without an endpoint, and by IPv6 /56 (`src/endpoints/counter-key.ts`, `src/engine/rate-limit-storage.ts`). The limit of a tenant counts users and strangers separately (`src/load/limits/tenant-requests.ts`). A tenant that changes its limit often gets new counters for itself and pushes out no others (`src/load/limits/counters.ts`).",
				status: "covered",
				remark:
					"A user whose session has ended still counts as a user while the cookie is signed. Strangers from four networks can use up the strangers' limit of a tenant that has one.",
			},
			{
				number: 160,
				title:
					"Fill Redis or the database with states, codes, device codes and counters of invented users, until other tenants cannot sign in",
				defense:
					"A request that stores something for a short time is charged by its size to its network and to its tenant, before it is stored (`src/load/limits/shares.ts`). Above a share it is refused. Users and strangers of a tenant have a share each. Each user that a request names is charged before it is counted, and only names that the endpoint reads are counted (`src/endpoints/rows/named-users.ts`). A request that a full storage cannot count returns 503 (`src/engine/uncounted-requests.ts`).",
				status: "covered",
				remark:
					"Users are not counted, and sessions have [a limit of their own](threats/sessions-of-one-user.md). A test computes how many counters a network and a tenant can leave: [limits.md](limits.md#load). Many networks together can use up the share of one tenant's strangers, and store as much in each tenant.",
			},
		],
	},
	{
		title: "Rights that ended",
		threats: [
			{
				number: 161,
				title:
					"Add a way in by a request that began before a ban, a removal, the end of all sessions, or an invitation that raises the role",
				defense:
					"Each user has an epoch, which these replace. A request remembers the epoch that it saw first (`src/features/rights/request-rights.ts`). It changes a user only in that epoch (`src/features/rights/change-users.ts`), and writes an account, passkey, API key, factor, device code, grant, verification, invitation, policy or identity provider in a transaction that locks the user in that epoch and role (`src/features/rights/hold-users.ts`). So does what deletes a user, a way in, a policy or an identity provider, and what ends the sessions of another user (`src/features/admin/end-user-sessions.ts`). A request with an API key also requires that its key still counts, because a lower role may have been taken back (`src/features/rights/request-rights.ts`). What it writes to a secondary storage is checked with the same lock (`src/features/rights/hold-actors.ts`). Links that change an email end with the epoch (`src/features/unproven/ended-links.ts`), and so does a challenge for a second factor, which holds the epoch (`src/features/rights/challenges.ts`). A restore that ends sessions replaces the epoch of every user (`src/features/lifecycle/restore-tenant.ts`). What ends rights replaces the epoch before it deletes ways in (`src/features/invitations/accept-as-existing-user.ts`), so one of both waits for the other.",
				status: "covered",
				remark:
					"Requires `tenantAdmin()`. Users of the platform are not guarded. Other writes of such a request finish, for example of an organization, and so does the deletion of an API key that is only in the secondary storage. A request that begins with a code or a link compares the clocks of servers.",
			},
			{
				number: 162,
				title:
					"Use a session that a list of sessions has lost, or with a role, or without a second factor, that its copy of the user says",
				defense:
					"A session has the epoch of its user, and is found in the database (`src/features/rights/guard-rights.ts`) and in a secondary storage (`src/features/rights/stored-sessions.ts`) only while the user has it. No list is needed. A secondary storage has a copy of the user in each session, which is replaced by the user of the database. A new password from a link, and a sign-out everywhere else, replace the epoch too (`src/features/rights/start-rights.ts`, `src/features/rights/sessions.ts`). Codes of devices that the user approved are deleted in the transaction that replaces the epoch (`src/features/rights/device-codes.ts`).",
				status: "covered",
				remark:
					"Requires `tenantAdmin()`; with `tenantPolicy()` alone, the user is read from the database too. Lists of sessions for users and admins can lack sessions that are in Redis only.",
			},
			{
				number: 163,
				title:
					"Act with the API key of a user who is banned, removed or demoted, or lacks the second factor that the tenant requires",
				defense:
					"A key is looked up with its user, in the database and in a secondary storage (`src/scope/data/api-key-guard.ts`). It is not found if the user is gone or banned, or if it is from before a lower role or an invitation that raised it (`src/features/rights/start-rights.ts`), or if the user lacks the required second factor (`src/features/policy/second-factor/api-key-rule.ts`).",
				status: "covered",
				remark:
					"Requires `tenantAdmin()` or `tenantPolicy()`. A ban that ends makes keys work again. In a tenant that requires a second factor, setting one up ends the keys from before. The time of a key is compared with the clock of another server.",
			},
			{
				number: 164,
				title: "Act, or make a credential that lasts, with an ended session that is in the cookie cache",
				defense:
					"A cached session is believed if the user in the database has its epoch, and the same role, email and second factor (`src/features/rights/start-rights.ts`). Otherwise Better Auth reads the session from its store. Where a response contains a JSON Web Token, in `/token` and in the header `set-auth-jwt`, it always does (`src/scope/request/uncached-sessions.ts`).",
				status: "covered",
				remark:
					"The first requires `tenantAdmin()`. The end of one session is seen when the cache expires, and in responses with tokens at once. JSON Web Tokens that were issued are valid until they expire.",
			},
			{
				number: 165,
				title: "Keep a session whose copy a slow storage writes back after it ended",
				defense:
					"With `storeSessionInDatabase`, a renewal that finds no row in the database deletes the copy that it wrote, and an end deletes the copy again after the row (`src/scope/sessions/ended-copies.ts`).",
				status: "partly",
				remark:
					"A change of the user writes all copies. If a session ends in that moment, its copy can come back until it expires, and of two changes the earlier one can stay in a copy. With `tenantAdmin()` or `tenantPolicy()`, the user is read from the database, and only the first remains.",
			},
		],
	},
	{
		title: "Queries that leave the tenant",
		threats: [
			{
				number: 166,
				title: "Reach rows of another tenant in any query of the application, in raw SQL as well",
				defense:
					"`rowSecuritySql` writes restrictive policies, which raise an error without a tenant and which no other policy can open (`src/features/rows/row-security-sql.ts`). `tenantRowPool` runs every statement of a library in a transaction of the current tenant, and refuses another tenant in it (`src/features/rows/row-pool.ts`).",
				status: "covered",
				remark:
					"PostgreSQL only. Injected SQL can set another tenant: [row-level data](guides/row-level-data.md#limits-of-row-level-security).",
			},
			{
				number: 167,
				title: "Read rows of another tenant through a part of a Kysely query that the helper does not see",
				defense:
					"Kinds of nodes and their parts are a closed list (`src/features/rows/kysely-node-kinds.ts`). Raw SQL is one expression of listed words and functions (`src/features/rows/kysely-raw.ts`, `src/features/rows/sql-words.ts`). A name of `with` stands for a table where the database reads one (`src/features/rows/kysely.ts`). The result of a query that was limited to another tenant is not returned (`src/features/rows/kysely.ts`).",
				status: "covered",
				remark:
					"A builder that was compiled in both tenants can run either result in both. `db.withoutPlugins()` is not limited. Row-level security limits both.",
			},
			{
				number: 168,
				title: "Read rows of another tenant through a relation or a cursor of Prisma",
				defense:
					"A relation is followed to a shared model, or if its keys compare the tenant on both sides: in `include`, `select`, `_count`, filters and `orderBy`, at each step (`src/features/rows/prisma-args.ts`, `src/features/rows/prisma-schema.ts`). The row of a cursor is looked for in the tenant (`src/features/rows/prisma.ts`).",
				status: "covered",
			},
			{
				number: 169,
				title: "Write rows of another tenant through raw SQL, a renamed column or a nested write",
				defense:
					"Columns of a write must be names, and the tenant column is compared without case and underscores, as plugins rename it (`src/features/rows/listed-tables.ts`, `src/features/rows/kysely-insert.ts`). Prisma's `data` must be columns of the model (`src/features/rows/prisma-args.ts`).",
				status: "covered",
				remark:
					"A write that was compiled in another tenant runs there before it is noticed, and is rolled back in a transaction. A plugin that renames columns in another way than by case must stand before the helper.",
			},
		],
	},
	{
		title: "Shared computers and pictures",
		threats: [
			{
				number: 170,
				title: "Use a session of another tenant that a sign-out left in the browser, at a shared computer",
				defense:
					"With the multi-session plugin, a sign-out ends every session whose cookie it carries, each in its own tenant, if that tenant signed the cookie (`src/scope/sessions/other-device-sessions.ts`).",
				status: "covered",
			},
			{
				number: 171,
				title: "Store a picture whose URL runs a script in an application that links to it",
				defense:
					"Pictures of users and logos of organizations are refused if their scheme is `javascript:` or `vbscript:`, or `data:` with anything but an image, where every write passes (`src/load/bounds/field-bounds.ts`).",
				status: "covered",
				remark: "Rows from before keep their values. An SVG can contain scripts, which browsers do not run in `<img>`.",
			},
		],
	},
	{
		title: "Directories",
		threats: [
			{
				number: 172,
				title: "Sign in again, or use an API key or a grant, after a SCIM directory deactivated or deleted the user",
				defense:
					"The SCIM plugin ends the sessions. A new session, an API key and a grant are refused while the directories of the tenant know the user and none has them as active (`src/scope/sessions/deactivated-users.ts`), also if that happens during the sign-in. Sessions end a second time when the transaction of the directory is committed, so that none stays that was written shortly before. A version of the plugin with other tables does not start (`src/engine/scim-tables.ts`).",
				status: "covered",
			},
		],
	},
	{
		title: "Sessions of one user",
		threats: [
			{
				number: 173,
				title:
					"Sign in to one account again and again, until its sessions fill Redis or the database, and each change of the user blocks the process",
				defense:
					"A user has at most `limits.sessionsPerUser` sessions, 200 by default, and the oldest end where every session is stored (`src/load/limits/sessions-per-user.ts`). Sessions of operators who act as the user are bounded apart, so neither ends the other's (`src/load/limits/sessions-per-user.ts`). With sessions in Redis only, requests that change the list of a user at the same time do so in turn, so that the list has all sessions (`src/scope/sessions/whole-lists.ts`).",
				status: "covered",
				remark:
					"In the database only, each process looks with every tenth part of the limit, and counts 20,000 users. Whoever can sign in as a user can end the user's other sessions, here and in the list of sessions.",
			},
		],
	},
	{
		title: "Management and links from before an end",
		threats: [
			{
				number: 174,
				title:
					"Give the tenant an identity provider, rename it, delete it or impersonate a user by a request that began before a ban or a demotion",
				defense:
					"What `management.authorize` allowed to a user of the tenant is written in a transaction that locks the tenant, and the user in the epoch and role that the request saw first (`src/features/management/while-allowed.ts`, `src/features/rights/rights-of-actors.ts`). A deletion of the tenant begins only then.",
				status: "covered",
				remark:
					"Requires `tenantAdmin()`. Operators are users of the platform, which are not guarded. An impersonated session from before goes on until it expires.",
			},
			{
				number: 175,
				title: "Set a password or sign in with a link or a code that was sent before the rights ended",
				defense:
					"A request that uses up a link or a code began when that was sent, so what ended rights since then counts as during the request (`src/features/rights/start-rights.ts`, `src/features/rights/request-rights.ts`). A link that sets a password is not valid any more.",
				status: "covered",
				remark:
					"Requires `tenantAdmin()`. The time of the link is compared with the clock of another server. A new password that a signed-in user sets without `revokeOtherSessions` ends no rights, and a new email ends no links to the old one.",
			},
		],
	},
	{
		title: "Queues that tenants share",
		threats: [
			{
				number: 176,
				title: "Delay the codes and links of another tenant by many mails of one's own",
				defense:
					"Tenants take turns at mails: the third mail of a tenant within ten minutes waits behind the second of all others (`apps/server/src/mail/outbox.ts`).",
				status: "covered",
				remark:
					"Each process counts the mails that it stores. A mail that is being sent is not interrupted: five are, in each process.",
			},
		],
	},
	{
		title: "Copies of sessions",
		threats: [
			{
				number: 177,
				title:
					"Go on with a session that ended, or a role that was taken away, from a copy that is late, left over or restored",
				defense:
					"With `sessionCache`, PostgreSQL records each change of a user or a session in the transaction that makes it (`src/features/session-cache/change-log.ts`). A process uses a copy only while it has looked at these changes within five seconds and none is about the user (`src/features/session-cache/follow-changes.ts`). After a change, it looks before it responds. Copies are never written by Better Auth, only by whoever reads a session from the database (`src/features/session-cache/cached-sessions.ts`).",
				status: "covered",
				remark:
					"Another process accepts an ended session for up to five seconds, if the store does not respond. A primary that was replaced without being stopped still answers: fence it.",
			},
		],
	},
	{
		title: "Operators of the service",
		threats: [
			{
				number: 178,
				title: "Keep a way in as an operator who was disabled, reset or removed",
				defense:
					"Commands on the database end the sessions, and those that the operator opened as somebody else in any tenant (`apps/server/src/operators/operators.ts`, `apps/server/src/database/end-sessions.ts`). A reset also ends second factor, passkeys, keys, tokens, devices, linked accounts, and every link and code under the address or the id (`apps/server/src/operators/ways-in.ts`). Sessions are ended once more 5 s later, for sign-ins that had checked the password before.",
				status: "partly",
				remark:
					"A request of an operator that began before completes, and a sign-in that takes more than 5 s between the password and its session keeps that after a reset: users of the platform have no epoch. With the cookie cache, `/get-session` shows a disabled operator for as long; managing does not use it.",
			},
			{
				number: 179,
				title: "Change operators without a line in the audit log, or under another name",
				defense:
					"Each endpoint of the admin plugin has a middleware that notes the attempt before it runs, by the session that the endpoint itself uses and the body that it acts on (`apps/server/src/operators/audit-admin.ts`). Commands note before they change. What cannot be noted does not happen.",
				status: "covered",
				remark:
					"The role that `/admin/set-role` gives is not in the entry. Whoever can write to the database needs no command.",
			},
		],
	},
];
