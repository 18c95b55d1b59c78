import type { Where } from "@better-auth/core/db/adapter";
import { definePart } from "../../scope/pin/request-record.ts";
import { API_KEYS_SINCE, EPOCH, epochOf, type Row, timeOf } from "./epoch.ts";

/** What a request knows about the rights of a user. */
type Sight = {
	/** the epoch when the request first saw the user, or the one that it set itself */
	epoch: string | null;
	/** the epoch that this request replaced: its own sessions have it */
	replaced?: string | null;
	/** a session of this epoch led to the user, or the request set the epoch itself */
	isVouched: boolean;
	/** created by this request */
	isNew: boolean;
	email: unknown;
	/** undefined if the columns that were read did not include it */
	role: unknown;
};

/** The running request. */
export type RequestRights = {
	began: number;
	/** the users that it saw */
	seen: Map<string, Sight>;
	/** as whom it acts */
	actors: Set<string>;
	/** the actors to whom an API key led, and since when their keys counted then */
	byKey: Map<string, unknown>;
	/** the users that it read for sessions */
	users: Map<string, Row>;
};

const running = definePart<RequestRights>(() => ({
	began: Date.now(),
	seen: new Map(),
	actors: new Set(),
	byKey: new Map(),
	users: new Map(),
}));

/** What the running request knows. It begins with the first call, so call it before a credential is read. Undefined outside. */
export const rightsNow = running.now;

/** Names a user among those of all tenants. */
export const keyOf = (tenantId: string, userId: unknown): string => `${tenantId} ${String(userId)}`;

/** The ids of the users of a tenant as whom the request acts, in one order, so that two requests do not wait for each other. */
export const actorsIn = ({ actors }: RequestRights, tenantId: string): string[] => {
	const prefix = keyOf(tenantId, "");
	return [...actors]
		.filter((key) => key.startsWith(prefix))
		.map((key) => key.slice(prefix.length))
		.sort();
};

/** Remembers the epoch of a user at first sight. A row of which only some columns were read shows none. */
export const see = (
	{ seen }: RequestRights,
	tenantId: string,
	row: Row,
	{ isVouched = false, isNew = false }: { isVouched?: boolean; isNew?: boolean } = {},
): void => {
	if (row.id == null || !(EPOCH in row)) return;
	const key = keyOf(tenantId, row.id);
	const known = seen.get(key);
	if (!known) seen.set(key, { epoch: epochOf(row), isVouched, isNew, email: row.email, role: row.role });
	else if (isVouched && known.epoch === epochOf(row)) known.isVouched = true;
};

/**
 * The conditions that a user as whom the request acts still has the role that it saw first, and that the API key that led to them
 * still counts. Both start no epoch. The role alone would not do: it may have been lower for a moment, and no key from before
 * counts after that.
 */
export const actorConditions = (
	{ actors, byKey }: RequestRights,
	key: string,
	{ role }: Pick<Sight, "role">,
): Where[] =>
	actors.has(key)
		? [
				...(role === undefined ? [] : [{ field: "role", value: role as string | null, connector: "AND" } as const]),
				...(byKey.has(key) ? [stillSince(byKey.get(key))] : []),
			]
		: [];

/** Not equality: a database may keep parts of a millisecond, which a `Date` loses. */
const stillSince = (since: unknown): Where =>
	since == null
		? { field: API_KEYS_SINCE, value: null, connector: "AND" }
		: {
				field: API_KEYS_SINCE,
				value: new Date(new Date(since as string | Date).getTime() + 1),
				operator: "lt",
				connector: "AND",
			};

/** Whether a user meets such conditions. A column that was not read counts as met. */
export const meets = (user: Row, conditions: Where[]): boolean =>
	conditions.every(({ field, value, operator }) => {
		const stored = user[field];
		if (stored === undefined) return true;
		return operator === "lt" ? new Date(stored as string | Date) < (value as Date) : stored === value;
	});

/** Remembers an epoch that this request set. */
export const own = ({ seen, users }: RequestRights, key: string, epoch: string): void => {
	const { epoch: replaced = null, email, role, isNew = false } = seen.get(key) ?? {};
	seen.set(key, { epoch, replaced, isVouched: true, isNew, email, role });
	users.delete(key);
};

/** Remembers a role that this request gave. */
export const ownRole = ({ seen }: RequestRights, key: string, role: unknown): void => {
	const sight = seen.get(key);
	if (sight) sight.role = role;
};

/** Remembers a user whom this request deleted: it does not act as them any more, and there is no epoch to replace. */
export const forget = ({ seen, actors, users }: RequestRights, key: string): void => {
	seen.set(key, { epoch: null, replaced: null, isVouched: true, isNew: false, email: undefined, role: undefined });
	actors.delete(key);
	users.delete(key);
};

/** Dates a request back to when the code or the link was sent that it uses up. */
export const beginEarlier = (rights: RequestRights, time: number): void => {
	// a time that cannot be read is not earlier
	if (time < rights.began) rights.began = time;
};

/** Whether this request itself replaced the epoch of the user. */
export const hasReplaced = (rights: RequestRights | undefined, key: string): boolean =>
	rights?.seen.get(key)?.replaced !== undefined;

/**
 * Whether the user's rights changed after the request began and before it first saw the user, for example because it first read a
 * code. A request that uses up a code began when that was sent. Compares the clocks of servers. A request with a session does not need it.
 */
export const isLate = ({ began }: RequestRights, { epoch, isVouched }: Sight): boolean =>
	!isVouched && timeOf(epoch) > began;

/**
 * Whether a session was made in the current epoch of its user. A request that replaced the epoch still sees the sessions from
 * before, to end them and to keep its own.
 */
export const holds = (rights: RequestRights | undefined, tenantId: string, session: Row, user: Row): boolean => {
	const made = epochOf(session);
	if (made === epochOf(user)) return true;
	const sight = rights?.seen.get(keyOf(tenantId, user.id));
	return sight?.replaced !== undefined && sight.epoch === epochOf(user) && sight.replaced === made;
};
