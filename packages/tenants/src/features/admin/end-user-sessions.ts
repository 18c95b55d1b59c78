import { createAuthEndpoint } from "@better-auth/core/api";
import { getCurrentAdapter } from "@better-auth/core/context";
import * as z from "zod";
import { successOpenAPI } from "../../lib/success-response.ts";
import { holdActors } from "../rights/hold-actors.ts";
import { replaceEpoch } from "../rights/sessions.ts";
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
			const { context } = ctx;
			const { internalAdapter } = context;
			await actOnUser(
				ctx,
				{ userId, onSelf: true },
				// in the transaction that checks the caller: an admin whose rights ended meanwhile ends nothing
				async (_, tenantId) => {
					if (sessionId === undefined) return void (await replaceEpoch(context, userId));
					await holdActors(await getCurrentAdapter(context.adapter), tenantId);
					const session = (await internalAdapter.listSessions(userId)).find(({ id }) => id === sessionId);
					if (session) await internalAdapter.deleteSession(session.token);
				},
				async () => {
					// their epoch has ended
					if (sessionId === undefined) await internalAdapter.deleteUserSessions(userId);
				},
			);
			return ctx.json({ success: true });
		},
	);
