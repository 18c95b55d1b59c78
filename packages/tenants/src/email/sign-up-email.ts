import { createAuthEndpoint } from "@better-auth/core/api";
import { signUpEmail } from "better-auth/api";
import * as z from "zod";
import { delegate } from "../delegate.ts";
import { requireTenant } from "../scope/require-tenant.ts";
import { authAnswerOpenAPI } from "./answer.ts";
import { newSessionOf } from "./new-session.ts";

// loose: the application's own user fields travel along and are checked by the engine
const body = z.looseObject({
	tenantId: z
		.string()
		.optional()
		.meta({ description: "The tenant; may come from resolveTenantId, query or header instead" }),
	name: z.string().meta({ description: "User display name" }),
	email: z.string().meta({ description: "Email address" }),
	password: z.string().meta({ description: "The password" }),
	image: z.string().optional().meta({ description: "Profile image URL" }),
	callbackURL: z.string().optional().meta({ description: "Email verification callback" }),
	rememberMe: z.boolean().optional().meta({ description: "Keep the session when the browser closes. Default: true" }),
});

/** Made once: it builds its schemas anew at each call. It looks for forms sent from other sites itself. */
const enginesOwn = signUpEmail();

/** Signs a person up under a tenant: the engine's own sign-up, in that tenant's scope. */
export const signUpTenantEmail = (currentTenant: () => string) =>
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
					description: "Sign up with e-mail under a tenant",
					responses: authAnswerOpenAPI,
				},
			},
		},
		async (ctx) => {
			requireTenant(currentTenant());
			const { tenantId: _pinned, ...input } = ctx.body;
			const answer = (await delegate(ctx, enginesOwn, input)) as {
				token: string | null;
				user: Record<string, unknown>;
			};
			return ctx.json({ ...answer, session: await newSessionOf(ctx, answer.token) });
		},
	);
