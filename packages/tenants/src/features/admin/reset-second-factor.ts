import { createAuthEndpoint } from "@better-auth/core/api";
import { getCurrentAdapter } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { newEpoch } from "../rights/epoch.ts";
import { endTrustedDevices } from "../second-factor/end-trusted-devices.ts";
import { showUser, userResponse } from "../users/user.ts";
import { actOnUser } from "./act-on-user.ts";
import { changeUser } from "./change-user.ts";
import { guardUsers, userInput } from "./guard.ts";

/**
 * Removes the second factor of a user who lost it, with its backup codes and trusted devices, and ends the
 * user's sessions.
 */
export const resetTenantUserSecondFactor = () =>
	createAuthEndpoint(
		"/tenant/user/reset-second-factor",
		{
			method: "POST",
			body: z.strictObject(userInput),
			use: [guardUsers("user:reset-second-factor")],
			metadata: {
				openapi: {
					operationId: "resetTenantUserSecondFactor",
					description: "Remove the second factor of a user of a tenant",
					responses: userResponse("The user"),
				},
			},
		},
		async (ctx) => {
			const { userId } = ctx.body;
			const { context } = ctx;
			if (!("twoFactor" in context.tables))
				throw APIError.from("NOT_FOUND", TENANT_ADMIN_ERROR_CODES.SECOND_FACTOR_NOT_CONFIGURED);
			const reset = await actOnUser(
				ctx,
				{ userId },
				async (user) => {
					// first: a session from before could begin a new factor after the deletion, and whoever has it knows the secret
					const changed = await changeUser(ctx, user, { twoFactorEnabled: false, rightsEpoch: newEpoch() });
					const adapter = await getCurrentAdapter(context.adapter);
					await adapter.deleteMany({ model: "twoFactor", where: [{ field: "userId", value: user.id }] });
					return changed;
				},
				async (_, tenantId) => {
					await context.internalAdapter.deleteUserSessions(userId);
					await endTrustedDevices(ctx, tenantId, userId);
				},
			);
			return ctx.json(showUser(reset));
		},
	);
