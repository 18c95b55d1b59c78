import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { isAPIError } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
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

/** Whether the user has just turned their second factor off. */
export const removedSecondFactor = ({ path, context }: HookEndpointContext): boolean =>
	endpointOf(path).removesSecondFactor && !isAPIError(context.returned);

/** The two-factor plugin ends the trust of the device of the request only. Reads the tenant's open verifications. */
export const distrustDevices = async (ctx: HookContext): Promise<void> => {
	const { newSession } = ctx.context;
	const userId = (newSession ?? pendingOf(ctx.context)?.created)?.user.id;
	if (userId) await endTrustedDevices(ctx, pinOf(ctx).current(), userId);
};
