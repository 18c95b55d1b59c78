import type { AuthContext, BetterAuthOptions } from "@better-auth/core";

export type PublicBaseURL = ReturnType<typeof createPublicBaseURL>;

/**
 * Returns the base URL to show in a response: the configured one, or the request's if its host is allowed. Null without a
 * configured `baseURL`, because the engine then believes any `Host` header. Create it before the first request: the engine
 * sets the option from a request's host.
 */
export const createPublicBaseURL = (options: Pick<BetterAuthOptions, "baseURL">) => {
	const isConfigured = Boolean(options.baseURL);
	return ({ baseURL }: Pick<AuthContext, "baseURL">): string | null => (isConfigured && baseURL ? baseURL : null);
};
