import { BetterAuthError } from "@better-auth/core/error";
import { aboveZero } from "../../load/limits/option-values.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { type PolicyRules, readChanges } from "./rules.ts";

/**
 * The server that knows breached passwords. It has the interface of Have I Been Pwned: `GET URL/FIRST-FIVE-CHARACTERS` of a
 * SHA-1 digest returns `SUFFIX:COUNT` lines.
 *
 * @example
 * ```ts
 * tenantPolicy({ breachedPasswords: { url: "https://pwned.internal/range/", onFailure: "allow" } });
 * ```
 */
type BreachedPasswordsOptions = {
	/**
	 * The URL before the first five characters of the digest.
	 * @default "https://api.pwnedpasswords.com/range/"
	 */
	url?: string;
	/**
	 * Seconds to wait for the server.
	 * @default 3
	 */
	timeout?: number;
	/**
	 * What happens to a new password while the server does not answer: `refuse` (503 `PASSWORD_CHECK_UNAVAILABLE`) or `allow`.
	 * @default "refuse"
	 */
	onFailure?: "refuse" | "allow";
};

/**
 * Options of `tenantPolicy()`. All are optional.
 *
 * @example
 * ```ts
 * tenantPolicy({ defaults: { minPasswordLength: 12, sessionMaxAge: 30 * 86_400 } });
 * ```
 */
export type TenantPolicyOptions = {
	/**
	 * The rules of every tenant that does not set its own. The platform has no policy: Better Auth's own options apply there.
	 * @default {}
	 */
	defaults?: Partial<PolicyRules>;
	/** The server that knows breached passwords, for the rule `refuseBreachedPasswords`. */
	breachedPasswords?: BreachedPasswordsOptions;
	/**
	 * Returns the score of a password, 0 (worst) to 4, for the rule `minPasswordScore`. Use a library such as zxcvbn. If it
	 * throws, the password is refused.
	 * @default none
	 * @example
	 * ```ts
	 * tenantPolicy({ passwordScore: (password) => (password.length > 20 ? 4 : 2) });
	 * ```
	 */
	passwordScore?: (password: string) => number | Promise<number>;
	/**
	 * Second factors that a policy requires.
	 * @default { adminRoles: ["owner", "admin"], pendingMaxAge: 900 }
	 */
	secondFactor?: {
		/**
		 * The roles of the admin plugin that `required-for-admins` is about.
		 * @default ["owner", "admin"]
		 */
		adminRoles?: readonly string[];
		/**
		 * Seconds that a user without a second factor has to set one up after signing in.
		 * @default 900
		 */
		pendingMaxAge?: number;
	};
};

export type ResolvedPolicyOptions = ReturnType<typeof resolvePolicyOptions>;

/** Sets the defaults. Throws on invalid options, with the option and the fix. */
export const resolvePolicyOptions = ({
	defaults = {},
	breachedPasswords = {},
	passwordScore,
	secondFactor = {},
}: TenantPolicyOptions) => {
	const url = breachedPasswords.url ?? "https://api.pwnedpasswords.com/range/";
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
		throw new BetterAuthError(
			"tenantPolicy: breachedPasswords.url is not an http or https URL. Set one such as https://api.pwnedpasswords.com/range/.",
		);
	return {
		defaults: readDefaults(defaults),
		breachedPasswords: {
			url,
			timeout: aboveZero("breachedPasswords.timeout", breachedPasswords.timeout ?? 3),
			onFailure: breachedPasswords.onFailure ?? "refuse",
		},
		passwordScore,
		secondFactor: resolveSecondFactor(secondFactor),
	};
};

/** Sets the defaults of `secondFactor`. */
const resolveSecondFactor = ({
	adminRoles = ["owner", "admin"],
	pendingMaxAge = 900,
}: NonNullable<TenantPolicyOptions["secondFactor"]>) => {
	if (adminRoles.length === 0)
		throw new BetterAuthError(
			"tenantPolicy: secondFactor.adminRoles is empty, so nobody would be an administrator. Name at least one role.",
		);
	if (!Number.isInteger(pendingMaxAge) || pendingMaxAge < 60 || pendingMaxAge > 86_400)
		throw new BetterAuthError(
			"tenantPolicy: secondFactor.pendingMaxAge must be a whole number of seconds, 60 to 86400.",
		);
	return { adminRoles, pendingMaxAge };
};

const readDefaults = (defaults: Partial<PolicyRules>) => {
	try {
		return readChanges(defaults);
	} catch (error) {
		const reason = error instanceof Error ? error.message : POLICY_ERROR_CODES.INVALID_POLICY.message;
		throw new BetterAuthError(`tenantPolicy: \`defaults\` is not valid. ${reason}.`);
	}
};
