import { rowError } from "./error-codes.ts";
import { lendClient } from "./lent-client.ts";
import { type RequireTenantOptions, requireTenantId } from "./require-tenant-id.ts";
import type { RowClient } from "./row-client.ts";

/** The policy that compares the tenant. It is restrictive, so that no other policy can show more. */
export const TENANT_POLICY = "tenant_rows";

/**
 * The setting of PostgreSQL that policies compare with the tenant column.
 *
 * @example
 * ```ts
 * await sql`select set_config(${TENANT_SETTING}, ${requireTenantId()}, true)`; // in a transaction
 * ```
 */
export const TENANT_SETTING = "app.tenant_id";

/** The last argument ends the setting with the transaction. */
export const SET_TENANT = "select set_config($1, $2, true)";

/** A pool of connections, such as `Pool` of `pg`. */
export type RowPool = { connect(): Promise<RowClient> };

/** The connection type of a pool. */
export type RowClientOf<Pool extends RowPool> = Pool extends {
	// pg overloads `connect`, and inference reads signatures from the last one
	connect: { (): Promise<infer Client>; (callback: never): void };
}
	? Client
	: Awaited<ReturnType<Pool["connect"]>>;

/**
 * Runs `work` in a transaction whose row-level security policies see the current tenant. It commits, or rolls back if `work`
 * throws. The tenant ends with the transaction, so the next user of the connection does not get it. Costs one statement in
 * addition to `begin` and `commit`.
 *
 * @example
 * ```ts
 * const invoices = await withTenantRows(pool, async (client) => (await client.query("select * from invoice")).rows);
 * ```
 */
export const withTenantRows = async <Pool extends RowPool, Result>(
	pool: Pool,
	work: (client: RowClientOf<Pool>) => Promise<Result>,
	options: RequireTenantOptions = {},
): Promise<Result> => {
	// before a connection is taken
	const tenantId = requireTenantId(options);
	const client = await pool.connect();
	// pg ends the process if a connection is lost between two statements and nobody listens; the next statement rejects
	client.on?.("error", ignore);
	let isUsable = false;
	// the conditional type cannot be resolved for a pool that is not known yet
	const { lent, takeBack } = lendClient(client as RowClientOf<Pool> & RowClient);
	try {
		await client.query("begin");
		try {
			await client.query(SET_TENANT, [TENANT_SETTING, tenantId]);
			const result = await work(lent);
			takeBack();
			await client.query("commit");
			isUsable = true;
			return result;
		} catch (error) {
			takeBack();
			isUsable = await client.query("rollback").then(
				() => true,
				// the first error says more, and the connection is not used again
				() => false,
			);
			throw error;
		}
	} finally {
		client.off?.("error", ignore);
		// a connection whose transaction did not end would keep the tenant for its next user
		client.release(!isUsable);
	}
};

const ignore = (): void => {};

/**
 * Throws `ROW_SECURITY_INACTIVE` if row-level security does not apply to this connection: the role is a superuser, has
 * `BYPASSRLS`, or owns a table without `FORCE ROW LEVEL SECURITY`, or the table has no policy of `rowSecuritySql`. Throws
 * `ROW_SETTING_PRESENT` if the connection has a tenant outside of a transaction. Call it once at start-up. Costs one statement.
 *
 * @example
 * ```ts
 * await assertRowSecurity(pool, ["invoice", "customer"]);
 * ```
 */
export const assertRowSecurity = async (
	pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
	tables: readonly string[],
): Promise<void> => {
	const { rows } = await pool.query(
		`select name, coalesce(row_security_active(to_regclass(name)::oid), false) and exists (
				select from pg_policy where polrelid = to_regclass(name) and polname = '${TENANT_POLICY}'
					and not polpermissive and polcmd = '*' and polroles = '{0}'
			) as active,
			nullif(current_setting('${TENANT_SETTING}', true), '') is not null as present
		from unnest($1::text[]) as name`,
		[[...tables]],
	);
	if (rows.length !== tables.length || tables.length === 0) throw rowError("ROW_SECURITY_INACTIVE", "no tables");
	for (const row of rows) {
		const { name, active, present } = row as { name: string; active: boolean; present: boolean };
		if (present) throw rowError("ROW_SETTING_PRESENT");
		if (!active) throw rowError("ROW_SECURITY_INACTIVE", name);
	}
};
