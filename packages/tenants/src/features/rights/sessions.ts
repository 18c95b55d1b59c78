import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import { isAPIError } from "better-auth/api";
import { REVOKE_OTHERS } from "../../endpoints/session-endpoints.ts";
import { isBanned } from "../../engine/banned-user.ts";
import { createHook } from "../../engine/hook.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { findUser } from "../users/user.ts";
import { EPOCH, ended, epochOf, newEpoch } from "./epoch.ts";
import { hasReplaced, isLate, keyOf, rightsNow } from "./request-rights.ts";

/** Gives a new session the epoch in which its request first saw the user. Costs one query if the request has not seen them. */
export const stampSession = (context: AuthContext) => async (session: Session) => {
	const tenantId = pinOf({ context }).current();
	if (tenantId === PLATFORM) return;
	const rights = rightsNow();
	const key = keyOf(tenantId, session.userId);
	if (!rights?.seen.has(key)) {
		const user = await findUser({ context }, session.userId);
		if (!rights) return { data: { [EPOCH]: user ? epochOf(user) : null } };
	}
	const sight = rights.seen.get(key);
	if (!sight || isLate(rights, sight)) throw ended();
	rights.actors.add(key);
	return { data: { [EPOCH]: sight.epoch } };
};

/**
 * Refuses a new session whose user was banned or removed while they signed in, or whose other sessions were ended. It would not be
 * found anyway. Throws, so that Better Auth does not respond with it or continue with a second factor. Costs one query per sign-in.
 */
export const refuseEndedSessions = (context: AuthContext) => async (session: Session & Record<string, unknown>) => {
	const tenantId = pinOf({ context }).current();
	if (tenantId === PLATFORM) return;
	const user = await findUser({ context }, session.userId);
	if (user && !isBanned(user) && epochOf(user) === epochOf(session)) {
		rightsNow()?.users.set(keyOf(tenantId, user.id), user);
		return;
	}
	await context.internalAdapter.deleteSession(session.token);
	throw ended();
};

/**
 * Starts a new epoch of a user with every end of all sessions, whoever asks for it: an administrator, or the user with a new
 * password. Not twice in one request. Also remembers as whom a request acts.
 */
export const endRightsWithSessions = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		findSession: async (token) => {
			const found = await engine.findSession(token);
			const tenantId = pinOf({ context }).current();
			if (found && tenantId !== PLATFORM) rightsNow()?.actors.add(keyOf(tenantId, found.user.id));
			return found;
		},
		deleteUserSessions: async (userId) => {
			const tenantId = pinOf({ context }).current();
			if (tenantId !== PLATFORM && !hasReplaced(rightsNow(), keyOf(tenantId, userId)))
				await replaceEpoch(context, userId);
			return engine.deleteUserSessions(userId);
		},
	}));

/**
 * Keeps one session when all others end with the epoch. Better Auth ends the others that it has listed, and a list in a secondary
 * storage may lack some.
 */
export const endOtherSessions = {
	matcher: ({ path }: { path?: string }) => path === REVOKE_OTHERS,
	handler: createHook(async ({ context }) => {
		const { session: found, internalAdapter, returned } = context;
		if (!found || isAPIError(returned) || pinOf({ context }).current() === PLATFORM) return;
		const rightsEpoch = await replaceEpoch(context, found.user.id);
		await internalAdapter.updateSession(found.session.token, { rightsEpoch } as Partial<Session>);
	}),
};

/** Starts a new epoch of a user. Every session from before ends, every request that began before, and every code of a device. */
export const replaceEpoch = async (context: AuthContext, userId: string): Promise<string> => {
	const epoch = newEpoch();
	const adapter = await getCurrentAdapter(context.adapter);
	await adapter.updateMany({ model: "user", where: [{ field: "id", value: userId }], update: { [EPOCH]: epoch } });
	return epoch;
};
