/**
 * Why the test of an OAuth config failed: `error` in the URL that the browser returns to.
 *
 * @example
 * ```ts
 * const texts: Partial<Record<OauthTestError, string>> = { invalid_client: "The client id or the client secret is wrong" };
 * ```
 */
export type OauthTestError =
	| "access_denied"
	| "invalid_request"
	| "invalid_scope"
	| "server_error"
	| "temporarily_unavailable"
	| "unauthorized_client"
	| "unsupported_response_type"
	| "provider_refused"
	| "issuer_mismatch"
	| "no_code"
	| "state_mismatch"
	| "invalid_client"
	| "code_exchange_failed"
	| "user_info_failed"
	| "email_not_found"
	| "config_changed"
	| "unexpected_error";

/** Errors of an authorization response (RFC 6749, section 4.1.2.1). A test passes no other text of the provider on. */
const PROVIDER_ERRORS: readonly OauthTestError[] = [
	"access_denied",
	"invalid_request",
	"invalid_scope",
	"server_error",
	"temporarily_unavailable",
	"unauthorized_client",
	"unsupported_response_type",
];

/** Errors of the engine's callback before it redeems the code. */
const CALLBACK_ERRORS: readonly OauthTestError[] = ["issuer_mismatch", "no_code", "state_mismatch"];

/** A running test. `outcome` is null until the provider was called, or the config was found to be another one. */
export type ConfigTest = { callbackURL: string; outcome: "ok" | OauthTestError | null };

const RESULT = "oauth-test";

/** The URL that a test returns to. It contains the result, and nothing of the user or of the provider's response. */
export const resultURL = (callbackURL: string, outcome: "ok" | OauthTestError): string => {
	const url = new URL(callbackURL);
	url.searchParams.set(RESULT, outcome === "ok" ? "ok" : "failed");
	url.searchParams.delete("error");
	if (outcome !== "ok") url.searchParams.set("error", outcome);
	return url.toString();
};

/** Where the engine ends a test at a callback that is not the config's. The engine appends the error. */
export const errorURLOf = (callbackURL: string): string => {
	const url = new URL(callbackURL);
	url.searchParams.set(RESULT, "failed");
	url.searchParams.delete("error");
	return url.toString();
};

/** The outcome of a test that ended before the provider was called: by the provider's error, or else by the engine's. */
export const outcomeOf = (
	{ outcome }: ConfigTest,
	{ sent, engine }: { sent: string | undefined; engine: string | null },
): "ok" | OauthTestError => {
	if (outcome) return outcome;
	// the callback host passes the engine's own errors on
	if (sent) return [...PROVIDER_ERRORS, ...CALLBACK_ERRORS].find((known) => known === sent) ?? "provider_refused";
	return CALLBACK_ERRORS.find((known) => known === engine) ?? "unexpected_error";
};
