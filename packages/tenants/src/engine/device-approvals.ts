import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";

type Adapter = AuthContext["adapter"];

/** The code of a device. One that an OAuth client asked for names the client, and is exchanged for its tokens. */
type DeviceCode = { id: string; oauthClientId?: string | null; expiresAt: Date };

const identifierOf = ({ id }: Pick<DeviceCode, "id">): string => `device-approval-${id}`;

/**
 * Remembers the session in which a user approves the device of an OAuth client: the code itself names only the user. Costs one
 * statement per approval.
 */
export const rememberApprovals = (context: AuthContext): void => {
	const { adapter } = context;
	const update: Adapter["update"] = async <Found>(query: Parameters<Adapter["update"]>[0]) => {
		const updated = await adapter.update<Found>(query);
		if (query.model !== "deviceCode" || query.update.status !== "approved" || !updated) return updated;
		const code = updated as Found & DeviceCode;
		const token = context.session?.session.token;
		if (code.oauthClientId && token)
			await context.internalAdapter.createVerificationValue({
				identifier: identifierOf(code),
				value: token,
				expiresAt: new Date(code.expiresAt),
			});
		return updated;
	};
	// the engine copies its context for each dispatch, so this changes no other request
	context.adapter = { ...adapter, update };
};

/**
 * The session in which the user approved the device. Null if it ended, if it lacks a second factor by now, and for codes that were
 * approved before it was remembered.
 */
export const findApprovingSession = async (
	{ internalAdapter }: AuthContext,
	code: Pick<DeviceCode, "id">,
): Promise<Session | null> => {
	const approval = await internalAdapter.consumeVerificationValue(identifierOf(code));
	// a session that lacks its second factor throws
	const found = approval && (await internalAdapter.findSession(approval.value).catch(() => null));
	return found && found.session.expiresAt > new Date() ? found.session : null;
};
