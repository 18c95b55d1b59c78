import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { replaceEpoch } from "../rights/sessions.ts";
import { successOpenAPI } from "../success-response.ts";
import { actOnUser } from "./act-on-user.ts";
import { guardUsers, userInput } from "./guard.ts";

const body = z.strictObject({
	...userInput,
	sessionId: z.string().min(1).max(255).meta({ description: "One session. Without it, all of them end" }).optional(),
});

/** Ends all sessions of a user, or one of them. A session that does not exist counts as ended. */
export const endTenantUserSessions = () =>
	createAuthEndpoint(
		"/tenant/user/end-sessions",
		{
			method: "POST",
			body,
			use: [guardUsers("user:end-sessions")],
			metadata: {
				openapi: {
					operationId: "endTenantUserSessions",
					description: "End the sessions of a user of a tenant",
					responses: successOpenAPI("Ended"),
				},
			},
		},
		async (ctx) => {
			const { userId, sessionId } = ctx.body;
			const { internalAdapter } = ctx.context;
			await actOnUser(
				ctx,
				{ userId, onSelf: true },
				// with the checks of the caller: an admin who is demoted meanwhile must not end the sessions of others
				async () => (sessionId === undefined ? replaceEpoch(ctx.context, userId) : undefined),
				async () => {
					if (sessionId === undefined) return internalAdapter.deleteUserSessions(userId);
					const session = (await internalAdapter.listSessions(userId)).find(({ id }) => id === sessionId);
					if (session) await internalAdapter.deleteSession(session.token);
				},
			);
			return ctx.json({ success: true });
		},
	);
