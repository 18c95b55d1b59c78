import type { IdentifierGroup } from "./identifier.ts";

const REMEMBERED = {
	file: "packages/tenants/test/compose/oauth-provider.security.test.ts",
	title: "even if another tenant's are cached",
};
const STARTUP = {
	file: "packages/tenants/test/startup.test.ts",
	title: "throws for process-wide state of a plugin",
};

/** Tenants themselves, and what one process or storage contains for all of them. */
export const PROCESS: IdentifierGroup = {
	title: "Tenants, storage and memory",
	identifiers: [
		{
			name: "tenant id",
			sources: ["by hand: x-tenant-id, tenantId, tag", "request hook tenant-auth"],
			namespace: "headers, queries, addresses, tags, storage keys",
			separatedBy:
				"An id has one spelling (`src/scope/pin/tag.ts`, `src/resolve/tenant-id.ts`). No tenant has the id `platform`.",
			test: { file: "packages/tenants/test/scope/ids.security.test.ts", title: "has one spelling" },
		},
		{
			name: "tenant slug",
			sources: ["unique tenant.slug"],
			namespace: "subdomains and paths of the application",
			separatedBy:
				"Unique among all tenants, a DNS label, not a reserved name (`src/features/tenants/tenant-input.ts`).",
			test: { file: "packages/tenants/test/tenants/tenants.test.ts", title: "refuses a taken slug" },
		},
		{
			name: "tenant domain",
			sources: ["unique tenantDomain.domain"],
			namespace: "host names of the internet; one application serves them for all tenants",
			separatedBy:
				"Unique among all tenants in one spelling, not the platform's, added by operators only (`src/features/domains/managed-domains.ts`, `src/resolve/host-name.ts`).",
			test: { file: "packages/tenants/test/domains/domains.security.test.ts", title: "has one owner" },
		},
		{
			name: "policy of a tenant",
			sources: ["unique tenantPolicy(tenantId)"],
			namespace: "one table for all tenants, and one cache in each process",
			separatedBy:
				"One row per tenant. The store is bound to a tenant and reads through the scoped adapter (`src/features/policy/policy-store.ts`). The cache is by tenant (`src/features/policy/policies.ts`).",
			test: {
				file: "packages/tenants/test/policy/manage-policy.security.test.ts",
				title: "overrides the defaults in its tenant only",
			},
		},
		{
			name: "keys of the secondary storage",
			sources: ["storage verification:<any>", "by hand: tenant:<id>:"],
			namespace: "one storage for all tenants",
			separatedBy:
				"Each key starts with its tenant. A platform key that looks like one is changed (`src/scope/data/storage.ts`).",
			test: { file: "packages/tenants/test/scope/tag.test.ts", title: "is one tenant's and one key's only" },
		},
		{
			name: "copies of sessions",
			sources: ["by hand: tenant:<id>:session:<token>"],
			namespace: "one store of copies for all tenants, with `sessionCache`",
			separatedBy:
				"Each key starts with its tenant, and a copy that names another key is not used (`src/features/session-cache/cached-sessions.ts`).",
			test: {
				file: "packages/tenants/test/session-cache/session-cache.security.test.ts",
				title: "is no session in another tenant",
			},
		},
		{
			name: "changes of users and sessions",
			sources: ["by hand: the table tenant_session_change"],
			namespace: "one table for all tenants, which each process with `sessionCache` reads",
			separatedBy:
				"A change is of one user of one tenant, and no response contains any of it (`src/features/session-cache/remembered-changes.ts`).",
			test: {
				file: "packages/tenants/test/session-cache/follow-changes.security.test.ts",
				title: "ends the user's copies and no others",
			},
		},
		{
			name: "counts of Better Auth's rate limits",
			sources: ["unique rateLimit.key", "storage <name>|<any>", "memory better-auth memory"],
			namespace: "address and path, before any tenant is known",
			separatedBy:
				"Nothing: users of two tenants behind one address share these limits ([limits.md](limits.md)). `limits` counts by tenant and by user.",
			test: {
				file: "packages/tenants/test/limits/tenant-limits.security.test.ts",
				title: "without affecting other tenants",
			},
		},
		{
			name: "counts by user",
			sources: [
				"storage limit.user:<43>",
				"storage limit.address:<43>",
				"storage limit.code:<43>",
				"storage limit.code-address:<43>",
			],
			namespace: "one storage for all tenants",
			separatedBy: "Each key starts with its tenant (`src/load/limits/limits.ts`, `src/scope/data/storage.ts`).",
			test: { file: "packages/tenants/test/limits/user-limits.security.test.ts", title: "in one tenant only" },
		},
		{
			name: "shares of what is stored",
			sources: [
				"storage limit.share-network:<43>",
				"storage limit.share-codes:<43>",
				"storage limit.share-names-strangers:<name>",
				"storage limit.share-strangers:<name>",
				"storage limit.share-users:<name>",
			],
			namespace: "one storage for all tenants",
			separatedBy:
				"A tenant's keys start with the tenant (`src/load/limits/shares.ts`, `src/scope/data/storage.ts`). The share of a network counts over all tenants on purpose: users of two tenants behind one address share it.",
			test: {
				file: "packages/tenants/test/limits/shares.security.test.ts",
				title: "refuses the strangers of one tenant above its share",
			},
		},
		{
			name: "verification keys of the OAuth provider",
			sources: ["memory @better-auth/core functionJwksCache", "memory @better-auth/core jwksCache"],
			namespace: "process memory, by the jwt plugin's object or by the URL of the keys",
			separatedBy: "Each tenant has its own object and URL (`src/scope/request/per-tenant-instances.ts`).",
			test: REMEMBERED,
		},
		{
			name: "seeded resources",
			sources: ["memory @better-auth/oauth-provider seedStates"],
			namespace: "process memory, by adapter",
			separatedBy: "Each tenant has its own adapter (`src/scope/request/per-tenant-instances.ts`).",
			test: {
				file: "packages/tenants/test/compose/oauth-provider.security.test.ts",
				title: "seeds the configured resource in each tenant",
			},
		},
		{
			name: "cached clients and resources",
			sources: [
				"memory @better-auth/oauth-provider trustedClientCaches",
				"memory @better-auth/oauth-provider resourceCache",
			],
			namespace: "process memory, by client id and by resource identifier",
			separatedBy: "The options that fill them are refused at startup (`src/scope/compose/shared-state.ts`).",
			test: STARTUP,
		},
		{
			name: "keys of clients",
			sources: ["memory @better-auth/oauth-provider jwksCaches"],
			namespace: "process memory, by the URL of a client's keys",
			separatedBy: "The URL determines the keys: two tenants whose clients use the same URL trust the same server.",
			test: {
				file: "packages/tenants/test/compose/oauth-provider.security.test.ts",
				title: "resolves the tenant from the client",
			},
		},
		{
			name: "roles of organizations",
			sources: ["memory better-auth cacheAllRoles"],
			since1718: { drops: ["memory better-auth cacheAllRoles"] },
			namespace: "process memory, by organization id",
			separatedBy: "Organization ids are one primary key for all tenants; membership is checked in the tenant first.",
			test: { file: "packages/tenants/test/compose/organization.test.ts", title: "teams and roles" },
		},
		{
			name: "whether a sign-in needs a second factor",
			sources: [],
			since1718: { adds: ["memory better-auth signInTwoFactorStates"] },
			namespace: "process memory, by the context of a request",
			separatedBy: "Better Auth copies the context for each request and each call of an endpoint.",
			test: { file: "proof/surface/foreign-cookies.security.test.ts", title: "requires the second factor" },
		},
		{
			name: "locks",
			sources: ["memory @better-auth/api-key refListLocks", "by hand: verificationConsumeLocks"],
			namespace: "process memory, by storage key or verification identifier without its tenant",
			separatedBy:
				"Nothing: requests of two tenants may wait for each other for one read and write. Each has its database connection first, so the wait ends. No data is shared.",
			test: {
				file: "packages/tenants/test/scope/consume-order.security.test.ts",
				title: "completes while another tenant checks codes for the same email",
			},
		},
		{
			name: "schemas, hooks and errors",
			sources: [
				"memory better-auth cache",
				"memory better-auth hooksSourceWeakMap",
				"memory @better-auth/core schemaChecks",
				"memory @better-auth/core schemaRevisions",
				"memory @better-auth/core insufficientScopeErrors",
				"memory @better-auth/oauth-provider backchannelLogoutPlansByContext",
			],
			namespace: "process memory, by object: configuration, or one request's context",
			separatedBy: "All tenants share one configuration. The context of a request belongs to that request.",
			test: { file: "packages/tenants/test/scope/handed-on.security.test.ts", title: "is scoped again" },
		},
	],
};
