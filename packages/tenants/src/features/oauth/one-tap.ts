import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import type { GoogleOptions } from "@better-auth/core/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { findProvider, GLOBAL_CREDENTIALS } from "./build-provider.ts";

/**
 * Makes One Tap use the tenant's own Google config: client, Workspace domain and sign-up policy. The One Tap plugin
 * reads the application's options instead of the request's providers. They are correct for a tenant without its own
 * config.
 */
export const useTenantGoogle = ({ context }: GenericEndpointContext): void => {
	const google = findProvider(context.socialProviders, "google");
	if (!google || !("credentialSource" in google) || google.credentialSource === GLOBAL_CREDENTIALS) return;
	const { clientId, hd, disableSignUp } = (google.options ?? {}) as Partial<GoogleOptions>;
	if (!clientId) throw APIError.from("INTERNAL_SERVER_ERROR", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_UNREADABLE);
	if (context.getPlugin("one-tap")?.options?.clientId) {
		context.logger.error(
			"tenantAuth: oneTap({ clientId }) accepts tokens for that client only, so One Tap does not work in tenants with their own Google client. Remove `clientId` from oneTap() and set socialProviders.google.",
		);
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.PROVIDER_NOT_FOUND);
	}
	const { options } = context;
	context.options = {
		...options,
		socialProviders: { ...options.socialProviders, google: { clientId, hd, disableSignUp } },
	};
};
