export { type Erasure, verifyErasure } from "./admin/erasure-record.ts";
export { type TenantRole, tenantRoles } from "./admin/roles.ts";
export { tenantAdmin } from "./admin/tenant-admin.ts";
export type { TenantUser } from "./admin/user.ts";
export type { TenantUserDetails } from "./admin/user-details.ts";
export { TENANT_ADMIN_ERROR_CODES } from "./tenant-admin-error-codes.ts";
