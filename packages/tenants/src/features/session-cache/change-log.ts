import type { TableNames } from "../database/names.ts";
import { quoteIn } from "../database/quote.ts";

const quote = quoteIn("postgres");

/** Names of the table that records changes, and of what belongs to it. */
export const CHANGES = "tenant_session_change";

/** Users that one statement names. Above it, a change is one of their tenants. */
const MOST_USERS = 1_000;

/** What records changes: a trigger and a function of each name. */
const KINDS = ["session_end", "session_change", "user_change", "user_end"] as const;
export const RECORDERS = KINDS.map((kind) => `tenant_${kind}`);

type Recorded = { user: TableNames; session: TableNames };

/**
 * The statements that let PostgreSQL record which users and sessions changed, in the transaction that changes them. Triggers see
 * every change: those of plugins, of commands and of SQL by hand.
 *
 * A session that only lasts longer has not changed, and neither has one that is deleted after its end.
 */
export const changeLogSteps = ({ user, session }: Recorded): string[] => {
	const own = (name: string): string => quote({ schema: session.schema, table: name });
	const column = (names: TableNames, field: string): string => quote(names.column(field));
	const [tenantOfSession, userId] = [column(session, "tenantId"), column(session, "userId")];
	const [tenantOfUser, id] = [column(user, "tenantId"), column(user, "id")];
	const expiresAt = column(session, "expiresAt");
	const record = (rows: string): string =>
		`insert into ${own(CHANGES)} ("tenantId", "userId") with changed as (select distinct * from (${rows}) as found) select distinct "tenantId", case when (select count(*) from changed) > ${MOST_USERS} then null else "userId" end from changed`;
	const compared = (row: string): string =>
		`to_jsonb(${row}) - '${session.column("expiresAt")}' - '${session.column("updatedAt")}'`;
	const bodies: Record<(typeof KINDS)[number], { on: TableNames; event: string; tables: string; rows: string }> = {
		session_end: {
			on: session,
			event: "delete",
			tables: "old table as old_rows",
			rows: `select ${tenantOfSession} as "tenantId", ${userId}::text as "userId" from old_rows where ${expiresAt} > now()`,
		},
		session_change: {
			on: session,
			event: "update",
			tables: "old table as old_rows new table as new_rows",
			rows: `select o.${tenantOfSession} as "tenantId", o.${userId}::text as "userId" from old_rows o left join new_rows n on n.${column(session, "id")} = o.${column(session, "id")} where n.${column(session, "id")} is null or n.${expiresAt} < o.${expiresAt} or ${compared("n")} is distinct from ${compared("o")}`,
		},
		user_change: {
			on: user,
			event: "update",
			tables: "old table as old_rows new table as new_rows",
			rows: `select ${tenantOfUser} as "tenantId", ${id}::text as "userId" from old_rows union select ${tenantOfUser}, ${id}::text from new_rows`,
		},
		user_end: {
			on: user,
			event: "delete",
			tables: "old table as old_rows",
			rows: `select ${tenantOfUser} as "tenantId", ${id}::text as "userId" from old_rows`,
		},
	};
	return [
		`create table if not exists ${own(CHANGES)} (xid xid8 not null default pg_current_xact_id(), at timestamptz not null default now(), "tenantId" text not null, "userId" text)`,
		`create index if not exists ${quote(`${CHANGES}_xid`)} on ${own(CHANGES)} (xid)`,
		...Object.entries(bodies).flatMap(([kind, { on, event, tables, rows }]) => {
			const name = `tenant_${kind}`;
			return [
				`create or replace function ${own(name)}() returns trigger language plpgsql as $tenant$begin ${record(rows)}; return null; end$tenant$`,
				`drop trigger if exists ${quote(name)} on ${quote(on)}`,
				`create trigger ${quote(name)} after ${event} on ${quote(on)} referencing ${tables} for each statement execute function ${own(name)}()`,
			];
		}),
	];
};
