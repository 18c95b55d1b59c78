import type { TableNames } from "../database/names.ts";
import { quoteIn } from "../database/quote.ts";

const quote = quoteIn("postgres");

/** Names of the table that records changes, and of what belongs to it. */
export const CHANGES = "tenant_session_change";

/** Stands for all tenants. No id is empty. */
export const EVERY_TENANT = "";

/**
 * Characters of a user's id that are recorded, from its end. The record outlasts a user who is deleted, and must not name them. Two
 * users with the same end only read the database once more.
 */
const ID_END = 8;
/** What is recorded of an id. PostgreSQL counts characters, not units of UTF-16. */
export const endOfId = (id: string): string => [...id].slice(-ID_END).join("");

/** Users that one statement names. Above it, a change is one of their tenants. */
const MOST_USERS = 1_000;

/** What records changes: a trigger and a function of each name. */
const KINDS = ["session_end", "session_change", "session_clear", "user_change", "user_end", "user_clear"] as const;
export const RECORDERS = KINDS.map((kind) => `tenant_${kind}`);

type Recorded = { user: TableNames; session: TableNames };

/** What a database records changes with: the source of each function, and the triggers that are on. */
export type Recorders = {
	/** where the table of sessions is */
	schema: string;
	table: boolean;
	index: boolean;
	functions: Record<string, string>;
	triggers: string[];
};

const INDEX = `${CHANGES}_xid`;
const listed = RECORDERS.map((name) => `'${name}'`).join(", ");

/** Reads them. The schema is null if there is no table of sessions. */
export const recordersQuery = ({ user, session }: Recorded): string => {
	const place = `(select relnamespace from pg_class where oid = to_regclass('${quote(session)}'))`;
	const found = (name: string): string =>
		`exists (select from pg_class where relname = '${name}' and relnamespace = ${place})`;
	return `select (select nspname from pg_namespace where oid = ${place}) as "schema", ${found(CHANGES)} as "table", ${found(INDEX)} as "index", coalesce((select json_object_agg(p.proname, p.prosrc) from pg_proc p where p.pronamespace = ${place} and p.proname in (${listed})), '{}') as "functions", coalesce((select json_agg(t.tgname) from pg_trigger t where t.tgenabled = 'A' and t.tgname in (${listed}) and t.tgrelid in (to_regclass('${quote(user)}'), to_regclass('${quote(session)}'))), '[]') as "triggers"`;
};

/**
 * The statements that let PostgreSQL record which users and sessions changed, in the transaction that changes them. Triggers see
 * every change: those of plugins, of commands and of SQL by hand. Returns what is missing.
 *
 * A session that only lasts longer has not changed, and neither has one that is deleted a day after its end. Not at its end: a column
 * without time zone may be ahead of the server.
 *
 * The functions run as their owner, in the schema of the sessions: whoever may end a session need not be allowed to write the record,
 * and no table of the same name elsewhere is written instead. The triggers also run while a role replicates.
 */
export const changeLogSteps = ({ user, session }: Recorded, present: Recorders): string[] => {
	const schema = present.schema;
	const own = (name: string): string => quote({ schema, table: name });
	const column = (names: TableNames, field: string): string => quote(names.column(field));
	const [tenantOfSession, userId] = [column(session, "tenantId"), column(session, "userId")];
	const [tenantOfUser, id] = [column(user, "tenantId"), column(user, "id")];
	const expiresAt = column(session, "expiresAt");
	const record = (rows: string): string =>
		`insert into ${own(CHANGES)} ("tenantId", "userId") with changed as (select distinct * from (${rows}) as found) select distinct "tenantId", case when (select count(*) from changed) > ${MOST_USERS} then null else right("userId", ${ID_END}) end from changed`;
	const compared = (row: string): string =>
		`to_jsonb(${row}) - '${session.column("expiresAt")}' - '${session.column("updatedAt")}'`;
	// TRUNCATE tells nobody which rows it removes
	const clear = (on: TableNames) => ({
		on,
		event: "truncate",
		tables: "",
		rows: `select '${EVERY_TENANT}' as "tenantId", null::text as "userId"`,
	});
	const bodies: Record<(typeof KINDS)[number], { on: TableNames; event: string; tables: string; rows: string }> = {
		session_clear: clear(session),
		user_clear: clear(user),
		session_end: {
			on: session,
			event: "delete",
			tables: "referencing old table as old_rows",
			rows: `select ${tenantOfSession} as "tenantId", ${userId}::text as "userId" from old_rows where ${expiresAt} > now() - interval '1 day'`,
		},
		session_change: {
			on: session,
			event: "update",
			tables: "referencing old table as old_rows new table as new_rows",
			rows: `select o.${tenantOfSession} as "tenantId", o.${userId}::text as "userId" from old_rows o left join new_rows n on n.${column(session, "id")} = o.${column(session, "id")} where n.${column(session, "id")} is null or n.${expiresAt} < o.${expiresAt} or ${compared("n")} is distinct from ${compared("o")}`,
		},
		user_change: {
			on: user,
			event: "update",
			tables: "referencing old table as old_rows new table as new_rows",
			// a lock writes what was there
			rows: `select t."tenantId", t."userId" from old_rows o full join new_rows n on n.${id} = o.${id} cross join lateral (values (o.${tenantOfUser}, o.${id}::text), (n.${tenantOfUser}, n.${id}::text)) as t("tenantId", "userId") where to_jsonb(n) is distinct from to_jsonb(o) and t."tenantId" is not null`,
		},
		user_end: {
			on: user,
			event: "delete",
			tables: "referencing old table as old_rows",
			rows: `select ${tenantOfUser} as "tenantId", ${id}::text as "userId" from old_rows`,
		},
	};
	return [
		...(present.table
			? []
			: [
					`create table if not exists ${own(CHANGES)} (xid xid8 not null default pg_current_xact_id(), at timestamptz not null default now(), "tenantId" text not null, "userId" text)`,
				]),
		...(present.index ? [] : [`create index if not exists ${quote(INDEX)} on ${own(CHANGES)} (xid)`]),
		...Object.entries(bodies).flatMap(([kind, { on, event, tables, rows }]) => {
			const name = `tenant_${kind}`;
			const body = `begin ${record(rows)}; return null; end`;
			return [
				...(present.functions[name] === body
					? []
					: [
							`create or replace function ${own(name)}() returns trigger language plpgsql security definer set search_path = ${quote(schema)}, pg_temp as $tenant$${body}$tenant$`,
						]),
				// together: no change may be missed between the two
				...(present.triggers.includes(name)
					? []
					: [
							`do $tenant$begin drop trigger if exists ${quote(name)} on ${quote(on)}; create trigger ${quote(name)} after ${event} on ${quote(on)} ${tables} for each statement execute function ${own(name)}(); alter table ${quote(on)} enable always trigger ${quote(name)}; end$tenant$`,
						]),
			];
		}),
	];
};

/** The statements that end the recording. Returns what is present. Triggers first: without the rest, they would fail. */
export const changeLogRemoval = ({ user, session }: Recorded, present: Recorders): string[] => {
	const own = (name: string): string => quote({ schema: present.schema, table: name });
	if (!present.table && Object.keys(present.functions).length === 0) return [];
	return [
		...KINDS.map(
			(kind) =>
				`drop trigger if exists ${quote(`tenant_${kind}`)} on ${quote(kind.startsWith("user") ? user : session)}`,
		),
		...RECORDERS.map((name) => `drop function if exists ${own(name)}()`),
		`drop table if exists ${own(CHANGES)}`,
	];
};
