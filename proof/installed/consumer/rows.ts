import {
	assertRowSecurity,
	requireTenantId,
	type TENANT_SETTING,
	tenantRowsForKysely,
	tenantRowsForPrisma,
	withTenantRows,
} from "better-auth-tenants/rows";
import { type Generated, Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { same } from "./same.ts";

const pool = new Pool();
type Tables = { invoice: { id: Generated<string>; tenant_id: string; amount: number } };

export const db = new Kysely<Tables>({
	dialect: new PostgresDialect({ pool }),
	plugins: [tenantRowsForKysely({ own: ["invoice"], column: "tenant_id" })],
});
export const extension = tenantRowsForPrisma({ own: ["Invoice"] });
// @ts-expect-error the tables are required
export const missing = tenantRowsForKysely({});

export const countInvoices = async (): Promise<number> => {
	await assertRowSecurity(pool, ["invoice"]);
	const counted = await withTenantRows(pool, async (client) => {
		const { rows } = await client.query<{ count: number }>("select count(*)::int from invoice");
		return rows[0]?.count ?? 0;
	});
	same<typeof counted, number>(true);
	same<typeof TENANT_SETTING, "app.tenant_id">(true);
	return requireTenantId({ allowPlatform: true }).length + counted;
};
