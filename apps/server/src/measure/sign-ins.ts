import { knownProvider } from "../observe/providers.ts";

/** Sign-in methods by endpoint. Provider endpoints are counted by the provider's name. */
const METHODS: Record<string, string> = {
	"/sign-in/email": "email",
	"/tenant/sign-in/email": "email",
	"/sign-in/username": "username",
	"/sign-in/email-otp": "email-otp",
	"/sign-in/magic-link": "magic-link",
	"/magic-link/verify": "magic-link",
	"/passkey/verify-authentication": "passkey",
	"/sign-in/phone-number": "phone-number",
	"/phone-number/verify": "phone-number",
	"/sign-in/sso": "sso",
	"/sso/callback/:providerId": "sso",
	"/sso/saml2/sp/acs/:providerId": "sso",
	"/tenants/:tenantId/sso/callback/:providerId": "sso",
	"/tenants/:tenantId/sso/saml2/sp/acs/:providerId": "sso",
	"/two-factor/verify-totp": "two-factor",
	"/two-factor/verify-otp": "two-factor",
	"/two-factor/verify-backup-code": "two-factor",
};

const PROVIDER_ENDPOINTS = new Set([
	"/sign-in/social",
	"/tenant/sign-in/social",
	"/callback/:id",
	"/tenant/callback/:id",
	"/tenant/callback/:id/:tenant",
	"/tenant/shared-callback/:id",
]);

/** All sign-in endpoints. */
export const SIGN_IN_ENDPOINTS = [...Object.keys(METHODS), ...PROVIDER_ENDPOINTS];
export const SIGN_IN_METHODS = new Set(Object.values(METHODS));

export type SignInOutcome =
	/** a session was created */
	| "success"
	/** another step follows: a second factor, or the provider's page */
	| "pending"
	/** wrong password, expired link, or denied by the provider */
	| "refused"
	/** a server error */
	| "failed";

type Answered = { pattern: string; provider: string | null; response: Pick<Response, "status" | "headers"> };

/** Classifies a response as a sign-in; null if the endpoint does not sign in. */
export const signInOf = (answered: Answered): { method: string; outcome: SignInOutcome } | null => {
	const { pattern, provider, response } = answered;
	const isProviders = PROVIDER_ENDPOINTS.has(pattern);
	const method = isProviders ? (knownProvider(provider) ?? "other") : METHODS[pattern];
	if (method === undefined) return null;
	// the tenant's host continues after the shared callback
	return { method, outcome: outcomeOf(response, isProviders && /\/callback/.test(pattern)) };
};

/**
 * Why a sign-in did not succeed: the code of the response, or of the URL that it redirects to. Contains nothing that the caller
 * sent.
 */
export const reasonOf = async (response: Response): Promise<string | null> => {
	const location = response.headers.get("location");
	const said: unknown =
		location === null
			? await response
					.clone()
					.json()
					.then((body: { code?: unknown } | null) => body?.code)
					.catch(() => null)
			: URL.parse(location, "http://localhost")?.searchParams.get("error");
	return typeof said === "string" && /^\w{1,100}$/.test(said) ? said : null;
};

const outcomeOf = ({ status, headers }: Answered["response"], isCallback: boolean): SignInOutcome => {
	if (status >= 500) return "failed";
	if (handsOutSession(headers)) return "success";
	if (status >= 400) return "refused";
	// callbacks and mailed links report an error through the redirect URL
	const isRedirect = status >= 300;
	return isRedirect && (isCallback || /[?&]error=/.test(headers.get("location") ?? "")) ? "refused" : "pending";
};

/**
 * Whether the response sets the session cookie. The last cookie counts, because a second factor removes the one set
 * before.
 */
const handsOutSession = (headers: Headers): boolean => {
	const cookie = headers.getSetCookie().findLast((one) => /^[^=;]*session_token=/.test(one)) ?? "";
	return /^[^=]+=[^;]/.test(cookie) && !/;\s*max-age=0\b/i.test(cookie);
};
