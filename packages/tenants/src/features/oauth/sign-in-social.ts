import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { formCsrfMiddleware, signInSocial } from "better-auth/api";
import * as z from "zod";
import { isTrustedOrJson, leanEndpoint } from "../../engine/lean-endpoint.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { delegate } from "../../scope/request/delegate.ts";
import { requireTenant } from "../../scope/request/require-tenant.ts";
import { providerIdInput } from "./provider-id-input.ts";

const body = z.object({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	provider: providerIdInput("Provider id"),
	callbackURL: z.string().meta({ description: "Where to redirect after success" }).optional(),
	errorCallbackURL: z.string().meta({ description: "Where to redirect on error" }).optional(),
	newUserCallbackURL: z.string().meta({ description: "Where to redirect a new user" }).optional(),
	disableRedirect: z.boolean().meta({ description: "Return the URL without redirecting the client" }).optional(),
	loginHint: z.string().meta({ description: "Email or user name that the provider should suggest" }).optional(),
	requestSignUp: z
		.boolean()
		.meta({ description: "Create an account even if the provider has disableImplicitSignUp" })
		.optional(),
});

/** Created once, because each call of `signInSocial` builds its schemas again. */
const engineSignIn = leanEndpoint(signInSocial());

/** Starts a social sign-in in a tenant, with the tenant's own credentials or else the global provider's. */
export const signInTenantSocial = (currentTenant: () => string) =>
	leanEndpoint(createEndpoint(currentTenant), isTrustedOrJson);

const createEndpoint = (currentTenant: () => string) =>
	createAuthEndpoint(
		"/tenant/sign-in/social",
		{
			method: "POST",
			body,
			// the engine's own endpoint accepts no forms, so it has no CSRF check for them
			use: [formCsrfMiddleware],
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: {
					operationId: "signInTenantSocial",
					description: "Start OAuth sign-in for a tenant",
					responses: {
						"200": {
							description: "The provider's URL, also in the Location header",
							content: {
								"application/json": {
									schema: {
										type: "object",
										properties: {
											url: { type: "string", description: "The provider's URL" },
											redirect: { type: "boolean", description: "Whether the client redirects to `url`" },
										},
										required: ["url", "redirect"],
									},
								},
							},
						},
						"302": { description: "For an HTML form: a redirect to the provider" },
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
			const started = (await delegate(ctx, engineSignIn, input)) as { url: string; redirect: boolean };
			// a browser that posts a plain form follows a redirect, not a JSON response
			if (ctx.request?.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded"))
				throw ctx.redirect(started.url);
			return ctx.json({ url: started.url, redirect: started.redirect });
		},
	);
