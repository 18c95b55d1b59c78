import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { showUser, userResponse } from "../users/user.ts";
import { actOnUser } from "./act-on-user.ts";
import { guardUsers, userInput } from "./guard.ts";
import { findUserDetails } from "./user-details.ts";

/** Returns a user with accounts, sessions and second factors. Contains no tokens, hashes or secrets. */
export const getTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/get",
		{
			method: "GET",
			query: z.object(userInput),
			use: [guardUsers("user:get", "query")],
			metadata: {
				openapi: {
					operationId: "getTenantUser",
					description: "Get a user of a tenant with accounts, sessions and second factors",
					responses: userResponse("The user, with `accounts`, `sessions` and `secondFactors`"),
				},
			},
		},
		async (ctx) =>
			ctx.json(
				await actOnUser(ctx, { userId: ctx.query.userId, reads: true }, async (user) => ({
					...showUser(user),
					...(await findUserDetails(ctx, user)),
				})),
			),
	);
