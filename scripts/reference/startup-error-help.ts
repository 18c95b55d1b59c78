/** When a message appears. */
export type When = "options" | "start" | "closed" | "warning" | "call" | "bug";

/** Why a message appears. `fix` is set if the message itself does not say what to do. */
export type StartupHelp = { when: When; cause: string; fix?: string };

const BUG = "Report it with the call that causes it. See [Security](../../SECURITY.md) if a tenant could cause it.";

/** By the beginning of the message. Every message of the package has exactly one entry. */
export const STARTUP_HELP: Record<string, StartupHelp> = {
	"tenantAuth: tenantHeader": { when: "options", cause: "`tenantHeader` contains characters that no header name has." },
	"tenantAuth: limits.fields has": {
		when: "start",
		cause: "`limits.fields` names a table or a field that Better Auth's schema does not have.",
	},
	"`sessionCache` keeps copies of sessions": {
		when: "start",
		cause: "`sessionCache` and `secondaryStorage` are both set, so two stores would have the sessions.",
	},
	"sessionCacheSteps: only PostgreSQL": {
		when: "call",
		cause: "The database is another one, or it is PostgreSQL behind an ORM whose client the plugin does not have.",
	},
	"sessionCacheSteps: there is no table of sessions": {
		when: "call",
		cause: "The migration of Better Auth has not run in this database.",
	},
	"sessionCacheSteps: the table of": {
		when: "call",
		cause: "The schema that your ORM's adapter has lacks the table of users or sessions.",
	},
	"createSessionCache: … is": {
		when: "options",
		cause:
			"An option of `createSessionCache` is out of its range. Changes are remembered for ten minutes, so copies must be younger.",
	},
	"createSessionCache: the database does not say": {
		when: "call",
		cause:
			"The connection of the cache waits for its pool, or the database does not respond. Sessions are read from the database.",
	},
	"createSessionCache: the triggers that record changes": {
		when: "call",
		cause:
			"The statements of `sessionCacheSteps` did not run, or somebody turned a trigger off. `onFailure` receives it, and sessions are read from the database.",
	},
	"tenantPolicy: breachedPasswords.url": {
		when: "options",
		cause: "`breachedPasswords.url` is not a URL, so no password could be checked.",
	},
	"tenantPolicy: `defaults` is not valid": {
		when: "options",
		cause: "A rule in `defaults` is unknown or has a wrong value. The message says which.",
		fix: "Correct the rule: [Policies](../policy.md#rules).",
	},
	"tenantPolicy: `defaults` cannot be enforced": {
		when: "call",
		cause: "A rule in `defaults` requires something that the application does not configure. The message says what.",
		fix: "Configure it, or remove the rule: [Policies](../policy.md#rules).",
	},
	"tenantPolicy: secondFactor.adminRoles": {
		when: "options",
		cause: "`secondFactor.adminRoles` is an empty list, so `required-for-admins` would be about nobody.",
	},
	"tenantPolicy: secondFactor.pendingMaxAge": {
		when: "options",
		cause: "`secondFactor.pendingMaxAge` is not a whole number of seconds from 60 to 86400.",
		fix: "Set it to a number in this range, such as 900.",
	},
	"tenantPolicy: the twoFactor() plugin is missing": {
		when: "bug",
		cause: "A session lacks a second factor, and the two-factor plugin is not there to verify it.",
		fix: BUG,
	},
	"tenantPolicy: tenantAuth() must come before": {
		when: "call",
		cause: "`tenantPolicy()` is used without `tenantAuth()`, or stands before it.",
	},
	"tenantPolicy: the context of Better Auth was replaced": {
		when: "bug",
		cause: "A plugin replaced the context of Better Auth, so the rules of tenants are unknown.",
		fix: BUG,
	},
	"tenantAuth: management.impersonation requires": {
		when: "options",
		cause: "Operators could impersonate users, and nothing would record it.",
	},
	"tenantAuth: management.impersonation.allow": {
		when: "options",
		cause: "An entry of `allow` is not a path, or contains a wildcard.",
	},
	"tenantAuth: management.impersonation.maxAge": {
		when: "options",
		cause: "The lifetime of impersonated sessions is missing, too long or not a whole number.",
		fix: "Set a whole number of seconds from 1 to 3600, or remove the option for 900.",
	},
	"tenantLifecycle: tenantAuth() must come before it": {
		when: "start",
		cause: "`tenantLifecycle()` is in `plugins` without `tenantAuth()`, or before it.",
	},
	"tenantAuth: deletion.drainTime": {
		when: "options",
		cause: "The drain time is shorter than the time that other processes remember the tenant as open.",
	},
	"tenantAuth: … must be a number of seconds, 0 or more": {
		when: "options",
		cause: "The option that the message names is negative, or not a number.",
		fix: "Set a number of seconds, or remove the option for its default: [Options](options.md).",
	},
	"tenantAuth: … must be a number of seconds above 0": {
		when: "options",
		cause: "The option that the message names is 0, negative, or not a number.",
		fix: "Set a number of seconds above 0, or remove the option for its default: [Options](options.md).",
	},
	"tenantAuth: limits.sessionsPerUser": {
		when: "options",
		cause: "The limit is 0, above 1000 or not a whole number.",
		fix: "Set a whole number from 1 to 1000, or remove the option for 200. `false` turns the limit off.",
	},
	"tenantAuth: … must be a whole number": {
		when: "options",
		cause: "The option that the message names is 0, negative, or not a whole number.",
		fix: "Set a whole number from 1, or remove the option for its default: [Options](options.md).",
	},
	"tenantAuth: … A management key": {
		when: "options",
		cause: "A key of `management.keys` is empty or short, often because its environment variable is not set.",
	},
	"…: the pattern": {
		when: "options",
		cause: "The pattern of `fromPath` or `serveTenantPaths` does not say where the tenant stands.",
		fix: "Write `:tenant` once in the pattern, for example `/t/:tenant`.",
	},
	"… … is not a host name": {
		when: "options",
		cause: "`domain` or `platformHosts` of a resolver, or `oauth.callbackHost`, is not a host name.",
	},
	"limitConcurrency:": {
		when: "options",
		cause: "A bound of `limitConcurrency` is below 1 or not a number, so no request could run.",
		fix: "Set a number from 1, or remove the option for its default: [Options](options-limit-concurrency.md).",
	},
	"`secondaryStorage` has no": {
		when: "start",
		cause:
			"The storage lacks a method that requests call. Better Auth itself would start, and then fail OAuth callbacks.",
	},
	"the in-memory database reuses serial ids": {
		when: "start",
		cause:
			"Without `database`, Better Auth numbers rows by their count, so a new tenant gets the id of an existing one.",
	},
	"tenantAuth refuses to start": {
		when: "start",
		cause: "The configuration cannot isolate tenants. The lines below the message are the reasons, each listed here.",
		fix: "Fix every reason, then start again.",
	},
	"better-auth … is not supported": {
		when: "start",
		cause: "The installed version of Better Auth is too old or too new.",
	},
	"… … is refused": {
		when: "start",
		cause: "The installed version of a package of Better Auth has a published advisory.",
		fix: "Install the version that the message names.",
	},
	'the plugin "…" reports no version': {
		when: "start",
		cause: "A plugin has the id of a package with an advisory, and does not say its version.",
	},
	"`oauth.callbackHost` is set, but resolveTenantId does not read the host": {
		when: "start",
		cause: "All tenants have the same host, so providers return to one URI already.",
	},
	"`oauth.callbackHost` is …": {
		when: "start",
		cause: "The host that receives the codes of all tenants must be the platform's.",
	},
	"`oauth.callbackHost` and the plugin oAuthProxy()": {
		when: "start",
		cause: "Two parts of the configuration decide where providers return to.",
	},
	"tenantAuth() must be the first plugin": { when: "start", cause: "Another plugin stands before `tenantAuth()`." },
	"tenantAuth() is …": {
		when: "start",
		cause: "`plugins` contains both `tenantAuth()` and `withTenants(…)`, or one of them twice.",
	},
	'the table "…" has no tenant': {
		when: "start",
		cause: "A plugin adds a table, and was not passed to `withTenants`. All tenants would share its rows.",
	},
	'"….…" is unique among all tenants': {
		when: "start",
		cause: "A field is unique over all tenants, so an error about a taken value would reveal another tenant's data.",
	},
	"the unique index (…)": { when: "start", cause: "A plugin or your schema has a unique index without the tenant." },
	"`user.fields.email` renames": { when: "start", cause: "The email column has another name." },
	"the database adapter": {
		when: "start",
		cause: "The database adapter does not roll back, so half of a sign-up could remain.",
	},
	"`…` of the … plugin": {
		when: "start",
		cause: "An option of another plugin keeps one value for the whole process, which all tenants would share.",
		fix: "Follow the message. [Plugins](../plugins.md) says how to configure each plugin in tenants.",
	},
	TENANT_ADMIN_REQUIRES_TRANSACTIONS: {
		when: "start",
		cause: "`tenantAdmin()` locks a user while a request adds a way in, so that none is added after a ban.",
	},
	"tenantAdmin() requires": {
		when: "start",
		cause: "`tenantAdmin()` stores roles and bans with Better Auth's `admin` plugin.",
	},
	"tenantAdmin(): the admin plugin does not know": {
		when: "start",
		cause: "The `admin` plugin was not given the roles of tenants, or only some of them.",
	},
	"tenantAdmin(): the admin plugin's defaultRole": {
		when: "start",
		cause: "New users would get another role than `member`.",
	},
	"passkey() has no": { when: "start", cause: "The passkey plugin would accept any origin that a request names." },
	"resolveTenantId reads the host, but": {
		when: "start",
		cause: "`baseURL` is a string, and tenants have their own hosts.",
	},
	"resolveTenantId reads the host, so": { when: "start", cause: "`baseURL.fallback` is missing, or has a path." },
	"`baseURL.protocol` must be": { when: "start", cause: "`baseURL.protocol` and `baseURL.fallback` differ." },
	"`baseURL.fallback` is on": {
		when: "start",
		cause: "The platform's host is a subdomain that a tenant could take as its slug.",
	},
	"`…` sends the cookies": { when: "start", cause: "An option of `advanced` sets the domain of cookies." },
	"`trustedOrigins` has": { when: "start", cause: "A pattern of `trustedOrigins` matches the hosts of tenants." },
	"This resolver looks tenants up": {
		when: "call",
		cause: "A resolver of `better-auth-tenants/resolvers` was called outside of `tenantAuth()`.",
	},
	"the unique indexes of this database": {
		when: "closed",
		cause: "The plugin does not know how to read the catalog of this database.",
	},
	"… has no column": { when: "closed", cause: "The database was not migrated after a change of plugins or versions." },
	"….… can be null": { when: "closed", cause: "The tenant column allows null, for example after a migration by hand." },
	"….… has no maximum length": { when: "closed", cause: "MySQL cannot index a text column without a length." },
	"….… is empty in rows": { when: "closed", cause: "Rows from before the installation lack a derived value." },
	"… has no unique index": { when: "closed", cause: "An index that keeps users of one tenant apart is missing." },
	"… still has the unique index": {
		when: "closed",
		cause: "An old unique index spans all tenants, so a sign-up would reveal users of other tenants.",
		fix: "Run the SQL that `tenantMigrationSteps(auth)` returns. With an ORM, remove the index from its schema.",
	},
	"tenantAuth: better-auth … has weaknesses": {
		when: "warning",
		cause: "The installed version of Better Auth has weaknesses in features that you use. The lines below name them.",
		fix: "Install the version that the message names, or a later one: [Supported versions](../engine-versions.md).",
	},
	"createTenantHandler: better-auth": {
		when: "warning",
		cause: "The installed version of Better Auth is newer than the tested ones, so the slower handler is used.",
	},
	"createTenantHandler: a request lost": {
		when: "call",
		cause: "A callback of your code continued a request outside of its async context.",
	},
	"Could not resolve base URL": { when: "call", cause: "The host of the request is not in `baseURL.allowedHosts`." },
	"Could not get base URL": {
		when: "call",
		cause: "`baseURL` is not set, and the request has no usable URL.",
		fix: "Set `baseURL` of Better Auth.",
	},
	"tenantMigrationSteps: this database": {
		when: "call",
		cause: "The database is behind an ORM whose client is not known.",
	},
	"tenantMigrationSteps: ….… has values": { when: "call", cause: "A value is too long for a unique index of MySQL." },
	"tenantMigrationSteps: a foreign key": {
		when: "call",
		cause: "SQLite cannot drop a unique constraint that a foreign key uses.",
	},
	"tenantMigrationSteps: the table": { when: "call", cause: "The table has parts that the generated SQL would lose." },
	"tenantAuth: the triggers of the database could not be read": {
		when: "warning",
		cause:
			"The catalog of the database could not be read, or a table is missing, so a deletion waits for its drain time.",
		fix: "Run Better Auth's migration, then the SQL that `tenantTriggerSteps(auth)` returns.",
	},
	"tenantTriggerSteps: this database": {
		when: "call",
		cause: "The database has no triggers that the package knows, or is behind an ORM whose client is not known.",
	},
	"tenantTriggerSteps: the table": {
		when: "call",
		cause: "The name of the table is too long or has other characters, or the ORM's schema does not have it.",
	},
	"tenantTriggerSteps: there is no table": { when: "call", cause: "The database was not migrated." },
	"moveUsersToTenant: set either": {
		when: "call",
		cause: "Both or none of `userIds` and `where` are set, or `batchSize` is out of range.",
		fix: "Set one of them, and `batchSize` from 1 to 1000.",
	},
	"moveUsersToTenant: from and to": {
		when: "call",
		cause: "`from` and `to` are the same, or one is not a tenant id.",
		fix: "Set two different tenant ids. `PLATFORM` is the id of the platform.",
	},
	"moveUsersToTenant: discard": {
		when: "call",
		cause: "`discard` names a table that must not lose rows, or does not exist.",
	},
	"tenantInvitations: sendInvitation": { when: "start", cause: "Nothing would send the invitations." },
	"tenantInvitations: acceptURL": { when: "start", cause: "The link in the mail would lead nowhere." },
	"tenantInvitations: expiresIn": {
		when: "start",
		cause: "The lifetime is too short, too long or no whole number.",
		fix: "Set `expiresIn` to seconds from 60 to 2592000 (30 days).",
	},
	"tenantInvitations() requires": { when: "start", cause: "Invitations grant the roles of `tenantAdmin()`." },
	"tenantInvitations: the context": {
		when: "call",
		cause: "Another plugin or your code replaced the context that the plugin extends.",
		fix: "Extend the context in `init` instead of replacing it.",
	},
	"runWithTenant:": { when: "call", cause: "The first argument is not a tenant id, for example a slug." },
	"This Better Auth instance has no": {
		when: "call",
		cause: "A function of this package got an instance without the plugin.",
	},
	"tenantId is not a valid": { when: "call", cause: "`verifyTenantToken` got no tenant id, for example a slug." },
	"verifyOptions.…": { when: "call", cause: "`issuer` or `audience` is missing, and Better Auth would not check it." },
	'tenantAuth: the table "…" is managed': {
		when: "call",
		cause: "Code of your application or a plugin used Better Auth's adapter on a table of the plugin.",
		fix: "Call the endpoint in `auth.api`, for example `auth.api.listTenants()`.",
	},
	'tenantAuth: "…" is not a table': {
		when: "call",
		cause: "A plugin used a table that is not in the schema, so nobody knows its tenant.",
		fix: "Pass the plugin to `withTenants`, and declare the table in its `schema`.",
	},
	"tenantAuth: with advanced.database.generateId": {
		when: "call",
		cause: "Ids are numbers, and the id of the row is the protection.",
	},
	"tenantAuth: code inside runWithTenant": {
		when: "call",
		cause: "The context of a request was used inside of `runWithTenant`.",
	},
	"tenantAuth: a session token does not": {
		when: "call",
		cause: "Better Auth created a session in a way that this version of the plugin does not know.",
		fix: "Install a supported version: [Supported versions](../engine-versions.md).",
	},
	"tenantAuth: this version of @better-auth/sso": {
		when: "call",
		cause: "The SSO plugin writes its providers in a way that this version of the plugin does not know.",
	},
	"tenantAuth: only a request has a tenant": {
		when: "bug",
		cause: "The plugin decided on a tenant outside of a request of Better Auth.",
		fix: BUG,
	},
	"tenantAuth: the context of Better Auth was replaced": {
		when: "call",
		cause: "Another plugin or your code replaced the context that the plugin extends.",
		fix: "Extend the context in `init` instead of replacing it.",
	},
	"tenantAuth: impersonated sessions": {
		when: "call",
		cause: "Code tried to store a session with the mark of an impersonated one.",
		fix: "Call `/tenant/impersonate`.",
	},
	"tenantAuth: a request cannot change": { when: "bug", cause: "A request was pinned twice.", fix: BUG },
	"tenantAuth: the keys of the platform": {
		when: "bug",
		cause: "The keys of the platform were listed by prefix.",
		fix: BUG,
	},
	"tenantAuth: the platform cannot": { when: "bug", cause: "The platform was to be deleted.", fix: BUG },
	"assertTenantIsolation: Better Auth has no `database`": {
		when: "call",
		cause: "The instance has no database that can be compared.",
	},
	"assertTenantIsolation: Better Auth has no tenantAuth()": { when: "call", cause: "The instance has no tenants." },
	"assertTenantIsolation attacks": { when: "call", cause: "The test would attack a database in production." },
	"assertTenantIsolation: the database contains": { when: "call", cause: "The database is not empty." },
	"assertTenantIsolation: another run": { when: "call", cause: "Two runs share one instance." },
	"assertTenantIsolation: the user who": { when: "call", cause: "The requests of the test do not reach the tenant." },
	"assertTenantIsolation: emailAndPassword": { when: "call", cause: "The test signs users up by email, which is off." },
	"assertTenantIsolation: … returned": { when: "call", cause: "The sign-up or sign-in of a test user was rejected." },
	"assertTenantIsolation: … requires a second factor": {
		when: "call",
		cause: "The test sets up an authenticator for its users, and that was rejected.",
	},
};

/** Messages of the service that do not say what to do by themselves. */
export const SERVICE_FIXES: Record<string, string> = {
	"The database schema does not match": "Run `tenants migrate`, then start again.",
};
