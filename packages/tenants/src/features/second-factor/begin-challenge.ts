import type { HookContext } from "../../engine/hook.ts";
import { type Challenge, challengeInstead } from "../../engine/two-factor-plugin.ts";
import type { PendingSession } from "../../scope/pin/dispatch.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { openFlow } from "../../scope/request/flow-cookie.ts";
import { tenantSecretsOf } from "../../scope/secrets/secrets.ts";
import { keepMethod } from "./challenge-method.ts";

/** Replaces a session that lacks its second factor with a challenge, whose cookies also name the tenant. */
export const beginChallenge = async (ctx: HookContext, pending: PendingSession): Promise<Challenge> => {
	const pin = pinOf(ctx);
	const secrets = tenantSecretsOf(ctx);
	const { id, challenge } = await challengeInstead(ctx, pending);
	await keepMethod(ctx, id, pending.session);
	await openFlow(ctx, pin.current(), (await secrets(PLATFORM)).secret);
	return challenge;
};
