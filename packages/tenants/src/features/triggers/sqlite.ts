import { NOT_OPEN } from "../../scope/data/closed-by-database.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TableNames } from "../database/names.ts";
import { quoteIn } from "../database/quote.ts";
import { type GuardedTable, keepName, openName, type Trigger, type TriggerKind } from "./trigger.ts";

const quote = quoteIn("sqlite");

/** One transaction writes at a time, so a tenant is not closed between the check and the commit. */
export const SQLITE: TriggerKind = {
	prepare: async () => [],
	expected: async (_, { tenant, tables }) =>
		tables.flatMap((names) => [
			guard(tenant, names, { name: openName(names.table), event: "insert", when: "" }),
			...(names.waysIn.length > 0 ? [keeps(tenant, names)] : []),
		]),
	find: async ({ ask }) => {
		const rows = await ask("select tbl_name, name, sql from sqlite_master where type = 'trigger'");
		return rows.map((row) => ({ table: String(row.tbl_name), name: String(row.name), body: String(row.sql) }));
	},
};

const keeps = (tenant: TableNames, names: GuardedTable): Trigger =>
	guard(tenant, names, {
		name: keepName(names.table),
		event: `update of ${names.waysIn.map(quote).join(", ")}`,
		when: ` and (${names.waysIn.map((name) => `old.${quote(name)} is not new.${quote(name)}`).join(" or ")})`,
	});

const guard = (
	tenant: TableNames,
	names: TableNames,
	{ name, event, when }: { name: string; event: string; when: string },
): Trigger => {
	const column = `new.${quote(names.column("tenantId"))}`;
	const status = quote(tenant.column("status"));
	const found = `select 1 from ${quote(tenant)} where ${quote(tenant.column("id"))} = ${column} and ${status}`;
	// SQLite before 3.47 takes no expression as a message
	const refuse = (as: string, condition: string): string =>
		`select raise(abort, '${NOT_OPEN}:${as}') where ${condition};`;
	const body = `CREATE TRIGGER ${quote(name)} before ${event} on ${quote(names)} when ${column} <> '${PLATFORM}'${when} begin ${refuse("suspended", `exists (${found} = 'suspended')`)} ${refuse("archived", `exists (${found} = 'archived')`)} ${refuse("missing", `not exists (${found} = 'active')`)} end`;
	return { table: names.table, name, body, create: [`drop trigger if exists ${quote(name)}`, body] };
};
