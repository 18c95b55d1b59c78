import type { OauthTestError } from "better-auth-tenants/client";

/** How the test of a tenant's credentials ended. */
export type TestResult = { isOk: boolean; error: string | null };

const TEXTS: Record<OauthTestError, string> = {
	access_denied: "The sign-in at the provider was canceled or denied.",
	invalid_request: "The provider did not accept the request. Check the callback URL at the provider.",
	invalid_scope: "The provider does not know one of the scopes, or does not allow it.",
	server_error: "The provider failed. Try again later.",
	temporarily_unavailable: "The provider is not available. Try again later.",
	unauthorized_client: "The provider does not allow this client to sign users in. Check its settings there.",
	unsupported_response_type: "The provider does not allow this client the authorization code flow.",
	issuer_mismatch: "A different server than expected responded. Check the provider's settings.",
	no_code: "The provider returned no code. Check the callback URL at the provider.",
	state_mismatch: "The test took too long, or it ended in another browser. Start it again.",
	provider_refused: "The provider refused the sign-in.",
	invalid_client: "The client ID or the client secret is wrong.",
	code_exchange_failed: "The provider did not accept the code. Check the client secret and the callback URL.",
	user_info_failed: "The provider did not return the user's profile. Check the scopes.",
	email_not_found: "The provider returned no email. Check the scopes, and that the account has an email.",
	config_changed: "The credentials were changed during the test. Start it again.",
	unexpected_error: "Something unexpected went wrong. Start the test again.",
};

/** The words for a result. A code that is not known is never shown: it comes from the URL. */
export const describeTest = ({ isOk, error }: TestResult): string => {
	if (isOk) return "The provider accepted the credentials and returned a user. Nobody was signed in.";
	const known: Record<string, string> = TEXTS;
	return (error && Object.hasOwn(known, error) ? known[error] : undefined) ?? TEXTS.unexpected_error;
};

/** Tells the tab that started a test how it ended. Only pages of this origin can listen. */
export const testChannel = (tenantId: string, providerId: string): BroadcastChannel =>
	new BroadcastChannel(`oauth-test:${tenantId}:${providerId}`);
