import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { showUser, userResponse } from "../users/user.ts";
import { actOnUser } from "./act-on-user.ts";
import { changeUser } from "./change-user.ts";
import { guardUsers, userInput } from "./guard.ts";

const YEARS = 10 * 365 * 86_400;

const body = z.strictObject({
	...userInput,
	reason: z
		.string()
		.trim()
		.min(1)
		.max(500)
		.regex(/^[^\p{Cc}]*$/u)
		.meta({ description: "Why, on one line. The user can read it" })
		.optional(),
	expiresIn: z.number().int().min(1).max(YEARS).meta({ description: "Seconds until the ban ends" }).optional(),
});

/** Bans a user and ends the user's sessions. Better Auth's `admin` plugin refuses further sign-ins. */
export const banTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/ban",
		{
			method: "POST",
			body,
			use: [guardUsers("user:ban")],
			metadata: {
				openapi: {
					operationId: "banTenantUser",
					description: "Ban a user of a tenant and end the user's sessions",
					responses: userResponse("The user"),
				},
			},
		},
		async (ctx) => {
			const { userId, reason, expiresIn } = ctx.body;
			const ban = {
				banned: true,
				banReason: reason ?? null,
				banExpires: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
			};
			const banned = await actOnUser(
				ctx,
				{ userId },
				(user) => changeUser(ctx, user, ban),
				// after the commit: a sign-in that stores its session later is refused it, see refuse-ended.ts
				() => ctx.context.internalAdapter.deleteUserSessions(userId),
			);
			return ctx.json(showUser(banned));
		},
	);
