import { createAuthEndpoint } from "@better-auth/core/api";
import { signInEmail } from "better-auth/api";
import type { Endpoint } from "better-call";
import * as z from "zod";
import { leanEndpoint } from "../../engine/lean-endpoint.ts";
import { delegate } from "../../scope/request/delegate.ts";
import { requireTenant } from "../../scope/request/require-tenant.ts";
import { type EngineSignIn, signInResponseOpenAPI } from "./auth-response.ts";
import type { InferringEndpoint } from "./inferring-endpoint.ts";
import { newSessionOf } from "./new-session.ts";

const body = z.object({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	email: z.string().meta({ description: "Email address" }),
	password: z.string().meta({ description: "Password" }),
	callbackURL: z.string().meta({ description: "Where to redirect after sign-in" }).optional(),
	rememberMe: z.boolean().meta({ description: "Keep the session when the browser closes. Default: true" }).optional(),
});

/** Created once, because each call of `signInEmail` builds its schemas again. It has its own CSRF check for forms. */
const engineSignIn = leanEndpoint(signInEmail());

const createEndpoint = (currentTenant: () => string) =>
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
					description: "Sign in to a tenant with email and password",
					responses: signInResponseOpenAPI,
				},
			},
		},
		async (ctx) => {
			requireTenant(currentTenant());
			const { tenantId: _pinned, ...input } = ctx.body;
			const signedIn = (await delegate(ctx, engineSignIn, input)) as EngineSignIn;
			// without a token, a plugin requires another step (a second factor); its response is returned unchanged
			if (!("token" in signedIn)) return ctx.json(signedIn);
			return ctx.json({ ...signedIn, session: newSessionOf(ctx, signedIn.token) });
		},
	);

/** Signs a user in to a tenant, with Better Auth's own sign-in. */
export const signInTenantEmail = (
	currentTenant: () => string,
): InferringEndpoint<"sign-in", ReturnType<typeof createEndpoint>> => {
	// the types of an application are not known here
	const endpoint: Endpoint = leanEndpoint(createEndpoint(currentTenant));
	return endpoint as InferringEndpoint<"sign-in", ReturnType<typeof createEndpoint>>;
};
