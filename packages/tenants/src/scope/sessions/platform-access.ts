import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { ScopedMethods } from "../data/adapter.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { TenantContext } from "../pin/tenant-context.ts";

/**
 * Who may use the platform, the scope of requests that name no tenant. The options are about requests. Server code may
 * always create users: calls of `auth.api` with neither request nor headers.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: fromSubdomain({ domain: "app.example.com" }), platform: { signUp: true } });
 * ```
 */
export type PlatformOptions = {
	/**
	 * Whether new users can be created on the platform: by email, social sign-in, magic link and every other way. If not,
	 * requests get 403 `PLATFORM_SIGN_UP_CLOSED`.
	 * @default false with `resolveTenantId`, true without, false without `signIn`
	 */
	signUp?: boolean;
	/**
	 * Whether users can sign in on the platform. If not, requests get 403 `PLATFORM_SIGN_IN_CLOSED`. Sessions that exist stay
	 * valid.
	 * @default true
	 */
	signIn?: boolean;
};

export type PlatformAccess = ReturnType<typeof createPlatformAccess>;

/**
 * Closes the platform for sign-ups or sign-ins over HTTP. Checked where users and sessions are created, so it includes
 * social sign-in, magic links, one-time passwords and every other way, also of plugins that are added later.
 */
export const createPlatformAccess = ({ signUp, signIn }: Required<PlatformOptions>, pin: TenantContext) => {
	const isPlatformRequest = (): boolean => pin.current() === PLATFORM && !pin.isServerCode();
	const assertSignUp = (): void => {
		if (!signUp && isPlatformRequest())
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.PLATFORM_SIGN_UP_CLOSED);
	};
	const assertSignIn = (): void => {
		if (!signIn && isPlatformRequest())
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.PLATFORM_SIGN_IN_CLOSED);
	};
	return {
		/**
		 * Rejects before the endpoint looks a user up. Otherwise the response would reveal whether an email has an account,
		 * or whether a password is right.
		 */
		before: ({ path }: Pick<GenericEndpointContext, "path">): void => {
			const { signsUp, hashesPassword } = endpointOf(path);
			if (signsUp) assertSignUp();
			if (hashesPassword) assertSignIn();
		},
		/** Called before a session is stored. */
		assertSignIn,
		/** Wraps the adapter, which every new user passes. */
		guardUsers:
			(isUsers: (model: string) => boolean) =>
			(methods: ScopedMethods): ScopedMethods => ({
				...methods,
				create: async (query) => {
					if (isUsers(query.model)) assertSignUp();
					return methods.create(query);
				},
			}),
	};
};
