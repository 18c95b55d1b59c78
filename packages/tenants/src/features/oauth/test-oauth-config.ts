import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { addOAuthServerContext, signInSocial } from "better-auth/api";
import * as z from "zod";
import { leanEndpoint } from "../../engine/lean-endpoint.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { copyHeaders } from "../../scope/request/delegate.ts";
import { tenantSecretsOf } from "../../scope/secrets/secrets.ts";
import { hostPlacesOf } from "../../scope/tenants/hosts.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { endOfFlow } from "./bind-flow.ts";
import type { TenantProvider } from "./build-provider.ts";
import { type FlowBinding, testCallback } from "./flow-binding.ts";
import { oauthConfigsOf } from "./managed-configs.ts";
import { providerIdInput } from "./provider-id-input.ts";
import { globalProvidersOf, tenantProvidersOf } from "./tenant-providers.ts";
import { errorURLOf } from "./test-outcome.ts";

const body = z.object({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	providerId: providerIdInput("A built-in social provider"),
	callbackURL: z
		.string()
		.min(1)
		.max(2000)
		.meta({ description: "Where the browser returns with the result. Must be on a trusted origin" }),
});

/** Created once, because each call of `signInSocial` builds its schemas again. */
const engineSignIn = leanEndpoint(signInSocial());

/**
 * Starts a test of a tenant's credentials for a provider, enabled or not. Open `url` in the browser that received the response:
 * it signs in at the provider, and returns to `callbackURL` with `oauth-test=ok`, or with `oauth-test=failed` and `error`. No
 * user, account or session is created.
 */
export const testOauthConfig = (management: Management) =>
	createAuthEndpoint(
		"/tenant/oauth-config/test",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "oauth-config:test", target: "hint" })],
			metadata: {
				openapi: {
					operationId: "testTenantOauthConfig",
					description: "Start a test of a tenant's OAuth config at the provider, without a sign-in",
					responses: {
						"200": {
							description: "The provider's URL. The response also sets a cookie that the test needs when it returns",
							content: {
								"application/json": {
									schema: {
										type: "object",
										properties: { url: { type: "string", description: "The provider's URL" } },
										required: ["url"],
									},
								},
							},
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			const configs = oauthConfigsOf(ctx);
			const providers = tenantProvidersOf(ctx);
			const globalProviders = globalProvidersOf(ctx);
			await configs.assertOpen(tenantId);
			await assertReturnsHere(ctx, tenantId);
			const provider = await providers.loadOwn(tenantId, ctx.body.providerId, globalProviders());
			// same response for another tenant's config, so existence is not revealed
			if (!provider) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_NOT_FOUND);
			const callbackURL = absolute(ctx, ctx.body.callbackURL);
			const { callback, ...end } = endOfFlow(ctx, provider, provider.id);
			const binding: FlowBinding = {
				tenantId,
				providerId: provider.id,
				source: provider.credentialSource,
				callback: testCallback(callback),
				...end,
			};
			await addOAuthServerContext({ tenantAuth: binding });
			const url = await startFlow(ctx, tenantId, provider, {
				provider: ctx.body.providerId,
				callbackURL,
				errorCallbackURL: errorURLOf(callbackURL),
				disableRedirect: true,
			});
			return ctx.json({ url });
		},
	);

/** The provider's redirect leads to the host of this request, and another tenant's host would reject it. */
const assertReturnsHere = async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
	const place = await hostPlacesOf(ctx)?.placeOf(ctx, ctx.context);
	if (place && place.owner !== PLATFORM && place.owner !== tenantId)
		throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_HOST_MISMATCH);
};

/** The engine has checked the origin of `callbackURL` for this request. The browser returns from the provider later. */
const absolute = ({ context }: GenericEndpointContext, callbackURL: string): string => {
	const url = URL.parse(callbackURL, context.baseURL);
	if (!url) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.INVALID_CALLBACK_URL);
	return url.toString();
};

/**
 * Lets the engine start a social sign-in with this provider only, in the tenant. No hook runs: rules for sign-ins, such as
 * the tenant's policy or a captcha, do not apply to a test. The state is bound to this browser like any other.
 */
const startFlow = async (
	ctx: GenericEndpointContext,
	tenantId: string,
	provider: TenantProvider,
	input: NonNullable<Parameters<typeof engineSignIn>[0]>["body"],
): Promise<string> => {
	const { headers, response } = await runInKnownTenant(tenantId, async () =>
		engineSignIn({
			...ctx,
			params: {},
			body: input,
			context: {
				...ctx.context,
				...(await tenantSecretsOf(ctx)(tenantId)),
				socialProviders: [provider],
				oauthConfig: { ...ctx.context.oauthConfig, storeStateStrategy: "database" },
			},
			asResponse: false,
			returnHeaders: true,
			returnStatus: false,
		}),
	);
	copyHeaders(headers, ctx);
	return String(response.url);
};
