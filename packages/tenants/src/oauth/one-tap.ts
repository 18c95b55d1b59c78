import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import type { GoogleOptions } from "@better-auth/core/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { findProvider, GLOBAL_CREDENTIALS } from "./build-provider.ts";

/**
 * Makes One Tap go by the tenant's own Google config: its client, its Workspace domain, its policy. The plugin reads the
 * application's options and not the providers of the request. Without a config of the tenant's own, they are right.
 */
export const useTenantGoogle = ({ context }: GenericEndpointContext): void => {
	const google = findProvider(context.socialProviders, "google");
	if (!google || !("credentialSource" in google) || google.credentialSource === GLOBAL_CREDENTIALS) return;
	const { clientId, hd, disableSignUp } = (google.options ?? {}) as Partial<GoogleOptions>;
	if (!clientId) throw APIError.from("INTERNAL_SERVER_ERROR", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_UNREADABLE);
	if (context.getPlugin("one-tap")?.options?.clientId) {
		context.logger.error(
			"tenantAuth: oneTap({ clientId }) takes tokens for that client only, so One Tap is closed in tenants with a Google client of their own. Leave `clientId` out of oneTap() and set socialProviders.google.",
		);
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.PROVIDER_NOT_FOUND);
	}
	const { options } = context;
	context.options = {
		...options,
		socialProviders: { ...options.socialProviders, google: { clientId, hd, disableSignUp } },
	};
};
