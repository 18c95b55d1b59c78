export { ROW_ERROR_CODES } from "./rows/error-codes.ts";
export { type KyselyRowsOptions, tenantRowsForKysely } from "./rows/kysely.ts";
export type { TableOptions } from "./rows/listed-tables.ts";
export { type PrismaOperation, type PrismaRowsOptions, tenantRowsForPrisma } from "./rows/prisma.ts";
export { type RequireTenantOptions, requireTenantId } from "./rows/require-tenant-id.ts";
export type { RowClient } from "./rows/row-client.ts";
export { tenantRowPool } from "./rows/row-pool.ts";
export {
	assertRowSecurity,
	type RowClientOf,
	type RowPool,
	TENANT_SETTING,
	withTenantRows,
} from "./rows/row-security.ts";
export { rowSecuritySql } from "./rows/row-security-sql.ts";
