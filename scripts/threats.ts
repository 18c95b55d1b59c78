/**
 * How well a row is defended. "covered": a test attacks it. "the engine's": Better Auth defends it, this plugin only
 * leaves that in place. "partly" and "open" have to say what is missing.
 */
export type Status = "covered" | "partly" | "the engine's" | "open";

export type Threat = {
	number: number;
	/** what somebody would try */
	title: string;
	/** what the code does today; files are named by their path */
	defence: string;
} & ({ status: "covered" | "the engine's"; remark?: string } | { status: "partly" | "open"; remark: string });

export type ThreatGroup = { title: string; threats: Threat[] };

/** Every row of the threat model. Tests name rows in comments; scripts/write-threat-model.ts puts both together. */
export const THREAT_GROUPS: ThreatGroup[] = [
	{
		title: "Identity and account linking",
		threats: [
			{
				number: 1,
				title: "Sign in to one tenant with the password that the same e-mail has in another",
				defence:
					"Every read and write of the engine is limited to the pinned tenant (`src/scope/adapter.ts`); users are unique by tenant and e-mail (`src/schema.ts`).",
				status: "covered",
			},
			{
				number: 2,
				title: "Reach another tenant's user through one of the engine's own endpoints that go by e-mail",
				defence:
					"The adapter itself is scoped (`src/scope/adapter.ts`), tokens in mails are signed with the tenant's secret (`src/scope/secrets.ts`) and say their tenant (`src/scope/mail-links.ts`). No list of paths is involved.",
				status: "covered",
				remark:
					"Every endpoint of the engine, of 21 bundled and 6 packaged plugins is attacked, on SQLite and on PostgreSQL with Redis; captcha and haveIBeenPwned, which have none, are not.",
			},
			{
				number: 3,
				title: "Have an OAuth identity with an unverified e-mail linked to somebody's user",
				defence:
					'Linking by e-mail happens inside the tenant, and only if both sides say the e-mail is verified (the engine\'s rule; "true" and 1 are not verified: `src/oauth/bounded-provider.ts`). A server, directory or realm that the tenant chose links nobody by itself (`src/oauth/implicit-linking.ts`).',
				status: "covered",
				remark: "A tenant's own client at the provider's own server (GitHub, Google) still links by verified e-mail.",
			},
			{
				number: 4,
				title: "Sign up with somebody's address first and keep the password until he proves that it is his",
				defence:
					"The engine drops unproven passwords and sessions when a magic link or a one-time password proves the address; it works on the scoped adapter (`src/scope/adapter.ts`). By OAuth, an unverified user is not linked at all.",
				status: "the engine's",
				remark:
					"By magic link and one-time password, which tests show. The link of `/verify-email` proves the address too, and there the engine keeps the planted password and session.",
			},
			{
				number: 5,
				title: "Run an identity provider of one's own and let it vouch for the people of others",
				defence:
					"What a provider says counts in its tenant alone. No provider is trusted by its name there, and one whose server or directory the tenant chose links nobody who exists (`src/oauth/choose-providers.ts`, `src/oauth/implicit-linking.ts`); its subjects are marked with their authority (`src/oauth/authority.ts`).",
				status: "covered",
			},
			{
				number: 6,
				title: "Change one's e-mail at the provider to the victim's",
				defence:
					"Accounts are found by provider and subject; the subject carries its authority (`src/oauth/authority.ts`). An e-mail is only looked at for a subject that is new.",
				status: "covered",
			},
			{
				number: 7,
				title: "Meet the same subject in two tenants, so that they merge or the second is refused",
				defence: "Accounts are unique by tenant, provider and subject (`src/schema.ts`).",
				status: "covered",
			},
			{
				number: 8,
				title: "Double-click the first OAuth sign-in, so that several users come out and nobody can sign in again",
				defence:
					"The unique index lets one win; the callback looks again with what the provider already said (`src/oauth/tenant-callback.ts`).",
				status: "covered",
			},
			{
				number: 9,
				title: "Use a change of credentials, and of the subjects that come with them, to become somebody else",
				defence:
					"With another server, directory or realm the same subject is another person (`src/oauth/authority.ts`). With another client of the same server, people stay who they are by their subject.",
				status: "partly",
				remark:
					"Providers that give other subjects to other clients (Apple, Facebook) are not tested: the same person then is linked by his e-mail if it is verified, and is refused with `account_not_linked` if not. The accounts do not say which config they came from.",
			},
			{
				number: 10,
				title: "Inherit the people of a deleted tenant by taking its slug, or of a deleted config by making it anew",
				defence:
					"Tenant ids are random and never used again; deleting takes all rows of the tenant (`src/tenants/deletion.ts`). Accounts of another authority than today's are nobody's (`src/oauth/authority.ts`).",
				status: "covered",
				remark: "A slug is free again at once; there are no tombstones. Accounts outlive the config they came from.",
			},
			{
				number: 11,
				title: "Link or unlink with a provider or an account of another tenant",
				defence:
					"A request sees its tenant's providers only (`src/oauth/tenant-providers.ts`) and its tenant's accounts only (`src/scope/adapter.ts`); a hint for another tenant is refused (`src/scope/decide.ts`).",
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
				defence:
					"The callback takes its tenant from the state alone (`src/scope/decide.ts`). The state's row lies in the tenant, and its server-side part says the tenant, the provider, the config's version and the callback (`src/oauth/flow-binding.ts`).",
				status: "covered",
			},
			{
				number: 13,
				title: "Smuggle a tenant into the state by `additionalData`",
				defence: "Only the engine's server context is read, which no client can write (`src/oauth/flow-binding.ts`).",
				status: "covered",
			},
			{
				number: 14,
				title: "Redeem the state of one provider, or of the platform, at the callback of another",
				defence:
					"Provider and callback path are bound and compared before a code leaves the server (`src/oauth/verify-flow.ts`), states in cookies included.",
				status: "covered",
			},
			{
				number: 15,
				title: "Spend one state many times at once",
				defence: "Looking a state up consumes it, atomically in the database (`src/oauth/single-use-state.ts`).",
				status: "covered",
				remark: "Platform states that the application keeps in cookies are not good for one use only.",
			},
			{
				number: 16,
				title: "Present an OAuth state as a token of another kind",
				defence:
					"The engine, from 1.7.7 on, keeps states under a prefix of their own; an older one is refused at start-up (`src/startup-checks.ts`).",
				status: "covered",
			},
			{
				number: 17,
				title: "Bring a callback of one's own into somebody else's browser",
				defence:
					"The state must equal the browser's signed cookie; in tenants the application cannot switch that off (`src/oauth/choose-providers.ts`), and a stranger's try does not use the state up (`src/oauth/single-use-state.ts`).",
				status: "covered",
			},
			{
				number: 18,
				title: "Mix servers up, so that a code of an honest one is sent to a rogue one",
				defence:
					"A server that a tenant may run itself has a callback address of its own, and its flows end nowhere else (`src/oauth/build-provider.ts`; RFC 9700, section 4.4.2). A wrong `iss` in the callback (RFC 9207) is refused before the code is sent on (`src/oauth/authority.ts`).",
				status: "covered",
				remark:
					"`iss` is compared where it comes and where the issuer is certain: Google, GitLab, and Microsoft with a directory's id. It is not demanded. The addresses of their own do not depend on it.",
			},
			{
				number: 19,
				title: "Bring an ID token that was made for another tenant's client",
				defence:
					"Providers are built with one tenant's client id (`src/oauth/build-provider.ts`); ID tokens of the code flow are verified against it where the engine knows the provider's keys (`src/oauth/bounded-provider.ts`).",
				status: "covered",
			},
			{
				number: 20,
				title: "Bring an ID token of an issuer of one's own",
				defence:
					"Issuer, signature and age are verified (`src/oauth/bounded-provider.ts`). Where the tenant chose the server or directory, no ID token is taken from a client (`src/oauth/build-provider.ts`).",
				status: "partly",
				remark:
					"With a tenant's client at the provider's own server, genuine ID tokens handed in by a client are taken, unless the application says `disableIdTokenSignIn`, and no nonce is demanded.",
			},
			{
				number: 21,
				title: "Do without PKCE",
				defence:
					"The engine sends an S256 challenge, another one for each flow; no option of a tenant changes that (`src/oauth/provider-settings.ts`).",
				status: "partly",
				remark:
					"The engine sends none to 13 of the 36 providers; [providers.md](providers.md) says which. State and browser are bound there all the same.",
			},
			{
				number: 22,
				title: "Lead codes elsewhere by a redirect URI of one's own",
				defence:
					"It has to be https (or loopback) and on an origin that the application trusts (`src/oauth/config-input.ts`). Every write of a config ends the flows that are under way (`src/oauth/config-store.ts`). With the global credentials none is used, not even the application's (`src/oauth/tenant-providers.ts`).",
				status: "covered",
				remark: "Any path on a trusted origin is accepted, by design.",
			},
			{
				number: 23,
				title: "Make the server call inside addresses",
				defence:
					"Only built-in providers, with settings from a fixed list; hosts have to be https and public, in one spelling (`src/oauth/config-input.ts`). The check runs in the connection's own lookup, so that a name cannot change between the check and the connection (DNS rebinding); every address has to be public, those in a URL too, and no open connection is reused (`src/oauth/public-fetch.ts`). Redirects are not followed, and time and size are bounded (`src/oauth/bounded-fetch.ts`).",
				status: "covered",
				remark:
					"In Node, Bun and Deno. Workerd's `fetch` takes no lookup; its own network refuses inside addresses unless configured otherwise ([limits.md](limits.md)).",
			},
			{
				number: 24,
				title: "Redirect people to a foreign site after a sign-in",
				defence:
					"The engine checks `callbackURL`, `errorCallbackURL` and `newUserCallbackURL` of every POST against the trusted origins, on our endpoints too. What passes there as a path and leads elsewhere once its dots are resolved is refused on every endpoint, in bodies and queries (`src/guards/safe-redirects.ts`).",
				status: "covered",
			},
			{
				number: 25,
				title: "Use the origin of one tenant as the redirect of another",
				defence:
					"The engine's `trustedOrigins` may be a function of the request. With the same function behind `resolveTenantId`, which is asked before every other hint (`src/resolve/hint.ts`), the tenant whose origins are trusted is the tenant of the request.",
				status: "covered",
				remark:
					"An application that lists the origins of all its tenants in one array trusts each of them in every tenant; [limits.md](limits.md) says so.",
			},
			{
				number: 26,
				title: "Inject HTML, headers or log lines by the provider's error text",
				defence:
					"The engine passes `error` and `error_description` on URL-encoded and shows neither unescaped on its error page. Requests with lists in place of text are refused (`src/oauth/tenant-callback.ts`).",
				status: "partly",
				remark:
					"The provider's words do reach the application's error page, which has to escape them. A URL that is refused is logged by the engine as it came, line breaks included.",
			},
			{
				number: 27,
				title: "Use a config that was disabled, rotated or deleted in mid-flow",
				defence:
					"The flow is bound to one write of one config (`src/oauth/config-store.ts`, `src/oauth/verify-flow.ts`); any other ends in `state_mismatch`, and no other credentials step in.",
				status: "covered",
				remark:
					"A process that has not heard of the change lets flows of the old config end for `tenantCache.maxAge` (5 s) longer.",
			},
			{
				number: 28,
				title: "Answer as a provider with too much, too slowly, or with nonsense",
				defence:
					"One deadline for all calls of a sign-in, bodies cut at one megabyte (`src/oauth/bounded-fetch.ts`); tokens, profile and subject are checked before the engine sees them (`src/oauth/bounded-provider.ts`).",
				status: "covered",
				remark:
					"In tenants only: on the platform the engine still waits for ever. The JSON Web Key Set is not attacked.",
			},
			{
				number: 29,
				title: "Have a tenant's tokens used with other credentials than those they came with",
				defence:
					"Tokens of another authority are hidden (`src/oauth/foreign-tokens.ts`); the others are used with the credentials that the tenant has now (`src/oauth/tenant-providers.ts`).",
				status: "partly",
				remark:
					"After a tenant's config was deleted, `/refresh-token` sends its refresh token to the same server with the global client. The server refuses it, but the call is made, and no test looks at it.",
			},
		],
	},
	{
		title: "Which tenant a request is for",
		threats: [
			{
				number: 30,
				title: "Name another tenant in a signed-in request",
				defence:
					"The session says the tenant; a different hint is refused with `SESSION_TENANT_MISMATCH`, on every endpoint that is not known to be another kind (`src/scope/decide.ts`, `src/engine/endpoints.ts`).",
				status: "covered",
			},
			{
				number: 31,
				title: "Name different tenants in option, body, query and header",
				defence: "The first that answers wins, in the order of the specification (`src/resolve/hint.ts`).",
				status: "covered",
				remark: "Sources that disagree are not refused: the specification's order decides.",
			},
			{
				number: 32,
				title: "Name a tenant by a list, an object, twice, or by text that means something to a database",
				defence: "A hint is one string of a narrow alphabet, or it is refused (`src/resolve/hint.ts`).",
				status: "covered",
				remark: "MongoDB is not tested.",
			},
			{
				number: 33,
				title: "Send the tenant header through a proxy that does not strip it",
				defence:
					"`tenantHeader: false` turns the source off (`src/options.ts`). A hint is never an authority (`src/scope/decide.ts`).",
				status: "covered",
				remark: "The header is on by default, as the specification has it.",
			},
			{
				number: 34,
				title: "Leave the tenant out, to end up among the platform's users",
				defence: "Our endpoints refuse without a tenant (`src/scope/require-tenant.ts`).",
				status: "covered",
			},
			{
				number: 35,
				title: "Take a slug that looks like another one, or like a part of the site",
				defence:
					"A lower-case DNS label, no internationalized one, none of a reserved list, unique (`src/tenants/tenant-input.ts`).",
				status: "partly",
				remark: "A deleted tenant's slug is free at once, for anybody who may create tenants: there are no tombstones.",
			},
			{
				number: 36,
				title: "Sign up as a look-alike of an e-mail that is there",
				defence:
					"The engine lower-cases addresses and refuses what is not plain ASCII; those of providers go through the same check (`src/oauth/bounded-provider.ts`).",
				status: "covered",
			},
			{
				number: 37,
				title: "Find out which tenants there are",
				defence:
					"Ids are random. `/tenant/methods` answers for an unknown tenant as for one without providers, after the same look-ups (`src/tenants/sign-in-methods.ts`).",
				status: "covered",
				remark:
					"Everywhere else an unknown tenant is a 404, by design: ids cannot be guessed and are no secret. [isolation.md](isolation.md) has the times, known against unknown.",
			},
			{
				number: 38,
				title: "Have a cache serve one tenant's answer to another",
				defence:
					"Management answers say `no-store` (`src/management/management.ts`), so do sign-up, sign-in, the social start (`src/delegate.ts`) and its callback (`src/oauth/tenant-callback.ts`); `/tenant/methods` says what it varies by (`src/tenants/sign-in-methods.ts`), and our own caches go by tenant.",
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
				defence:
					"The columns take no input (`src/schema.ts`), and the adapter drops the field from every update (`src/scope/adapter.ts`).",
				status: "covered",
				remark: "At sign-up the field is the request's hint, by the specification.",
			},
			{
				number: 40,
				title: "Get a session that belongs to no tenant, or to another than its user",
				defence:
					"Every session is made with the pinned tenant in its token and its row, for a user who is in it; anything else throws (`src/scope/sessions.ts`, `src/scope/adapter.ts`).",
				status: "covered",
			},
			{
				number: 41,
				title: "Use a session after its tenant was deleted",
				defence:
					"A session's tenant has to be open, at each request (`src/scope/decide.ts`); deleting takes rows and stored sessions (`src/tenants/deletion.ts`).",
				status: "covered",
				remark: "Another process may accept it for `tenantCache.maxAge` (5 s) longer; no test runs two processes.",
			},
			{
				number: 42,
				title: "Live on in the cookie cache",
				defence:
					"The tenant is asked for before the cache is read (`src/scope/decide.ts`); management reads the session itself (`src/management/management.ts`).",
				status: "covered",
				remark: "Other processes refuse after `tenantCache.maxAge` at the latest.",
			},
			{
				number: 43,
				title: "Live on in the secondary storage",
				defence:
					"Keys carry the tenant (`src/scope/storage.ts`); deletion ends the sessions of each user and sweeps the prefix (`src/tenants/deletion.ts`).",
				status: "covered",
				remark:
					"A storage that cannot list its keys keeps open flows, and sessions of sign-ins that raced the deletion, until they expire, unreachable.",
			},
			{
				number: 44,
				title: "Race a deletion with sign-ins, so that something stays behind",
				defence:
					"Close, sweep, wait, sweep again, and only then take the tenant's own row (`src/tenants/deletion.ts`).",
				status: "covered",
				remark: "Sign-ups, sign-ins, resets, at two processes, many tenants: `pnpm isolation --part deletion`.",
			},
			{
				number: 45,
				title: "Sign up with one e-mail many times at once",
				defence: "Users are unique by tenant and e-mail (`src/schema.ts`).",
				status: "covered",
			},
			{
				number: 46,
				title: "Get around uniqueness with an empty tenant",
				defence:
					"The column is never empty; the platform has a value of its own (`src/schema.ts`, `src/scope/platform.ts`).",
				status: "covered",
				remark: "Tested on PostgreSQL.",
			},
			{
				number: 47,
				title: "Crash between the user and his account",
				defence: "Adapters without transactions are refused at start-up (`src/startup-checks.ts`).",
				status: "covered",
				remark:
					"`pnpm isolation --part kills` ends the process with SIGKILL at random statements of sign-up, callback, deletion and re-sealing.",
			},
			{
				number: 48,
				title: "Register one config or slug many times at once",
				defence:
					"Unique indexes (`src/schema.ts`); who loses the race updates the winner's row (`src/oauth/config-store.ts`) or is told that the slug is taken (`src/tenants/tenant-store.ts`).",
				status: "covered",
			},
			{
				number: 49,
				title: "Manage another tenant's things",
				defence:
					"Nobody may until an option says so. The guard and the handler use one and the same target (`src/management/management.ts`), and stores are bound to a tenant (`src/oauth/config-store.ts`).",
				status: "covered",
			},
			{
				number: 50,
				title: "Manage by a foreign site's request that rides on the operator's cookie",
				defence: "JSON only, and the engine's check of the origin; nothing changes by GET.",
				status: "covered",
			},
			{
				number: 51,
				title: "Sign somebody in to the attacker's tenant by a form",
				defence:
					"The engine's check for forms of other sites guards all three (`src/email/sign-in-email.ts`, `src/email/sign-up-email.ts`, `src/oauth/sign-in-social.ts`).",
				status: "covered",
			},
			{
				number: 52,
				title: "Find out who has an account",
				defence:
					"The engine's own sign-up and sign-in run in the tenant (`src/delegate.ts`), with the answers and the hashing they have.",
				status: "covered",
				remark:
					"[isolation.md](isolation.md) has the times, known against unknown. Without `requireEmailVerification` a taken address is told, as in the bare engine; a taken phone number or username is told either way ([limits.md](limits.md)).",
			},
			{
				number: 53,
				title: "Get somebody else's answer because requests run side by side",
				defence:
					"The tenant lives in the engine's request state, nothing of a request in a module (`src/scope/tenant-context.ts`).",
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
				title: "Read a client secret by an endpoint",
				defence:
					"Answers are chosen fields, never a row (`src/oauth/oauth-config.ts`); the columns are not returned (`src/schema.ts`).",
				status: "covered",
				remark:
					"Beyond the tests named here: every test's world is searched, when it ends, for a mark that all client secrets carry: all answers, logs, tables and keys (`packages/test-kit/src/canary.ts`).",
			},
			{
				number: 55,
				title: "Find a client secret in logs, errors or traces",
				defence:
					"No credentials are handed to a logger or an error; what does not open is null (`src/oauth/config-store.ts`).",
				status: "partly",
				remark:
					"Logs at the finest level with causes, and what is printed, are searched in every test; traces (OpenTelemetry) are not. In memory the credentials are plain text: there is no type that hides itself when it is printed.",
			},
			{
				number: 56,
				title: "Move a ciphertext to another row",
				defence:
					"Tenant, provider and field are sealed in with the value and compared when it is opened (`src/oauth/seal.ts`). What does not open closes the provider and writes a line to the log that says whose it is (`src/plugin.ts`).",
				status: "covered",
				remark:
					"The line is written each time the config is loaded, not for each sign-in. Credentials that open but that the engine cannot build a provider from are not logged.",
			},
			{
				number: 57,
				title: "Have something encrypted for another purpose and put it in a secret's place",
				defence:
					"What is opened has to be the sealed form and name its place (`src/oauth/seal.ts`); the engine's state cookies have a key of their own; no ciphertext is ever answered.",
				status: "partly",
				remark:
					"There is no key for this purpose alone: the specification wants the engine's `symmetricEncrypt` and auth secret. What is encrypted inside a tenant has the tenant's own key and does not open here. On the platform, a text that has the sealed form and was encrypted for another purpose would; to use it takes write access to the table.",
			},
			{
				number: 58,
				title: "Break sign-ins by rotating the auth secret",
				defence:
					"Values say which secret sealed them; `resealOauthConfigs` seals them anew in batches and names what does not open (`src/oauth/reseal.ts`).",
				status: "partly",
				remark: "How many rows each secret still has is not reported.",
			},
			{
				number: 59,
				title: "Pollute prototypes by metadata",
				defence:
					"Names that reach a prototype are refused or dropped, and metadata is never merged (`src/tenants/tenant-input.ts`).",
				status: "covered",
			},
			{
				number: 60,
				title: "Send enormous or deep metadata",
				defence: "16 kB, 5 levels and 64 keys; the walk stops early (`src/tenants/tenant-input.ts`).",
				status: "covered",
			},
			{
				number: 61,
				title: "Inject SQL or operators by a query",
				defence:
					"Listing takes a number and a cursor that has to be an id (`src/tenants/list-tenants.ts`); hints are narrow strings (`src/resolve/tenant-id.ts`); the engine's adapters use parameters.",
				status: "covered",
				remark: "100,000 more requests are generated by [the isolation runs](isolation.md). MongoDB is not tested.",
			},
			{
				number: 62,
				title: "Guess passwords faster at our endpoints than at the engine's",
				defence:
					"The same limits, and the application's own rules, hold on ours (`src/engine/rate-limits.ts`). The engine counts by address and path; tries at one user of a tenant are counted from all addresses (`src/limits/limits.ts`).",
				status: "covered",
			},
			{
				number: 63,
				title: "Slow one tenant down by loading another, or lock its people out",
				defence:
					"Tenants take turns at hashing passwords (`src/hashing/fair-turns.ts`), a provider that hangs is cut off (`src/oauth/bounded-provider.ts`), deletion goes in batches (`src/tenants/deletion.ts`), and a tenant's requests can be limited (`src/limits/limits.ts`). Nobody is locked out by a few failures of others: tries at one person are refused for the rest of ten minutes after a hundred, by default.",
				status: "partly",
				remark:
					"A tenant's limit counts requests, not mails or calls to providers by themselves. A sign-up hashes inside the engine's transaction and holds a connection meanwhile; load of other kinds is not tested.",
			},
			{
				number: 64,
				title: "Use up the processor with password hashes",
				defence:
					"Hashes at once are bounded, tenants take turns, and what waits too long or behind too many is shed with 503 (`src/hashing/bounded-hashing.ts`). The engine refuses passwords that are too long before it hashes.",
				status: "covered",
			},
			{
				number: 65,
				title: "Get around the scope by another plugin or by the order of plugins",
				defence:
					"The scope is in the adapter, the storage and the secrets, not in a list of paths. It has to be the first plugin, and a table or unique field without a tenant is refused (`src/startup-checks.ts`).",
				status: "covered",
				remark: "[plugins.md](plugins.md) says which versions were verified, and what stays with the application.",
			},
			{
				number: 66,
				title: "Spell a path so that a guard does not recognize it",
				defence:
					"Decisions go by the endpoint that the engine's router found, not by the URL (`src/engine/endpoints.ts`).",
				status: "covered",
			},
			{
				number: 67,
				title: "Run on an engine with known holes",
				defence:
					"Below 1.7.7 and from 1.8 on it refuses to start (`src/startup-checks.ts`). Row 77 is about the packages.",
				status: "covered",
				remark: "No run against the newest engine is scheduled.",
			},
			{
				number: 68,
				title: "Use clocks that differ, or a state that outlives its cookie",
				defence: "The engine keeps a state for 10 minutes and its cookie for 5.",
				status: "the engine's",
				remark: "No test turns a clock.",
			},
		],
	},
	{
		title: "Single sign-on",
		threats: [
			{
				number: 69,
				title: "Have another tenant's authorization code sent to one's own identity provider (OAuth mix-up)",
				defence:
					"Every tenant and provider has a redirect URI of its own, `/tenants/<tenant id>/sso/callback/<provider id>` (`src/resolve/tenant-address.ts`). The address decides the tenant, the state is looked up there, and the platform's address serves the platform alone (`src/engine/endpoints.ts`). A response that names another issuer is refused (RFC 9207, `src/sso/issuer-check.ts`), `sso({ redirectURI })` keeps the engine from starting (`src/compose/shared-state.ts`).",
				status: "covered",
			},
			{
				number: 70,
				title: "Present a SAML response of one tenant in another, at another address, to another audience, or unasked",
				defence:
					"Assertion consumer URL, entity ID and audience name tenant and provider (`src/sso/saml-entity.ts`); requests, relay states and used assertions lie in the tenant's rows. `saml.enableInResponseToValidation: false` keeps the engine from starting (`src/compose/shared-state.ts`).",
				status: "covered",
				remark:
					"A relay state is not tied to a browser (the engine's choice: identity providers post across sites), so somebody may be signed in as the attacker.",
			},
			{
				number: 71,
				title: "Call an identity provider like a social provider and name its users",
				defence:
					"Names of built-in and global providers are refused for SSO providers, configured or not (`src/sso/manage-providers.ts`), and a social provider is not configured beside an SSO provider of its name (`src/oauth/config-store.ts`). Account ids of SSO and generic OAuth providers carry their authority (`src/sso/sso-accounts.ts`, `src/oauth/generic-authorities.ts`).",
				status: "covered",
			},
			{
				number: 72,
				title: "Register, change or read a tenant's identity providers without being allowed to manage the tenant",
				defence:
					"The plugin's management endpoints need management authorization in tenants and are audited (`src/sso/manage-providers.ts`). Settings are encrypted and bound to tenant, provider and column, and a registration returns no secret (`src/sso/sealed-providers.ts`).",
				status: "covered",
				remark: "Providers that are linked to an organization are also bound to its admins, as the engine does it.",
			},
			{
				number: 73,
				title: "Claim a domain or an email address through one's own identity provider",
				defence:
					"Users are routed by domain to providers whose domain is verified (`src/sso/domain-routing.ts`). A provider verifies emails, and is linked to existing users by email, only inside its verified domains (`src/sso/sso-accounts.ts`).",
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
				defence:
					"The token of a live impersonated session in any cookie or header makes the request one of that session, which may only read itself and sign out (`src/scope/impersonated-session.ts`). An impersonated session that a plugin finds anywhere else becomes neither the request's session nor a new one (`src/management/keep-impersonation-off.ts`).",
				status: "covered",
			},
			{
				number: 75,
				title: "Come by Google One Tap past a tenant's own Google client and Workspace domain",
				defence:
					"In a tenant with a Google config of its own, One Tap takes tokens for that client and that domain only (`src/oauth/one-tap.ts`). Credentials that do not open, and a client id of `oneTap()` itself, close it there.",
				status: "covered",
			},
			{
				number: 76,
				title: "Relay a passkey that a user of one tenant uses on the page of another",
				defence:
					"With other trusted origins than the base URL's, `passkey()` without `origin` keeps the engine from starting (`src/passkey/check-origins.ts`). The page's origin, which the browser signs, must not be a host of another tenant (`src/passkey/assert-origin.ts`).",
				status: "covered",
				remark:
					"Whose host a page has, `resolveTenantId` says. Where tenants have hosts that it does not know, each of them is one of the application's.",
			},
			{
				number: 77,
				title: "Use a hole in a version of the engine or of one of its packages that has a published advisory",
				defence:
					"One table names them with their advisories (`src/engine/known-bad-versions.ts`). Such a version, a prerelease of the fix, and a plugin of that name that does not say its version keep the engine from starting (`src/engine/check-versions.ts`).",
				status: "partly",
				remark: "The table is kept by hand; advisories published after a release are not in it.",
			},
		],
	},
	{
		title: "Shares and parsing",
		threats: [
			{
				number: 78,
				title:
					"Use up another tenant's share of a process, or escape one's own, by naming another tenant than the one served",
				defence:
					"Requests count for the tenant that they are pinned to (`src/concurrency/slot.ts`). Before that they count for the one that the same decision foresees without look-ups (`src/scope/foresee.ts`), and among the undecided, which have a bound of their own (`src/concurrency/shares.ts`). Requests for a hash are shed early by the same decision (`src/hashing/shed-early.ts`).",
				status: "covered",
				remark:
					"With `boundConcurrency`, which the service uses. Anybody can send requests to a tenant and so use up its share; each process counts for itself.",
			},
			{
				number: 79,
				title: "Stop the process with a text that takes quadratic time to parse, or a body in chunks of one byte",
				defence:
					"No regular expression of the package or the service takes more than linear time: `pnpm lint` fails on one that does, or of which it cannot tell (`scripts/check-expressions.ts`, by recheck). Cookies are read by string functions (`src/engine/request-cookie.ts`). The service reads a body into one buffer and refuses more chunks than 1,024 and one for every 64 bytes.",
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
				title: "Use an identifier that is unique in one tenant alone where all tenants share a namespace",
				defence:
					"Each identifier of the engine and of its plugins has a row in [namespaces.md](namespaces.md) that names what separates tenants there; the running engine is asked for them, and one without a row fails `proof/surface/namespaces.security.test.ts`. A key that a plugin would use in all tenants is refused at start-up (`src/compose/shared-state.ts`), and a state or token that stands in two places of a request chooses no tenant (`src/scope/tagged-input.ts`).",
				status: "covered",
				remark: "Identifiers that no mechanism finds (a relying party id, an entity id) are listed by hand.",
			},
			{
				number: 81,
				title:
					"Present a token of one tenant to a resource server that serves another, where all tenants have one issuer",
				defence:
					"Signed tokens, introspection and userinfo say their tenant in a claim that no user, client or callback can set (`src/compose/tenant-tokens.ts`, `src/compose/told-tokens.ts`); the helper for resource servers requires it, with the keys of that tenant (`src/tokens.ts`).",
				status: "covered",
				remark:
					"A resource server that verifies tokens by itself has to compare the claim: [tokens.md](tokens.md). ID tokens that are signed with a client's secret (`disableJwtPlugin`) carry none; their audience is one tenant's client.",
			},
		],
	},
];
