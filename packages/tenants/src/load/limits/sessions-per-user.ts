import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { SecondaryStorage, Session } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { isImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";
import { proofOf } from "../../scope/sessions/session-proof.ts";
import {
	readSessionList,
	revocationTtl,
	SESSION_LIST,
	type SessionReference,
} from "../../scope/sessions/stored-sessions.ts";
import { createWindows } from "./windows.ts";

type With = {
	max: number | false;
	pin: Pick<TenantContext, "current">;
	context: AuthContext;
	/** scoped to the tenant of the request; created later */
	adapter: () => DBAdapter;
};

type SessionRow = Session & { operatorId?: unknown; impersonatedBy?: unknown };
export type SessionsPerUser = ReturnType<typeof createSessionsPerUser>;

/** Without a storage, each process looks for sessions beyond the limit with every tenth part of it. */
const LOOKS = 10;
/** How many sessions one sign-in ends at most. A user may have had more before the limit was set. */
const MOST_ENDED = 1_000;
/** Better Auth reads at most 100 rows of those that it deletes, for hooks. */
const BATCH = 100;
/** How many users without a storage a process counts. */
const COUNTED_USERS = 20_000;
/** Sessions that are being created, and the seconds that this may take. */
const CREATED_AT_ONCE = { maxSize: 10_000, maxAge: 60 };

/**
 * Bounds the sessions of one user: those that were created or renewed the longest ago end. Everything that walks over the sessions
 * of a user takes time and space for each of them, and a user can sign in as often as the rate limits allow.
 *
 * - **With a secondary storage**, Better Auth writes a list of the user's sessions with each new one. What is beyond the limit ends
 *   when the list is written, which costs nothing else. `storeSessionInDatabase` adds the rows of the database to the list.
 * - **In the database only**, each process counts the sessions that it creates for a user, and looks with every tenth part of the
 *   limit. That costs one query then, and nothing else.
 *
 * Both stand where all sessions are stored, so every way to sign in is bounded.
 */
export const createSessionsPerUser = ({ max, pin, context, adapter }: With) => {
	if (max === false) return unbounded;
	const { secondaryStorage } = context.options;
	const beingCreated = new BoundedCache<{ isImpersonated: boolean }>(CREATED_AT_ONCE);
	const bound: Bound = { max, isNew: (token) => beingCreated.get(token) !== undefined };
	const count = createCount({ bound, pin, context, adapter });

	/** Ends what is beyond the limit, and returns the other entries with the time since when they are there. */
	const endOldestListed = async (listed: SessionReference[]): Promise<SessionReference[]> => {
		const now = Date.now();
		const sessions = listed.map((entry) => ({
			...entry,
			since: entry.since ?? now,
			isImpersonated:
				entry.isImpersonated ??
				beingCreated.get(entry.token)?.isImpersonated ??
				isImpersonation({ token: entry.token }),
		}));
		const ended = new Set(findOldest(sessions, bound).slice(0, MOST_ENDED));
		// first, so that the list has them if this fails
		if (ended.size > 0) await endSessions(context, [...ended]);
		return sessions.filter(({ token }) => !ended.has(token));
	};

	return {
		/** Before a session is stored. */
		begin: (created: SessionRow): void => beingCreated.set(created.token, { isImpersonated: isImpersonation(created) }),
		/** After a session was stored, whichever way its user signed in. */
		created: async (created: Session): Promise<void> => {
			try {
				if (!secondaryStorage) await count(created);
			} finally {
				beingCreated.delete(created.token);
			}
		},
		guardStorage: (storage: SecondaryStorage): SecondaryStorage => ({
			...storage,
			set: async (key, value, ttl) => {
				const listed = key.startsWith(SESSION_LIST) ? readSessionList(value) : [];
				const stored = listed.length > 0 ? JSON.stringify(await endOldestListed(listed)) : value;
				return storage.set(key, stored, ttl);
			},
		}),
	};
};

/** Counts the sessions that a process creates for a user, and ends the oldest rows now and then. */
const createCount = ({ bound, pin, context, adapter }: Omit<With, "max"> & { bound: Bound }) => {
	const lifetime = revocationTtl(context.options);
	const every = Math.max(1, Math.floor(bound.max / LOOKS));
	const windows = createWindows(COUNTED_USERS);

	const endOldestRows = async (userId: string): Promise<void> => {
		const rows = await (await getCurrentAdapter(adapter())).findMany<SessionRow>({
			model: "session",
			where: [
				{ field: "userId", value: userId },
				{ field: "expiresAt", value: new Date(), operator: "gt" },
			],
			sortBy: { field: "updatedAt", direction: "asc" },
			// with as many rows, at least `MOST_ENDED` are beyond the limit
			limit: 2 * bound.max + MOST_ENDED,
		});
		const sessions = rows.map((row) => ({
			token: row.token,
			since: row.updatedAt.getTime(),
			expiresAt: row.expiresAt.getTime(),
			isImpersonated: isImpersonation(row),
		}));
		await endSessions(context, findOldest(sessions, bound));
	};

	return async ({ userId }: Session): Promise<void> => {
		const tenantId = pin.current();
		const { count: created } = windows.countOne({
			key: `${tenantId}\n${userId}`,
			owner: { tenantId, network: "" },
			now: Date.now(),
			length: lifetime * 1_000,
		});
		if (created % every === 0) await endOldestRows(userId);
	};
};

const endSessions = async (context: AuthContext, tokens: string[]): Promise<void> => {
	// in one order, so that two processes do not wait for each other
	const ended = tokens.slice(0, MOST_ENDED).sort();
	for (let first = 0; first < ended.length; first += BATCH)
		await context.internalAdapter.deleteSessions(ended.slice(first, first + BATCH));
};

const unbounded = {
	begin: (): void => undefined,
	created: async (): Promise<void> => undefined,
	guardStorage: (storage: SecondaryStorage): SecondaryStorage => storage,
};

/** A session of a user, as it is compared with the others. */
type LiveSession = {
	token: string;
	/** when it was created or renewed, in milliseconds */
	since: number;
	expiresAt: number;
	/** an operator or an administrator acts as the user */
	isImpersonated: boolean;
};

type Bound = {
	max: number;
	/** sessions that are being created, which never end */
	isNew: (token: string) => boolean;
};

/**
 * The tokens of the sessions beyond the limit: those that were created or renewed the longest ago. A user's own sessions and
 * those of operators who act as the user have the limit each, so that neither can end the other's.
 */
const findOldest = (sessions: LiveSession[], { max, isNew }: Bound): string[] =>
	[false, true].flatMap((isImpersonated) => {
		const alike = sessions.filter((session) => session.isImpersonated === isImpersonated);
		return alike
			.filter(({ token }) => !isNew(token))
			.sort((one, other) => one.since - other.since || one.expiresAt - other.expiresAt)
			.slice(0, Math.max(0, alike.length - max))
			.map(({ token }) => token);
	});

type Impersonated = { token: string; operatorId?: unknown; impersonatedBy?: unknown };

/** Whether somebody else acts as the user in this session. Without the columns, only the token says so. */
const isImpersonation = (session: Impersonated): boolean =>
	isImpersonatedSession(session) || session.impersonatedBy != null || proofOf(session.token) === "impersonation";
