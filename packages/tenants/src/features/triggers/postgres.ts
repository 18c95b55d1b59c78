import { BetterAuthError } from "@better-auth/core/error";
import { NOT_OPEN } from "../../scope/data/closed-by-database.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { Driver, Row } from "../database/driver.ts";
import type { TableNames } from "../database/names.ts";
import { quoteIn } from "../database/quote.ts";
import { keepName, openName, type Trigger, type TriggerKind } from "./trigger.ts";

const quote = quoteIn("postgres");

/** Separates these advisory locks from those of the application. */
const LOCKS = 1_952_804_468;

const CLOSES = "tenant_closes";

/**
 * The check runs when a transaction commits, not when it writes. So a transaction that waits for something does not keep its tenant
 * from being closed, and cannot commit afterwards.
 *
 * The check and the closing of a tenant exclude each other by an advisory lock. A row lock would be written to the tenant with each
 * new row, and a stream of new rows could keep an operator waiting. In a transaction that reads a snapshot, only a row lock notices
 * that the tenant was closed since.
 */
export const POSTGRES: TriggerKind = {
	prepare: async () => [],
	expected: async (driver, { tenant, tables }) => {
		const located = await locate(driver, [tenant, ...tables]);
		const [owner] = located;
		if (!owner) return [];
		const guarding = tables.flatMap(({ waysIn }, at) => {
			const own = located[at + 1] ?? owner;
			return waysIn.length > 0 ? [opens(owner, own), keeps(owner, own, waysIn)] : [opens(owner, own)];
		});
		return [closes(owner), ...guarding];
	},
	find: async ({ ask }, { tenant, tables }) => {
		const rows = await ask(
			`select w.name as "table", t.tgname::text as name, p.prosrc as body from (values ${[tenant, ...tables].map(listed).join(", ")}) as w(name, rel) join pg_trigger t on t.tgrelid = w.rel join pg_proc p on p.oid = t.tgfoid where t.tgenabled in ('O', 'A') and t.tgtype = case when t.tgname = '${CLOSES}' then 19 when t.tgname like '%_tenant_keep' then 17 else 5 end`,
		);
		return rows.map(({ table, name, body }) => ({ table: String(table), name: String(name), body: String(body) }));
	},
};

type Located = { names: TableNames; schema: string; table: string; idType: string };

const listed = (names: TableNames): string => `('${names.table}', to_regclass('${quote(names)}'))`;

/** Finds the schema of each table, so that the functions do not depend on the search path of a connection. */
const locate = async ({ ask }: Driver, tables: TableNames[]): Promise<Located[]> => {
	const rows = await ask(
		`select w.name, n.nspname::text as schema, format_type(a.atttypid, null) as id from (values ${tables.map(listed).join(", ")}) as w(name, rel) join pg_class c on c.oid = w.rel join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'`,
	);
	const byName = new Map(rows.map((row: Row) => [String(row.name), row]));
	return tables.map((names) => {
		const row = byName.get(names.table);
		if (!row)
			throw new BetterAuthError(
				`tenantTriggerSteps: there is no table ${names.table}. Run Better Auth's migration (npx auth migrate) first.`,
			);
		return { names, table: names.table, schema: String(row.schema), idType: String(row.id) };
	});
};

const closes = (owner: Located): Trigger => {
	const tenant = owner.names;
	const status = quote(tenant.column("status"));
	const body = `begin perform pg_advisory_xact_lock(${LOCKS}, hashtext(old.${quote(tenant.column("id"))}::text)); return new; end`;
	return {
		table: owner.table,
		name: CLOSES,
		body,
		create: [
			functionOf(owner, CLOSES, body),
			dropOf(owner, CLOSES),
			`create trigger ${quote(CLOSES)} before update on ${quote(owner)} for each row when (old.${status} = 'active' and new.${status} <> 'active') execute function ${quote({ schema: owner.schema, table: CLOSES })}()`,
		],
	};
};

const opens = (owner: Located, own: Located): Trigger =>
	atCommit(owner, own, { name: openName(own.table), event: "insert", when: "" });

const keeps = (owner: Located, own: Located, columns: string[]): Trigger =>
	atCommit(owner, own, {
		name: keepName(own.table),
		event: `update of ${columns.map(quote).join(", ")}`,
		when: ` and (${columns.map((name) => `old.${quote(name)} is distinct from new.${quote(name)}`).join(" or ")})`,
	});

const atCommit = (
	owner: Located,
	own: Located,
	{ name, event, when }: { name: string; event: string; when: string },
): Trigger => {
	const tenant = owner.names;
	// a column that references the tenant has the type of its id, the others are texts
	const column = `new.${quote(own.names.column("tenantId"))}::text`;
	const found = `select ${quote(tenant.column("status"))} into found_status from ${quote(owner)} where ${quote(tenant.column("id"))} = ${column}::${owner.idType}`;
	// the columns are no part of the function, and must be compared too
	const body = `/* ${event} */ declare found_status text; begin perform pg_advisory_xact_lock_shared(${LOCKS}, hashtext(${column})); if current_setting('transaction_isolation') like 'read %' then ${found}; else ${found} for share; end if; if found_status is distinct from 'active' then raise exception '${NOT_OPEN}:%', coalesce(found_status, 'missing') using errcode = 'check_violation'; end if; return null; end`;
	return {
		table: own.table,
		name,
		body,
		create: [
			functionOf(own, name, body),
			dropOf(own, name),
			`create constraint trigger ${quote(name)} after ${event} on ${quote(own)} deferrable initially deferred for each row when (${column} <> '${PLATFORM}'${when}) execute function ${quote({ schema: own.schema, table: name })}()`,
		],
	};
};

const functionOf = ({ schema }: Located, name: string, body: string): string =>
	`create or replace function ${quote({ schema, table: name })}() returns trigger language plpgsql as $tenant$${body}$tenant$`;

const dropOf = (table: Located, name: string): string => `drop trigger if exists ${quote(name)} on ${quote(table)}`;
