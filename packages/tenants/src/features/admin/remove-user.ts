import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { successOpenAPI } from "../../lib/success-response.ts";
import { actOnUser } from "./act-on-user.ts";
import { guardUsers, userInput } from "./guard.ts";

/** Deletes a user with accounts and sessions, as Better Auth does. To delete everything, see `/tenant/user/erase`. */
export const removeTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/remove",
		{
			method: "POST",
			body: z.strictObject(userInput),
			use: [guardUsers("user:remove")],
			metadata: {
				openapi: {
					operationId: "removeTenantUser",
					description: "Delete a user of a tenant",
					responses: successOpenAPI("Deleted"),
				},
			},
		},
		async (ctx) => {
			const { userId } = ctx.body;
			const { internalAdapter } = ctx.context;
			await actOnUser(
				ctx,
				{ userId },
				() => internalAdapter.deleteUser(userId),
				() => internalAdapter.deleteUserSessions(userId),
			);
			return ctx.json({ success: true });
		},
	);
