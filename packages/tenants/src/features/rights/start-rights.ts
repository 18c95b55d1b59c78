import type { AuthContext } from "@better-auth/core";
import { isBanned } from "../../engine/banned-user.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { apiKeyGuardOf } from "../../scope/data/api-key-guard.ts";
import { grantGuardOf } from "../../scope/data/grant-guard.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { skippingCache } from "../../scope/sessions/cache-version.ts";
import { findUser } from "../users/user.ts";
import { bindChallenges } from "./challenges.ts";
import { epochOf, type Row, timeOf } from "./epoch.ts";
import { beginEarlier, holds, isLate, keyOf, rightsNow, see } from "./request-rights.ts";
import { endRightsWithSessions, refuseEndedSessions, stampSession } from "./sessions.ts";

/** Starts what ends rights at once, and returns the hooks of sessions. Throws without `tenantAuth()`, which has to start before. */
export const startRights = (context: AuthContext) => {
	const grants = grantGuardOf({ context });
	const apiKeys = apiKeyGuardOf({ context });
	endRightsWithSessions(context);
	dateCodes(context);
	bindChallenges(context);
	guardCachedSessions(context);
	endSessionsOnReset(context);
	apiKeys.use(async (tenantId, found) => !(await admitsApiKey(tenantId, found)));
	grants.use(async (_, { isCode, user, session }) => {
		const { banned, banExpires } = user;
		if (isBanned({ banned, banExpires })) return true;
		const held = isCode ? await session() : null;
		return held !== null && epochOf({ ...held }) !== epochOf(user);
	});
	return {
		databaseHooks: { session: { create: { before: stampSession(context), after: refuseEndedSessions(context) } } },
	};
};

/** A new password from a link or a code ends all sessions, whatever `revokeSessionsOnPasswordReset` is. */
const endSessionsOnReset = (context: AuthContext): void =>
	whenAssigned(context, "options", (options) => {
		const { emailAndPassword } = options;
		if (!emailAndPassword) return options;
		return { ...options, emailAndPassword: { ...emailAndPassword, revokeSessionsOnPasswordReset: true } };
	});

/**
 * Whether an API key still acts for its user. Not during a ban, and not if it is from before the user's role was raised by an
 * invitation, or lowered. The request then acts as this user.
 */
const admitsApiKey = async (
	tenantId: string,
	{ user, key }: { user: Row & { id: string }; key: Row },
): Promise<boolean> => {
	const { banned, banExpires, apiKeysSince } = user;
	if (isBanned({ banned, banExpires }) || isOlder(key.createdAt, apiKeysSince)) return false;
	const rights = rightsNow();
	if (!rights) return true;
	see(rights, tenantId, user);
	const sight = rights.seen.get(keyOf(tenantId, user.id));
	if (!sight || isLate(rights, sight) || sight.epoch !== epochOf(user)) return false;
	rights.actors.add(keyOf(tenantId, user.id));
	if (!rights.byKey.has(keyOf(tenantId, user.id))) rights.byKey.set(keyOf(tenantId, user.id), apiKeysSince);
	return true;
};

/** A key that does not say when it was created is older: it fails closed. */
const isOlder = (createdAt: unknown, since: unknown): boolean => since != null && !(timeIn(createdAt) >= timeIn(since));

const timeIn = (value: unknown): number => new Date(value as string | Date).getTime();

/** The columns of a user that decide what their session may do. */
const DECIDING = ["role", "twoFactorEnabled", "email", "emailVerified"];

/**
 * Believes a session in the cookie cache only if the user in the database still has its epoch, and the rights of its copy.
 * Otherwise Better Auth reads the session from its store. Costs one query per request with a cached session.
 */
const guardCachedSessions = (context: AuthContext): void =>
	whenAssigned(context, "options", (options) =>
		skippingCache(options, async (session, user) => {
			const tenantId = pinOf({ context }).current();
			if (tenantId === PLATFORM) return false;
			const rights = rightsNow();
			const key = keyOf(tenantId, user.id);
			const stored: Row | null = rights?.users.get(key) ?? (await findUser({ context }, user.id));
			if (!stored || isBanned(stored) || !holds(rights, tenantId, session, stored)) return true;
			if (DECIDING.some((field) => (stored[field] ?? null) !== ((user as Row)[field] ?? null))) return true;
			rights?.users.set(key, stored);
			if (rights) {
				see(rights, tenantId, stored, { isVouched: true });
				rights.actors.add(key);
			}
			return false;
		}),
	);

/** A link that sets a password. Its value is the id of the user. */
const RESET_LINK = "reset-password:";

/**
 * A request that uses up a code or a link began when that was sent. Otherwise a second link in a mailbox that somebody else had read
 * would still set a password, or sign them in, after the owner has set a new one. Whoever shows a session, or a challenge that holds
 * the epoch, does not need it. Costs one query per new password.
 */
const dateCodes = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		consumeVerificationValue: async (identifier, ...rest) => {
			// before the code is read: the state of the request begins here
			const rights = rightsNow();
			const used = await engine.consumeVerificationValue(identifier, ...rest);
			if (!used || !rights || pinOf({ context }).current() === PLATFORM) return used;
			const sent = new Date(used.createdAt).getTime();
			beginEarlier(rights, sent);
			if (!identifier.startsWith(RESET_LINK)) return used;
			// as any other link that is not valid
			const user = await findUser({ context }, used.value);
			return user && timeOf(epochOf(user)) > sent ? null : used;
		},
	}));
