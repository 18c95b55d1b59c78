import type { AuthContext } from "@better-auth/core";
import { isOlder } from "./check-versions.ts";

type Configured = Pick<AuthContext, "options" | "trustedOrigins">;

type Weakness = {
	/** the option or plugin, as in docs/engine-versions.md */
	feature: string;
	/** The first release known to have the fix. Lower versions count as open. */
	fixedIn: string;
	/** what an attacker can do, as a sentence */
	attack: string;
	/** whether the application uses what is open */
	isUsed: (configured: Configured) => boolean;
};

const has = ({ options }: Configured, ...ids: string[]): boolean =>
	ids.every((id) => options.plugins?.some((plugin) => plugin.id === id));

const cachesSessions = ({ options }: Configured): boolean => options.session?.cookieCache?.enabled === true;

/** Wildcards that match more than they seem to: in an IP address, and in a URL with the application's own scheme. */
const LOOSE_ORIGIN = /^(?:https?:\/\/)?[\d.]*\*[\d.*]*(?::[\d*]+)?$|^(?!https?:)[\w.+-]+:\/\/.*[*?]/;

/** The release that has all of the fixes. */
const ALL_FIXED_IN = "1.7.22";
const FIXED_IN = "1.7.18";

/** Whether a provider of generic OAuth sends headers of the application when it is discovered. */
const sendsDiscoveryHeaders = ({ options }: Configured): boolean => {
	const config: unknown = options.plugins?.find(({ id }) => id === "generic-oauth")?.options?.config;
	return Array.isArray(config) && config.some((provider) => provider?.discoveryHeaders !== undefined);
};

/**
 * Weaknesses of Better Auth inside one tenant, or on the platform, that a later release fixes. None of them lets a user
 * of one tenant reach rows of another. Versions between the tested ones may have some of the fixes.
 */
