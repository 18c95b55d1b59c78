export { boundConcurrency, type ConcurrencyOptions } from "./concurrency/bound-concurrency.ts";
export { CONCURRENCY_ERROR_CODES } from "./concurrency-error-codes.ts";
export { currentTenantId } from "./current-tenant.ts";
export { type TenantMigrationStep, tenantMigrationPlan, tenantMigrationSteps } from "./database/migration-steps.ts";
export type { TenantDomain } from "./domains/tenant-domain.ts";
export { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
export { createTenantHandler } from "./handler/create-tenant-handler.ts";
export type { ManagementAction } from "./management/action.ts";
export type { Actor, AuditEntry, AuditSink } from "./management/audit.ts";
export { guardManagement } from "./management/guard-management.ts";
export type { ManagementAttempt, ManagementOptions } from "./management/management.ts";
export type { MoveCollision } from "./move/collision.ts";
export {
	type MovedUsers,
	type MoveOptions,
	type MoveProgress,
	moveUsersToTenant,
} from "./move/move-users-to-tenant.ts";
export { MOVE_ERROR_CODES } from "./move-error-codes.ts";
export { nextCursor } from "./next-cursor.ts";
export { listCallbackURLs } from "./oauth/list-callback-urls.ts";
export type { OauthConfig } from "./oauth/oauth-config.ts";
export { type ResealProgress, resealOauthConfigs } from "./oauth/reseal-oauth-configs.ts";
export type { OauthTestError } from "./oauth/test-outcome.ts";
export type { TenantAuthOptions } from "./options.ts";
export { tenantAuth } from "./plugin.ts";
export type { ResolvableRequest, ResolveTenantId } from "./resolve/hint.ts";
export type { TenantLookup } from "./resolve/tenant-lookup.ts";
export { runWithTenant, type TenantBySlug } from "./run-with-tenant.ts";
export type { KeyScan } from "./scope/key-scan.ts";
export { PLATFORM } from "./scope/platform.ts";
export { withKeyScan } from "./scope/redis-key-scan.ts";
export { SSO_ERROR_CODES } from "./sso-error-codes.ts";
export { type TenantActivity, tenantActivity } from "./tenant-activity.ts";
export type { CurrentTenant } from "./tenants/get-current-tenant.ts";
export { listTenantPage, type PageQuery, type TenantPage } from "./tenants/list-tenant-page.ts";
export type { SignInMethods } from "./tenants/offered-methods.ts";
export type { Tenant, TenantLifecycle } from "./tenants/tenant.ts";
export type { TenantBranding } from "./tenants/tenant-profiles.ts";
export type { ImportedUsers } from "./transfer/import-users.ts";
export type { ExportedUser, UserToImport } from "./transfer/user-line.ts";
export { TRANSFER_ERROR_CODES } from "./transfer-error-codes.ts";
export { tenantTriggerSteps } from "./triggers/trigger-steps.ts";
export { withTenants } from "./with-tenants.ts";
