import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { formCsrfMiddleware, signInSocial } from "better-auth/api";
import * as z from "zod";
import { delegate } from "../delegate.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { requireTenant } from "../scope/require-tenant.ts";

const body = z.object({
	tenantId: z
		.string()
		.optional()
		.meta({ description: "The tenant; may come from resolveTenantId, query or header instead" }),
	provider: z.string().min(1).meta({ description: "Provider id" }),
	callbackURL: z.string().optional().meta({ description: "Where to redirect after success" }),
	errorCallbackURL: z.string().optional().meta({ description: "Where to redirect on error" }),
	newUserCallbackURL: z.string().optional().meta({ description: "Where to redirect a person who is new" }),
	disableRedirect: z.boolean().optional().meta({ description: "Answer the URL without asking the client to go there" }),
	loginHint: z.string().optional().meta({ description: "Whom the provider should suggest to sign in" }),
	requestSignUp: z
		.boolean()
		.optional()
		.meta({ description: "Make an account where the provider does not do so by itself" }),
});

/** Made once: it builds its schemas anew at each call. */
const enginesOwn = signInSocial();

/** Starts a social sign-in under a tenant: with its own credentials, else with the global provider's. */
export const signInTenantSocial = (currentTenant: () => string) =>
	createAuthEndpoint(
		"/tenant/sign-in/social",
		{
			method: "POST",
			body,
			// the engine takes no forms there, and so does not look where they come from
			use: [formCsrfMiddleware],
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: {
					operationId: "signInTenantSocial",
					description: "Start OAuth sign-in for a tenant",
					responses: {
						"200": {
							description: "Where to go; also in the Location header",
							content: {
								"application/json": {
									schema: {
										type: "object",
										properties: { url: { type: "string" }, redirect: { type: "boolean" } },
										required: ["url", "redirect"],
									},
								},
							},
						},
						"302": { description: "The answer to an HTML form: a redirect to the provider" },
					},
				},
			},
		},
		async (ctx) => {
			requireTenant(currentTenant());
			const { tenantId: _pinned, ...input } = ctx.body;
			if (!ctx.context.socialProviders.some(({ id }) => id === input.provider)) {
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.PROVIDER_NOT_FOUND);
			}
			const answer = (await delegate(ctx, enginesOwn, input)) as { url: string; redirect: boolean };
			// a browser that posts a plain form follows a redirect, not a JSON answer
			if (ctx.request?.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded"))
				throw ctx.redirect(answer.url);
			return ctx.json({ url: answer.url, redirect: answer.redirect });
		},
	);
