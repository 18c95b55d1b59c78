import { defineService } from "../../engine/service.ts";
import type { PluginMethods } from "./plugin-methods.ts";

/**
 * The sign-in methods of a tenant, for sign-in pages. Contains nothing else about the tenant.
 *
 * @example
 * ```ts
 * const methods: SignInMethods = await auth.api.getTenantSignInMethods({ query: { tenantId } });
 * ```
 */
export type SignInMethods = {
	/** Whether users can sign in, and sign up, with email and password. */
	email: { enabled: boolean; signUp: boolean };
	/** The social providers, in the order in which to show them. */
	providers: { id: string; name: string }[];
	/** The tenant's SSO providers, sorted by id. Pass an id as `providerId` to `/sign-in/sso`. */
	sso: { id: string }[];
	/** Whether Google One Tap works in this tenant. */
	oneTap: { enabled: boolean };
} & PluginMethods;

/** Removes the methods that a tenant's policy does not allow. Null stands for a tenant that does not exist. */
export const methodsFilterOf =
	defineService<(tenantId: string | null, methods: SignInMethods) => Promise<SignInMethods>>("restrictMethods");
