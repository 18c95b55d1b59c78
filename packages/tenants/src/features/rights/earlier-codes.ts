import type { AuthContext } from "@better-auth/core";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { findUser } from "../users/user.ts";
import { epochOf, timeOf } from "./epoch.ts";
import { beginEarlier, rightsNow } from "./request-rights.ts";

/** A link that sets a password. Its value is the id of the user. */
const RESET_LINK = "reset-password:";

/**
 * A request that uses up a code or a link began when that was sent. Otherwise a second link in a mailbox that somebody else had read
 * would still set a password, or sign them in, after the owner has set a new one. Whoever shows a session, or a challenge that holds
 * the epoch, does not need it. Costs one query per new password.
 */
export const dateCodes = (context: AuthContext): void =>
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
