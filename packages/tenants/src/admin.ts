export { type TenantRole, tenantRoles } from "./admin/roles.ts";
export { tenantAdmin } from "./admin/tenant-admin.ts";
