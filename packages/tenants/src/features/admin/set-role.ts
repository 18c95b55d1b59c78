import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { TENANT_ROLES } from "../users/roles.ts";
import { showUser, userResponse } from "../users/user.ts";
import { actOnUser } from "./act-on-user.ts";
import { changeUser } from "./change-user.ts";
import { guardUsers, userInput } from "./guard.ts";

const body = z.strictObject({
	...userInput,
	role: z.enum(TENANT_ROLES).meta({ description: "owner, admin or member" }),
});

/** Changes the role of a user. Only owners make owners, and nobody changes their own role. */
export const setTenantUserRole = () =>
	createAuthEndpoint(
		"/tenant/user/set-role",
		{
			method: "POST",
			body,
			use: [guardUsers("user:set-role")],
			metadata: {
				openapi: {
					operationId: "setTenantUserRole",
					description: "Change the role of a user of a tenant",
					responses: userResponse("The user"),
				},
			},
		},
		async (ctx) => {
			const { userId, role } = ctx.body;
			return ctx.json(
				showUser(await actOnUser(ctx, { userId, grants: role }, (user) => changeUser(ctx, user, { role }))),
			);
		},
	);
