import { createAuthEndpoint } from "@better-auth/core/api";
import { signInEmail } from "better-auth/api";
import * as z from "zod";
import { delegate } from "../delegate.ts";
import { requireTenant } from "../scope/require-tenant.ts";
import { authAnswerOpenAPI, type SignInAnswer } from "./answer.ts";
import { newSessionOf } from "./new-session.ts";

const body = z.object({
	tenantId: z
		.string()
		.optional()
		.meta({ description: "The tenant; may come from resolveTenantId, query or header instead" }),
	email: z.string().meta({ description: "Email address" }),
	password: z.string().meta({ description: "The password" }),
	callbackURL: z.string().optional().meta({ description: "Redirect after sign-in" }),
	rememberMe: z.boolean().optional().meta({ description: "Keep the session when the browser closes. Default: true" }),
});

/** Made once: it builds its schemas anew at each call. It looks for forms sent from other sites itself. */
const enginesOwn = signInEmail();

/** Signs a person in under a tenant: the engine's own sign-in, in that tenant's scope. */
export const signInTenantEmail = (currentTenant: () => string) =>
	createAuthEndpoint(
		"/tenant/sign-in/email",
		{
			method: "POST",
			body,
			cloneRequest: true,
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: {
					operationId: "signInTenantEmail",
					description: "Sign in with e-mail under a tenant",
					responses: authAnswerOpenAPI,
				},
			},
		},
		async (ctx) => {
			requireTenant(currentTenant());
			const { tenantId: _pinned, ...input } = ctx.body;
			const answer = (await delegate(ctx, enginesOwn, input)) as SignInAnswer;
			// no token: a plugin of the engine asks for more first (a second factor), and its answer stands as it is
			if (!("token" in answer)) return ctx.json(answer);
			return ctx.json({ ...answer, session: await newSessionOf(ctx, answer.token) });
		},
	);
