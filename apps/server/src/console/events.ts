import type { AuditEntry } from "better-auth-tenants";
import type { Pool } from "pg";
import { EVENT_TABLE } from "../schema/console-tables.ts";

/** The last event of a page. */
export type EventPageEnd = { at: Date; id: string };

/** A management event, as the endpoint returns it. */
export type ConsoleEvent = { id: string } & Omit<AuditEntry, "actor"> & {
		actor: AuditEntry["actor"] | { kind: "operator" };
	};

type EventQuery = {
	/** null for all tenants */
	tenantId: string | null;
	/** a user of the tenant, not an operator */
	isForTenant: boolean;
	limit: number;
	after: EventPageEnd | null;
};

/**
 * Whether an attempt is kept. Reads are not. Callers without a known key or a session are not: anybody could fill the table.
 * The log has all of them.
 */
const isKept = ({ action, actor }: AuditEntry): boolean => !/:(get|list)$/.test(action) && actor.kind !== "unknown";

/**
 * Stores an attempt to manage. Throws if it cannot be stored: the action then does not run. Of the refusals of one user and
 * action, one in an hour is kept in their own tenant, and one in all others: a member could fill the list otherwise, and hide what
 * others did. Anybody can name tenants that do not exist. The log has all of them.
 */
export const keepEvent = async (pool: Pick<Pool, "query">, entry: AuditEntry): Promise<void> => {
	if (!isKept(entry)) return;
	const { at, tenantId, action, outcome, actor } = entry;
	const session = actor.kind === "session" ? actor : null;
	const actorTenantId = session?.tenantId ?? null;
	// what an operator tried as a user is not hidden by what the user tried
	const userId = session && session.operatorId === undefined ? session.userId : null;
	const place = tenantId === actorTenantId ? '"tenantId" = $5::text' : '"tenantId" is distinct from $5::text';
	await pool.query(
		`insert into "${EVENT_TABLE}" ("at", "tenantId", "action", "outcome", "actorTenantId", "entry")
		select $1::timestamptz, $2::text, $3::text, $4::text, $5::text, $6::text
		where $4::text <> 'refused' or $7::text is null or not exists (select 1 from "${EVENT_TABLE}"
			where ${place} and "actorTenantId" = $5::text and "at" > $1::timestamptz - interval '1 hour'
			and "outcome" = 'refused' and "action" = $3::text and "entry"::json #>> '{actor,userId}' = $7::text)`,
		[at, tenantId, action, outcome, actorTenantId, JSON.stringify(entry), userId],
	);
};

/**
 * Reads one page of events, newest first. Users of a tenant do not see what users of other tenants tried: it would name
 * them, and anybody could fill the list. They see nothing from before a deletion either: an import can use the id again.
 */
export const readEvents = async (
	pool: Pick<Pool, "query">,
	{ tenantId, isForTenant, limit, after }: EventQuery,
): Promise<{ events: ConsoleEvent[]; end: EventPageEnd | null }> => {
	const values: unknown[] = [limit + 1];
	const bind = (value: unknown): string => `$${values.push(value)}`;
	const conditions = ["true"];
	if (tenantId !== null) conditions.push(`"tenantId" = ${bind(tenantId)}`);
	if (after) conditions.push(`("at", "id") < (${bind(after.at)}::timestamptz, ${bind(after.id)}::uuid)`);
	if (isForTenant) {
		const own = bind(tenantId);
		conditions.push(
			`("outcome" = 'allowed' or "actorTenantId" = ${own})`,
			`"at" > coalesce((select max("at") from "${EVENT_TABLE}"
				where "tenantId" = ${own} and "action" = 'tenant:delete' and "outcome" = 'allowed'), '-infinity')`,
		);
	}
	const { rows } = await pool.query<{ id: string; at: Date; entry: string }>(
		`select "id", "at", "entry" from "${EVENT_TABLE}" where ${conditions.join(" and ")}
		order by "at" desc, "id" desc limit $1`,
		values,
	);
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	return {
		events: page.map(({ id, entry }) => ({ id, ...shown(JSON.parse(entry) as AuditEntry, isForTenant) })),
		end: last && rows.length > limit ? { at: last.at, id: last.id } : null,
	};
};

/**
 * Users of a tenant see that an operator acted, but neither who, nor from where, nor why. An operator who impersonates a user of
 * the tenant is an operator, too.
 */
const shown = (entry: AuditEntry, isForTenant: boolean): Omit<ConsoleEvent, "id"> => {
	const { actor, tenantId } = entry;
	const isOfTenant = actor.kind === "session" && actor.tenantId === tenantId && actor.operatorId === undefined;
	if (!isForTenant || isOfTenant) return entry;
	const { ip: _ip, reason: _reason, ...rest } = entry;
	return { ...rest, actor: { kind: "operator" } };
};
