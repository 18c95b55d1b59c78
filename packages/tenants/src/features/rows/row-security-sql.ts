import { rowError } from "./error-codes.ts";
import type { TableOptions } from "./listed-tables.ts";
import { TENANT_POLICY, TENANT_SETTING } from "./row-security.ts";

/** The function that the policies call. It raises an error without a tenant, instead of showing nothing. */
const TENANT_FUNCTION = "app_tenant_id";

/**
 * The SQL that limits the tables of `own` to the tenant of the transaction. Run it in a migration, as the owner of the tables. It
 * can run again. The tenant column gets a default, so that inserts can leave it out. `shared` is not changed.
 *
 * Without a tenant, a query that would read or write a row fails. No other policy can show rows of another tenant.
 *
 * @example
 * ```ts
 * await pool.query(rowSecuritySql({ own: ["customer", "invoice"] })); // a pool of the owner
 * ```
 */
export const rowSecuritySql = ({ own, column = "tenantId" }: Pick<TableOptions, "own" | "column">): string => {
	if (own.length === 0) throw rowError("ROW_SECURITY_INACTIVE", "no tables");
	return [FUNCTION, ...own.map((table) => policiesOf(table.split(".").map(quoted).join("."), quoted(column)))].join(
		"\n",
	);
};

const FUNCTION = `create or replace function ${TENANT_FUNCTION}() returns text language plpgsql stable parallel safe as $$
declare tenant text := nullif(current_setting('${TENANT_SETTING}', true), '');
begin
	if tenant is null then
		raise exception 'No tenant is set. Use tenantRowPool or withTenantRows' using errcode = 'insufficient_privilege';
	end if;
	return tenant;
end $$;
`;

/** In a subquery, the function is called once for each query instead of once for each row. */
const policiesOf = (
	table: string,
	column: string,
): string => `alter table ${table} alter column ${column} set default ${TENANT_FUNCTION}();
alter table ${table} enable row level security;
alter table ${table} force row level security;
drop policy if exists ${TENANT_POLICY} on ${table};
create policy ${TENANT_POLICY} on ${table} as restrictive
	using (${column} = (select ${TENANT_FUNCTION}())) with check (${column} = (select ${TENANT_FUNCTION}()));
drop policy if exists ${TENANT_POLICY}_exist on ${table};
create policy ${TENANT_POLICY}_exist on ${table} using (true);
`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