export const FIXED_WEAKNESSES: readonly Weakness[] = [
	{
		feature: "user.changeEmail",
		fixedIn: FIXED_IN,
		attack:
			"A link that changes an email belongs to the address, not to the user. The previous user of an address can take over the account that gets it next.",
		isUsed: ({ options }) => options.user?.changeEmail?.enabled === true,
	},
	{
		feature: "organization: roles",
		fixedIn: FIXED_IN,
		attack: 'An admin of an organization can invite an owner, with a role such as "admin, owner".',
		isUsed: (configured) => has(configured, "organization"),
	},
	{
		feature: "organization: invitations",
		fixedIn: FIXED_IN,
		attack: "Every member of an organization can list its invitations, whose ids are enough to accept them.",
		isUsed: (configured) => has(configured, "organization"),
	},
	{
		feature: "genericOAuth: ID tokens",
		fixedIn: FIXED_IN,
		attack:
			"An ID token of one user and an access token of another sign in as the other user, if ID tokens have no email.",
		isUsed: (configured) => has(configured, "generic-oauth"),
	},
	{
		feature: "email_verified of providers",
		fixedIn: FIXED_IN,
		attack: 'On the platform, a provider\'s `email_verified: "false"` counts as verified, so the account is linked.',
		isUsed: (configured) =>
			has(configured, "generic-oauth") ||
			["cognito", "microsoft"].some((id) => id in (configured.options.socialProviders ?? {})),
	},
	{
		feature: "phoneNumber: sign-up",
		fixedIn: FIXED_IN,
		attack:
			"A user can sign up with a phone number of another user, who then signs in to that account with the number.",
		isUsed: (configured) => has(configured, "phone-number"),
	},
	{
		feature: "phoneNumber: stored codes",
		fixedIn: FIXED_IN,
		attack: "A code is stored under the number that the caller chose, which can be the name of another verification.",
		isUsed: (configured) => has(configured, "phone-number"),
	},
	{
		feature: "session.cookieCache with deviceAuthorization",
		fixedIn: FIXED_IN,
		attack: "A revoked session can approve a device while its cookie is cached.",
		isUsed: (configured) => cachesSessions(configured) && has(configured, "device-authorization"),
	},
	{
		feature: "session.cookieCache with twoFactor",
		fixedIn: FIXED_IN,
		attack: "A revoked session can change second factors while its cookie is cached.",
		isUsed: (configured) => cachesSessions(configured) && has(configured, "two-factor"),
	},
	{
		feature: "session.cookieCache with phoneNumber",
		fixedIn: FIXED_IN,
		attack: "A revoked session can change the phone number while its cookie is cached.",
		isUsed: (configured) => cachesSessions(configured) && has(configured, "phone-number"),
	},
	{
		feature: "account.accountLinking.allowDifferentEmails",
		fixedIn: FIXED_IN,
		attack: "A flow that links an account completes after the session that started it was revoked.",
		isUsed: ({ options }) => options.account?.accountLinking?.allowDifferentEmails === true,
	},
	{
		feature: "emailOTP",
		fixedIn: FIXED_IN,
		attack: "Parallel requests can try more codes than `allowedAttempts`. Rate limits still bound them.",
		isUsed: (configured) => has(configured, "email-otp"),
	},
	{
		feature: "secondaryStorage",
		fixedIn: FIXED_IN,
		attack: "After parallel sign-ins, a session can survive its revocation, a password reset, a ban or a move.",
		isUsed: ({ options }) => options.secondaryStorage !== undefined,
	},
	{
		feature: "anonymous with twoFactor",
		fixedIn: FIXED_IN,
		attack: "A stolen password is enough to link an anonymous user to an account, without its second factor.",
		isUsed: (configured) => has(configured, "anonymous", "two-factor"),
	},
	{
		feature: "trustedOrigins with wildcards",
		fixedIn: FIXED_IN,
		attack: "`http://192.168.*` also matches `http://192.168.example.com`, and `app://*.example.com` other hosts.",
		isUsed: ({ trustedOrigins }) => trustedOrigins.some((origin) => LOOSE_ORIGIN.test(origin)),
	},
	{
		feature: "oAuthProxy",
		fixedIn: FIXED_IN,
		attack: "The proxied callback checks neither the issuer nor the nonce.",
		isUsed: (configured) => has(configured, "oauth-proxy"),
	},
	{
		feature: "socialProviders.zoom",
		fixedIn: FIXED_IN,
		attack: "`disableSignUp`, `overrideUserInfoOnSignIn` and `redirectURI` have no effect.",
		isUsed: ({ options }) => options.socialProviders?.zoom !== undefined,
	},
	{
		feature: "socialProviders.facebook with getUserInfo",
		fixedIn: FIXED_IN,
		attack: "An access token that Facebook issued to another application signs in.",
		isUsed: ({ options }) => {
			const facebook = options.socialProviders?.facebook;
			return typeof facebook === "function" || facebook?.getUserInfo !== undefined;
		},
	},
	{
		feature: "jwt",
		fixedIn: ALL_FIXED_IN,
		attack: "An expired session still gets a JWT from `/get-session`, in the header `set-auth-jwt`.",
		isUsed: (configured) => has(configured, "jwt"),
	},
	{
		feature: "session.cookieCache",
		fixedIn: ALL_FIXED_IN,
		attack:
			"A browser that revokes its own session, or deletes its user with a token, stays signed in while its cookie is cached.",
		isUsed: cachesSessions,
	},
	{
		feature: "genericOAuth: discoveryHeaders",
		fixedIn: ALL_FIXED_IN,
		attack: "A host that the discovery URL redirects to receives the `discoveryHeaders`.",
		isUsed: sendsDiscoveryHeaders,
	},
	{
		feature: "siwe",
		fixedIn: ALL_FIXED_IN,
		attack: "The response to a failed sign-in contains the message of the error, for example of the database.",
		isUsed: (configured) => has(configured, "siwe"),
	},
];

/** Logs, once per start, which weaknesses the installed version of Better Auth has in this configuration. */
export const warnOfWeaknesses = (context: AuthContext): void => {
	const open = FIXED_WEAKNESSES.filter((row) => isOlder(context.version, row.fixedIn) && row.isUsed(context));
	if (open.length === 0) return;
	context.logger.warn(
		[
			`tenantAuth: better-auth ${context.version} has weaknesses that later versions fix. Install better-auth ${ALL_FIXED_IN} or later. Your configuration uses:`,
			...open.map(({ feature, attack }) => `${feature}: ${attack}`),
		].join("\n - "),
	);
};
