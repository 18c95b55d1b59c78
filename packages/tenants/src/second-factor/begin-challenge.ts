import type { HookContext } from "../engine/hook.ts";
import { type Challenge, challengeInstead } from "../engine/two-factor-plugin.ts";
import type { PendingSession } from "../scope/dispatch.ts";
import { openFlow } from "../scope/flow-cookie.ts";
import { PLATFORM } from "../scope/platform.ts";
import { tenantSecretsOf } from "../scope/secrets.ts";
import { pinOf } from "../scope/tenant-context.ts";
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
