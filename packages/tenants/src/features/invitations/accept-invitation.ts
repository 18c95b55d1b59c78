import { createAuthEndpoint } from "@better-auth/core/api";
import { parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { acceptAsExistingUser } from "./accept-as-existing-user.ts";
import { acceptAsNewUser } from "./accept-as-new-user.ts";
import { findByToken } from "./find-by-token.ts";

// loose, because Better Auth checks the application's own user fields
const body = z.looseObject({
	token: z.string().min(1).meta({ description: "The token of the mail" }),
	tenantId: z.string().meta({ description: "Not needed, because the token names its tenant" }).optional(),
	name: z.string().min(1).meta({ description: "The name of a new user" }).optional(),
	password: z
		.string()
		.min(1)
		.meta({ description: "The password of a new user, or of a user whose role rises" })
		.optional(),
	rememberMe: z.boolean().meta({ description: "Keep the session when the browser closes. Default: true" }).optional(),
});

const openapi = {
	operationId: "acceptTenantInvitation",
	description: "Accept an invitation, as a new user with name and password, or as the signed-in user",
	responses: {
		"200": {
			description: "The user, and the token of the session that a new user gets",
			content: {
				"application/json": {
					schema: {
						type: "object" as const,
						properties: {
							token: {
								type: "string" as const,
								nullable: true,
								description: "The session token of a new user. Null if no session was created",
							},
							user: { $ref: "#/components/schemas/User", description: "The user" },
						},
						required: ["token", "user"],
					},
				},
			},
		},
	},
};

/**
 * Accepts an invitation, once. With `name` and `password` it creates the user. Otherwise the signed-in user accepts, for
 * example after a sign-up with a social provider or SSO. If their role rises, they send the password that they have.
 */
export const acceptInvitation = () =>
	createAuthEndpoint("/tenant/invitation/accept", { method: "POST", body, metadata: { openapi } }, async (ctx) => {
		const { token, tenantId: _pinned, name, password, rememberMe = true, ...fields } = ctx.body;
		const invitation = await findByToken(ctx, token);
		const { user, session } =
			name !== undefined && password !== undefined
				? await acceptAsNewUser(ctx, invitation, { name, password, rememberMe, fields })
				: { user: await acceptAsExistingUser(ctx, invitation, password), session: null };
		return ctx.json({ token: session?.token ?? null, user: parseUserOutput(ctx.context.options, user) });
	});
