export { ROW_ERROR_CODES } from "./features/rows/error-codes.ts";
export { type KyselyRowsOptions, tenantRowsForKysely } from "./features/rows/kysely.ts";
export type { TableOptions } from "./features/rows/listed-tables.ts";
export { type PrismaOperation, type PrismaRowsOptions, tenantRowsForPrisma } from "./features/rows/prisma.ts";
export { type RequireTenantOptions, requireTenantId } from "./features/rows/require-tenant-id.ts";
export type { RowClient } from "./features/rows/row-client.ts";
export { tenantRowPool } from "./features/rows/row-pool.ts";
export {
	assertRowSecurity,
	type RowClientOf,
	type RowPool,
	TENANT_SETTING,
	withTenantRows,
} from "./features/rows/row-security.ts";
export { rowSecuritySql } from "./features/rows/row-security-sql.ts";
