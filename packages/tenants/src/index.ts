export type { ManagementAction } from "./endpoints/action.ts";
export { MOVE_COLLISIONS } from "./errors/move-error-codes.ts";
export {
	type TenantMigrationStep,
	tenantMigrationPlan,
	tenantMigrationSteps,
} from "./features/database/migration-steps.ts";
export { createTenantHandler } from "./features/handler/create-tenant-handler.ts";
export type { Actor, AuditEntry, AuditSink } from "./features/management/audit.ts";
export { guardManagement } from "./features/management/guard-management.ts";
export type { ManagementAttempt, ManagementOptions } from "./features/management/management.ts";
export type { SignInMethods } from "./features/methods/offered-methods.ts";
export type { MoveCollision } from "./features/move/collision.ts";
export {
	type MovedUsers,
	type MoveOptions,
	type MoveProgress,
	moveUsersToTenant,
} from "./features/move/move-users-to-tenant.ts";
export { listCallbackURLs } from "./features/oauth/list-callback-urls.ts";
export type { OauthConfig } from "./features/oauth/oauth-config.ts";
export { type ReencryptProgress, reencryptSecrets } from "./features/oauth/reencrypt-secrets.ts";
export type { OauthTestError } from "./features/oauth/test-outcome.ts";
export {
	createSessionCache,
	type PostgresSessionCache,
	type SessionCacheOptions,
} from "./features/session-cache/create-session-cache.ts";
export type { CopyStore, SessionCache } from "./features/session-cache/session-cache.ts";
export { sessionCacheRemoval, sessionCacheSteps } from "./features/session-cache/session-cache-steps.ts";
export type { CurrentTenant } from "./features/tenants/get-current-tenant.ts";
export { listTenantPage, type PageQuery, type TenantPage } from "./features/tenants/list-tenant-page.ts";
export { runWithTenant, type TenantBySlug } from "./features/tenants/run-with-tenant.ts";
export type { ImportedUsers } from "./features/transfer/import-users.ts";
export type { ExportedUser, UserToImport } from "./features/transfer/user-line.ts";
export { tenantTriggerSteps } from "./features/triggers/trigger-steps.ts";
export { nextCursor } from "./lib/next-cursor.ts";
export { type ConcurrencyOptions, limitConcurrency } from "./load/concurrency/limit-concurrency.ts";
export { PLUGIN_CODES as TENANT_AUTH_ERROR_CODES } from "./plugin/features.ts";
export type { TenantAuthOptions } from "./plugin/options.ts";
export { tenantAuth } from "./plugin/plugin.ts";
export { type TenantActivity, tenantActivity } from "./plugin/tenant-activity.ts";
export { withTenants } from "./plugin/with-tenants.ts";
export type { ResolvableRequest, ResolveTenantId } from "./resolve/hint.ts";
export type { TenantLookup } from "./resolve/tenant-lookup.ts";
export type { KeyScan } from "./scope/data/key-scan.ts";
export { withKeyScan } from "./scope/data/redis-key-scan.ts";
export { PLATFORM } from "./scope/pin/platform.ts";
export { currentTenantId } from "./scope/request/current-tenant.ts";
export type { Tenant, TenantLifecycle } from "./scope/tenants/tenant.ts";
export type { TenantDomain } from "./scope/tenants/tenant-domain.ts";
export type { TenantBranding } from "./scope/tenants/tenant-profiles.ts";
