import { createAuthEndpoint } from "@better-auth/core/api";
import { signUpEmail } from "better-auth/api";
import type { Endpoint } from "better-call";
import * as z from "zod";
import { leanEndpoint } from "../../engine/lean-endpoint.ts";
import { delegate } from "../../scope/request/delegate.ts";
import { requireTenant } from "../../scope/request/require-tenant.ts";
import { authResponseOpenAPI } from "./auth-response.ts";
import type { InferringEndpoint } from "./inferring-endpoint.ts";
import { newSessionOf } from "./new-session.ts";

// loose, because the engine checks the application's own user fields
const body = z.looseObject({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	name: z.string().meta({ description: "Display name" }),
	email: z.string().meta({ description: "Email address" }),
	password: z.string().meta({ description: "Password" }),
	image: z.string().meta({ description: "Profile image URL" }).optional(),
	callbackURL: z.string().meta({ description: "Where to redirect after email verification" }).optional(),
	rememberMe: z.boolean().meta({ description: "Keep the session when the browser closes. Default: true" }).optional(),
});

/** Created once, because each call of `signUpEmail` builds its schemas again. It has its own CSRF check for forms. */
const engineSignUp = leanEndpoint(signUpEmail());

const createEndpoint = (currentTenant: () => string) =>
	createAuthEndpoint(
		"/tenant/sign-up/email",
		{
			method: "POST",
			body,
			cloneRequest: true,
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: {
					operationId: "signUpTenantEmail",
					description: "Sign up in a tenant with email and password",
					responses: authResponseOpenAPI,
				},
			},
		},
		async (ctx) => {
			requireTenant(currentTenant());
			const { tenantId: _pinned, ...input } = ctx.body;
			const signedUp = (await delegate(ctx, engineSignUp, input)) as {
				token: string | null;
				user: Record<string, unknown>;
			};
			return ctx.json({ ...signedUp, session: newSessionOf(ctx, signedUp.token) });
		},
	);

/** Signs a user up in a tenant, with Better Auth's own sign-up. */
export const signUpTenantEmail = (
	currentTenant: () => string,
): InferringEndpoint<"sign-up", ReturnType<typeof createEndpoint>> => {
	// the types of an application are not known here
	const endpoint: Endpoint = leanEndpoint(createEndpoint(currentTenant));
	return endpoint as InferringEndpoint<"sign-up", ReturnType<typeof createEndpoint>>;
};
