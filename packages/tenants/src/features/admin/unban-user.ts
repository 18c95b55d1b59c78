import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { showUser, userResponse } from "../users/user.ts";
import { actOnUser } from "./act-on-user.ts";
import { changeUser } from "./change-user.ts";
import { guardUsers, userInput } from "./guard.ts";

/** Ends the ban of a user. */
export const unbanTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/unban",
		{
			method: "POST",
			body: z.strictObject(userInput),
			use: [guardUsers("user:unban")],
			metadata: {
				openapi: {
					operationId: "unbanTenantUser",
					description: "End the ban of a user of a tenant",
					responses: userResponse("The user"),
				},
			},
		},
		async (ctx) => {
			const { userId } = ctx.body;
			const change = { banned: false, banReason: null, banExpires: null };
			return ctx.json(showUser(await actOnUser(ctx, { userId }, (user) => changeUser(ctx, user, change))));
		},
	);
