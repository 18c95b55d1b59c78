import type { GenericEndpointContext } from "@better-auth/core";
import { isAPIError } from "better-auth/api";
import type { HookContext } from "../../engine/hook.ts";
import { isTrustOf } from "../../engine/two-factor-plugin.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { pendingOf } from "../../scope/sessions/pending-sessions.ts";
import { verificationEndOf } from "../move/end-verifications.ts";

/** Ends the trust of all devices of a user. Otherwise they would skip the next second factor too. */
export const endTrustedDevices = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string,
	userId: string,
): Promise<void> => {
	const claims = { identifiers: [], values: [userId], isClaimed: isTrustOf(userId) };
	await verificationEndOf(ctx).all(tenantId, claims);
};

/**
 * Ends the trust of the other devices of a user who has turned their second factor off. The two-factor plugin ends that of the
 * device of the request only. Reads the tenant's open verifications.
 */
export const distrustDevices = async (ctx: HookContext): Promise<void> => {
	if (isAPIError(ctx.context.returned)) return;
	const { newSession } = ctx.context;
	const userId = (newSession ?? pendingOf(ctx.context)?.created)?.user.id;
	if (userId) await endTrustedDevices(ctx, pinOf(ctx).current(), userId);
};
