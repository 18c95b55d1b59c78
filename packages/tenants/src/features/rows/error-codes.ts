import { APIError } from "@better-auth/core/error";
import { withCodes } from "../../errors/error-codes.ts";

/**
 * Error codes of `better-auth-tenants/rows`. All of them are mistakes in server code, so the status is 500.
 *
 * @example
 * ```ts
 * if (error.body?.code === ROW_ERROR_CODES.ROW_TENANT_REQUIRED.code) logger.info({}, "a query ran outside of a request");
 * ```
 */
export const ROW_ERROR_CODES = withCodes({
	ROW_TENANT_REQUIRED:
		"No tenant is set. Run this code in a hook or endpoint of a tenant's request, or in runWithTenant",
	ROW_TENANT_IS_PLATFORM:
		"The running code is on the platform, which has no rows here. Run it in a tenant, or set allowPlatform",
	ROW_OF_ANOTHER_TENANT: "The tenant column is set by the helper. Remove it from the values",
	ROW_TABLE_NOT_LISTED: "The table is in neither list. Add it to own if it has a tenant column, or else to shared",
	ROW_QUERY_NOT_SUPPORTED:
		"This query cannot be limited to one tenant. Write it another way, or run it without the helper and with row-level security",
	ROW_QUERY_OF_ANOTHER_TENANT:
		"The query was compiled, or its transaction began, in another tenant. Do both in the tenant that runs it",
	ROW_CLIENT_RELEASED:
		"The connection was used after it was given back, when another tenant may have it. Await every query before the transaction ends",
	ROW_SCHEMA_UNKNOWN:
		"The models of the Prisma client cannot be read. Pass the text of schema.prisma as schema to tenantRowsForPrisma",
	ROW_SECURITY_INACTIVE:
		"Row-level security does not apply to this connection. Use a role that is no superuser, has NOBYPASSRLS and does not own the table, and run the SQL of rowSecuritySql",
	ROW_SETTING_PRESENT:
		"The connection has a tenant outside of a transaction. Remove app.tenant_id from the role, the database and the connection string",
});

/** `detail` names the table, the model or the part of a query. It must not contain values. */
export const rowError = (code: keyof typeof ROW_ERROR_CODES, detail?: string): APIError => {
	const known = ROW_ERROR_CODES[code];
	return APIError.from("INTERNAL_SERVER_ERROR", detail ? { code, message: `${detail}: ${known.message}` } : known);
};
