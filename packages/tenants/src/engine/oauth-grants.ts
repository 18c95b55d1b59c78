import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";

/** What a user granted to an OAuth client. The session is read when it is asked for, and null if it is gone. */
export type Grant = { isCode: boolean; user: User & Record<string, unknown>; session: () => Promise<Session | null> };

type Adapter = AuthContext["adapter"];

/**
 * Refuses grants where the OAuth provider redeems them. For a code, it reads the user, then the session. For a refresh token, the
 * token, then the user, and never the session. The code is used up before, and a stolen refresh token has ended its family.
 */
export const guardGrants = (context: AuthContext, refuses: (grant: Grant) => Promise<boolean>): void => {
	const { adapter, internalAdapter } = context;
	let user: Grant["user"] | null = null;
	let refreshed: { sessionId?: string | null } | null = null;

	const admit = async (isCode: boolean, session: Grant["session"]): Promise<void> => {
		if (!user || (await refuses({ isCode, user, session }))) throw invalidGrant();
	};
	const sessionOfToken = async (): Promise<Session | null> => {
		const value = refreshed?.sessionId;
		return value ? adapter.findOne<Session>({ model: "session", where: [{ field: "id", value }] }) : null;
	};
	const findOne: Adapter["findOne"] = async <Found>(query: Parameters<Adapter["findOne"]>[0]) => {
		const found = await adapter.findOne<Found>(query);
		if (query.model === "oauthRefreshToken") refreshed = found as (Found & { sessionId?: string | null }) | null;
		if (query.model !== "session") return found;
		// the engine reports a session that has ended as a malformed request, and clients then do not ask for a sign-in
		if (!found) throw invalidGrant();
		await admit(true, async () => found as Found & Session);
		return found;
	};
	// the engine copies its context for each dispatch, so this changes no other request
	Object.assign(context, {
		adapter: { ...adapter, findOne },
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

/** RFC 6749, section 5.2. */
const invalidGrant = (): APIError =>
	new APIError("BAD_REQUEST", { error: "invalid_grant", error_description: "the user must sign in again" });
