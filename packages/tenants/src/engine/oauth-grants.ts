import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { findApprovingSession } from "./device-approvals.ts";

/** What a user granted to an OAuth client. The session is read when it is asked for, and null if it is gone. */
export type Grant = { isCode: boolean; user: User & Record<string, unknown>; session: () => Promise<Session | null> };

type Adapter = AuthContext["adapter"];

type RefreshToken = {
	userId?: string | null;
	sessionId?: string | null;
	rotatedAt?: Date | null;
	rotationReplayExpiresAt?: Date | null;
};

/**
 * Refuses grants where the OAuth provider redeems them. For a code, it reads the user, then the session. For a refresh token, the
 * token, then the user, and never the session. For the code of a device, the user, then it uses the code up, and never the session:
 * the one that approved the code is looked up. The code is used up before, and a stolen refresh token has ended its family.
 */
export const guardGrants = (context: AuthContext, refuses: (grant: Grant) => Promise<boolean>): void => {
	const { adapter, internalAdapter } = context;
	let user: Grant["user"] | null = null;
	let refreshed: RefreshToken | null = null;

	const admit = async (isCode: boolean, session: Grant["session"]): Promise<void> => {
		if (!user || (await refuses({ isCode, user, session }))) throw invalidGrant();
	};
	const sessionOfToken = async (): Promise<Session | null> => {
		const value = refreshed?.sessionId;
		return value ? adapter.findOne<Session>({ model: "session", where: [{ field: "id", value }] }) : null;
	};
	/** A token that was just used gets the same response again, and the provider does not read its user. */
	const admitAgain = async ({ userId }: RefreshToken): Promise<void> => {
		const found = userId ? await internalAdapter.findUserById(userId) : null;
		user = found && { ...found };
		await admit(false, sessionOfToken);
	};
	const findOne: Adapter["findOne"] = async <Found>(query: Parameters<Adapter["findOne"]>[0]) => {
		const found = await adapter.findOne<Found>(query);
		if (query.model === "oauthRefreshToken") {
			refreshed = found as (Found & RefreshToken) | null;
			if (refreshed && isReplayed(refreshed)) await admitAgain(refreshed);
		}
		if (query.model !== "session") return found;
		// the engine reports a session that has ended as a malformed request, and clients then do not ask for a sign-in
		if (!found) throw invalidGrant();
		await admit(true, async () => found as Found & Session);
		return found;
	};
	const consumeOne: Adapter["consumeOne"] = async <Found>(query: Parameters<Adapter["consumeOne"]>[0]) => {
		const used = await adapter.consumeOne<Found>(query);
		if (query.model !== "deviceCode" || !used) return used;
		const session = await findApprovingSession(context, used as Found & { id: string });
		if (!session) throw invalidGrant();
		await admit(true, async () => session);
		return used;
	};
	// the engine copies its context for each dispatch, so this changes no other request
	Object.assign(context, {
		adapter: { ...adapter, findOne, consumeOne },
		internalAdapter: {
			...internalAdapter,
			findUserById: async (id) => {
				const found = await internalAdapter.findUserById(id);
				user = found && { ...found };
				if (found && refreshed) await admit(false, sessionOfToken);
				return found;
			},
		} satisfies AuthContext["internalAdapter"],
	});
};

/** Whether the provider may send the response of a used token again (`refreshTokenReuseInterval`). */
const isReplayed = ({ rotatedAt, rotationReplayExpiresAt }: RefreshToken): boolean =>
	Boolean(rotatedAt && rotationReplayExpiresAt && new Date(rotationReplayExpiresAt) >= new Date());

/** RFC 6749, section 5.2. */
const invalidGrant = (): APIError =>
	new APIError("BAD_REQUEST", { error: "invalid_grant", error_description: "the user must sign in again" });
