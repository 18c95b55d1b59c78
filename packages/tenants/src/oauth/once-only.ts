import type { OAuthProvider } from "@better-auth/core/oauth2";

/**
 * A provider that is asked once in a request. A code can be redeemed once (RFC 6749, section 4.1.2), so what the provider
 * said is kept for a second look at who the person is.
 */
export const onceOnly = <Provider extends OAuthProvider>(provider: Provider): Provider => {
	let tokens: ReturnType<OAuthProvider["validateAuthorizationCode"]> | undefined;
	let person: ReturnType<OAuthProvider["getUserInfo"]> | undefined;
	return {
		...provider,
		validateAuthorizationCode: (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			tokens ??= provider.validateAuthorizationCode(data);
			return tokens;
		},
		getUserInfo: (token: Parameters<OAuthProvider["getUserInfo"]>[0]) => {
			person ??= provider.getUserInfo(token);
			return person;
		},
	};
};
