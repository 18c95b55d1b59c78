import type { OAuthProvider } from "@better-auth/core/oauth2";

/**
 * Wraps a provider so that it is called once per request. A code can be redeemed only once (RFC 6749, section 4.1.2), so
 * the result is kept for a retry of the sign-in.
 */
export const onceOnly = <Provider extends OAuthProvider>(provider: Provider): Provider => {
	let tokens: ReturnType<OAuthProvider["validateAuthorizationCode"]> | undefined;
	let userInfo: ReturnType<OAuthProvider["getUserInfo"]> | undefined;
	return {
		...provider,
		validateAuthorizationCode: (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			tokens ??= provider.validateAuthorizationCode(data);
			return tokens;
		},
		getUserInfo: (token: Parameters<OAuthProvider["getUserInfo"]>[0]) => {
			userInfo ??= provider.getUserInfo(token);
			return userInfo;
		},
	};
};
