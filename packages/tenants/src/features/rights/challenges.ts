import type { AuthContext } from "@better-auth/core";
import { isChallengeId } from "../../engine/two-factor-plugin.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { findUser } from "../users/user.ts";
import { EPOCH, epochOf } from "./epoch.ts";
import { keyOf, rightsNow, see } from "./request-rights.ts";

type Verification = { value: string };

/**
 * Ties a challenge for a second factor to the epoch of its user. It says that a password was accepted, so it ends with a new
 * password, a ban, and the end of all sessions. The value of its verification is the user's id, and holds the epoch behind it
 * while it is stored. Whoever answers the challenge sees the user in that epoch. Costs no query.
 */
export const bindChallenges = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		createVerificationValue: async (data, ...rest) => {
			const isBound = isChallengeId(data.identifier) && pinOf({ context }).current() !== PLATFORM;
			const value = isBound ? await withEpoch(context, data.value) : data.value;
			return engine.createVerificationValue({ ...data, value }, ...rest);
		},
		findVerificationValue: async (identifier, ...rest) =>
			opened(context, identifier, await engine.findVerificationValue(identifier, ...rest)),
		consumeVerificationValue: async (identifier, ...rest) =>
			opened(context, identifier, await engine.consumeVerificationValue(identifier, ...rest)),
	}));

/** The epoch in which the request first saw the user: before it compared the password. */
const withEpoch = async (context: AuthContext, userId: string): Promise<string> => {
	const sight = rightsNow()?.seen.get(keyOf(pinOf({ context }).current(), userId));
	const epoch = sight ? sight.epoch : epochOf((await findUser({ context }, userId)) ?? {});
	return `${userId} ${epoch ?? ""}`;
};

const opened = async <Found extends Verification | null>(
	context: AuthContext,
	identifier: string,
	found: Found,
): Promise<Found> => {
	const pin = pinOf({ context });
	if (!found || !isChallengeId(identifier) || pin.current() === PLATFORM) return found;
	const end = found.value.lastIndexOf(" ");
	const [id, epoch] = end < 0 ? [found.value, null] : [found.value.slice(0, end), found.value.slice(end + 1) || null];
	const rights = rightsNow();
	if (rights) see(rights, pin.current(), { id, [EPOCH]: epoch }, { isVouched: true });
	return { ...found, value: id };
};
