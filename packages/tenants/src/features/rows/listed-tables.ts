import { rowError } from "./error-codes.ts";
import { requireTenantId } from "./require-tenant-id.ts";

/**
 * The tables or models of an application. One that is in neither list is rejected, so a new table is not forgotten.
 *
 * @example
 * ```ts
 * const tables: TableOptions = { own: ["invoice", "customer"], shared: ["country"] };
 * ```
 */
export type TableOptions = {
	/** Tables with a tenant column. Queries see and change only rows of the current tenant. */
	own: readonly string[];
	/**
	 * Tables whose rows belong to all tenants. Queries of them get no condition.
	 * @default []
	 */
	shared?: readonly string[];
	/**
	 * The name of the tenant column, as your queries write it.
	 * @default "tenantId"
	 */
	column?: string;
	/**
	 * Uses the tenant `"platform"` on the platform instead of throwing. Set it if your tables have rows of the platform.
	 * @default false
	 */
	allowPlatform?: boolean;
};

export type ListedTables = ReturnType<typeof listTables>;

/** Reads the lists once. The tenant is read for each query. */
export const listTables = ({ own, shared = [], column = "tenantId", allowPlatform = false }: TableOptions) => {
	const owned = new Set(own);
	const common = new Set(shared);
	for (const name of owned) if (common.has(name)) throw rowError("ROW_TABLE_NOT_LISTED", `${name} is in both lists`);
	return {
		column,
		tenantId: (): string => requireTenantId({ allowPlatform }),
		/** Whether a table has a tenant column. Throws for a table that is in no list. */
		isOwn: (name: string, others?: ReadonlySet<string>): boolean => {
			if (owned.has(name)) return true;
			if (common.has(name) || others?.has(name)) return false;
			throw rowError("ROW_TABLE_NOT_LISTED", name);
		},
		/** Databases compare the names of columns without case, and `CamelCasePlugin` of Kysely turns `tenantId` into `tenant_id`. */
		isColumn: (name: unknown): boolean => typeof name === "string" && plain(name) === plain(column),
	};
};

const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
