import { knownProvider } from "./providers.ts";

/** How people sign in, by endpoint. Endpoints of a provider are counted by the provider's name. */
const METHODS: Record<string, string> = {
	"/sign-in/email": "email",
	"/tenant/sign-in/email": "email",
	"/sign-in/username": "username",
	"/sign-in/email-otp": "email-otp",
	"/sign-in/magic-link": "magic-link",
	"/magic-link/verify": "magic-link",
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
]);

/** All endpoints that are looked at. */
export const SIGN_IN_ENDPOINTS = [...Object.keys(METHODS), ...PROVIDER_ENDPOINTS];
export const SIGN_IN_METHODS = new Set(Object.values(METHODS));

export type SignInOutcome =
	/** somebody has a session */
	| "success"
	/** there is more to do: a second factor, or the provider's page */
	| "pending"
	/** the wrong password, an expired link, a provider that says no */
	| "refused"
	/** our fault */
	| "failed";

type Answered = { pattern: string; provider: string | null; response: Pick<Response, "status" | "headers"> };

/** What an answer says of a sign-in; null where the endpoint signs nobody in. */
export const signInOf = (answered: Answered): { method: string; outcome: SignInOutcome } | null => {
	const { pattern, provider, response } = answered;
	const isProviders = PROVIDER_ENDPOINTS.has(pattern);
	const method = isProviders ? (knownProvider(provider) ?? "other") : METHODS[pattern];
	if (method === undefined) return null;
	return { method, outcome: outcomeOf(response, isProviders && pattern.includes("callback")) };
};

const outcomeOf = ({ status, headers }: Answered["response"], isCallback: boolean): SignInOutcome => {
	if (status >= 500) return "failed";
	if (handsOutSession(headers)) return "success";
	if (status >= 400) return "refused";
	// callbacks and mailed links tell of a refusal by the page that they redirect to
	const isRedirect = status >= 300;
	return isRedirect && (isCallback || /[?&]error=/.test(headers.get("location") ?? "")) ? "refused" : "pending";
};

/** Whether the answer sets the session cookie. A second factor takes back what the first one set: the last word counts. */
const handsOutSession = (headers: Headers): boolean => {
	const cookie = headers.getSetCookie().findLast((one) => /^[^=;]*session_token=/.test(one)) ?? "";
	return /^[^=]+=[^;]/.test(cookie) && !/;\s*max-age=0\b/i.test(cookie);
};
