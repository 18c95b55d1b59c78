import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { ipRange } from "../../lib/ip-ranges.ts";
import type { Limit } from "../../load/limits/count-in-window.ts";
import { emailDomain } from "./email-domains.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { type SignInMethod, signInMethod } from "./methods.ts";

/** At most a year: a longer time is a mistake in the unit. */
const seconds = z.int().min(60).max(31_536_000);
const noLimit = z.literal(false);
const any = z.literal("any");
/** Not empty, because an empty list could mean nothing or everything. */
const listOf = <Item extends z.ZodType>(item: Item) => z.union([any, z.array(item).min(1).max(100)]);

/** The values of each rule. */
const RULES = {
	methods: listOf(signInMethod),
	breakGlassUserIds: z.array(z.string().min(1).max(64)).max(20),
	minPasswordLength: z.int().min(1).max(128),
	maxPasswordLength: z.union([z.int().min(8).max(4096), noLimit]),
	refuseBreachedPasswords: z.boolean(),
	minPasswordScore: z.int().min(0).max(4),
	sessionMaxAge: z.union([seconds, noLimit]),
	sessionIdleTime: z.union([seconds, noLimit]),
	maxSessions: z.union([z.int().min(1).max(1000), noLimit]),
	signUp: z.enum(["open", "domain", "invitation", "closed"]),
	emailDomains: listOf(emailDomain),
	ipRanges: listOf(ipRange),
	rateLimit: z.union([
		z.strictObject({ window: z.int().min(1).max(86_400), max: z.int().min(1).max(1_000_000) }),
		noLimit,
	]),
	secondFactor: z.enum(["optional", "required", "required-for-admins"]),
	secondFactorFrom: z.union([z.iso.datetime(), noLimit]),
	secondFactorGrace: z.union([seconds, noLimit]),
	trustSso: z.boolean(),
	trustPasskeys: z.boolean(),
	trustDevices: z.boolean(),
} satisfies Record<keyof PolicyRules, z.ZodType>;

/** What holds if neither the tenant nor the application sets a rule. */
const UNSET: PolicyRules = {
	methods: "any",
	breakGlassUserIds: [],
	minPasswordLength: 1,
	maxPasswordLength: false,
	refuseBreachedPasswords: false,
	minPasswordScore: 0,
	sessionMaxAge: false,
	sessionIdleTime: false,
	maxSessions: false,
	signUp: "open",
	emailDomains: "any",
	ipRanges: "any",
	rateLimit: false,
	secondFactor: "optional",
	secondFactorFrom: false,
	secondFactorGrace: false,
	trustSso: false,
	trustPasskeys: false,
	trustDevices: true,
};

/**
 * The rules of a tenant. The application sets defaults, and each tenant can override them.
 *
 * @example
 * ```ts
 * const defaults: Partial<PolicyRules> = { minPasswordLength: 12, sessionMaxAge: 8 * 3600 };
 * ```
 */
export type PolicyRules = {
	/**
	 * How users can sign in. Sessions of other methods end. `"any"` for all methods that the application offers.
	 * @default "any"
	 */
	methods: SignInMethod[] | "any";
	/**
	 * Ids of users who can always sign in with email and password, for example while the tenant's identity provider is down.
	 * @default []
	 */
	breakGlassUserIds: string[];
	/**
	 * The fewest characters of a new password, 1 to 128. Better Auth's own `minPasswordLength` applies too.
	 * @default 1
	 */
	minPasswordLength: number;
	/**
	 * The most characters of a new password, 8 to 4096. Better Auth's own `maxPasswordLength` applies too.
	 * @default false
	 */
	maxPasswordLength: number | false;
	/**
	 * Refuses new passwords that are known from a data breach. See `breachedPasswords` for the server that is asked.
	 * @default false
	 */
	refuseBreachedPasswords: boolean;
	/**
	 * The lowest score of a new password, 0 to 4. Requires `passwordScore`.
	 * @default 0
	 */
	minPasswordScore: number;
	/**
	 * Seconds after which a session ends, however active it is. At least 60. `false` for no limit but Better Auth's own.
	 * @default false
	 */
	sessionMaxAge: number | false;
	/**
	 * Seconds without a request after which a session ends. At least 60. Costs one update per tenth of this time and session.
	 * @default false
	 */
	sessionIdleTime: number | false;
	/**
	 * Sessions that a user can have at once. A new one ends the oldest.
	 * @default false
	 */
	maxSessions: number | false;
	/**
	 * Who can sign up: `open`: everyone; `domain`: users with a verified email of `emailDomains`; `invitation`: invited users;
	 * `closed`: nobody. Admins and directories (SCIM) can always create users.
	 * @default "open"
	 */
	signUp: "open" | "domain" | "invitation" | "closed";
	/**
	 * The domains of the emails of new users, and of changed emails. Subdomains are not included.
	 * @default "any"
	 */
	emailDomains: string[] | "any";
	/**
	 * The IP addresses from which users can sign in and use their sessions: addresses, or ranges such as `203.0.113.0/24`.
	 * Requires `advanced.ipAddress` of Better Auth.
	 * @default "any"
	 */
	ipRanges: string[] | "any";
	/**
	 * The most requests of the tenant in a window of seconds, in addition to `limits.perTenant`.
	 * @default false
	 */
	rateLimit: Limit | false;
	/**
	 * Who needs a second factor, on every way to sign in. `optional`: Better Auth asks users who set one up, after a password.
	 * Requires the `twoFactor()` plugin.
	 * @default "optional"
	 */
	secondFactor: "optional" | "required" | "required-for-admins";
	/**
	 * When users without a second factor must have set one up, as an ISO date in UTC. `false` for at once.
	 * @default false
	 */
	secondFactorFrom: string | false;
	/**
	 * Seconds that new users have to set up a second factor. `false` for none.
	 * @default false
	 */
	secondFactorGrace: number | false;
	/**
	 * Whether a sign-in at the tenant's own identity provider (SSO) needs no second factor here.
	 * @default false
	 */
	trustSso: boolean;
	/**
	 * Whether a passkey that verified its user (PIN, fingerprint) counts as two factors.
	 * @default false
	 */
	trustPasskeys: boolean;
	/**
	 * Whether users can skip the second factor on devices that they chose to trust.
	 * @default true
	 */
	trustDevices: boolean;
};

/**
 * Changes to a tenant's policy. `null` removes the tenant's own value, so the default applies again. Rules that are left out
 * stay as they are.
 *
 * @example
 * ```ts
 * const changes: PolicyChanges = { minPasswordLength: 14, sessionMaxAge: null };
 * ```
 */
export type PolicyChanges = { [Rule in keyof PolicyRules]?: PolicyRules[Rule] | null | undefined };

const changes = z.strictObject(
	Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, rule.nullish()])),
) as z.ZodType<PolicyChanges>;

/** Reads changes that a caller sent. The error names the rule, and what it must be. */
export const readChanges = (sent: unknown): PolicyChanges => {
	const read = changes.safeParse(sent);
	if (read.success) return read.data;
	throw APIError.from("BAD_REQUEST", { ...POLICY_ERROR_CODES.INVALID_POLICY, message: problemOf(read.error) });
};

/** Says what is wrong with rules. Repeats no value that a caller sent. */
export const problemOf = ({ issues: [issue] }: z.ZodError): string => {
	const rule = issue?.path[0];
	if (issue?.code === "unrecognized_keys" || typeof rule !== "string" || !(rule in RULES))
		return `The policy has an unknown rule. Use only ${Object.keys(RULES).join(", ")}`;
	return `The rule ${rule} is not valid: ${issue?.message ?? "check its value"}`;
};

const isRule = (name: string): name is keyof PolicyRules => Object.hasOwn(RULES, name);

/** Reads stored rules. Null if they are not valid: then no rule can be trusted. */
export const readStored = (text: string): PolicyChanges | null => {
	try {
		return changes.safeParse(JSON.parse(text)).data ?? null;
	} catch {
		return null;
	}
};

/** The tenant's own rules after the changes, without those that it inherits. */
export const applyChanges = (own: PolicyChanges, changed: PolicyChanges): PolicyChanges =>
	Object.fromEntries(
		Object.entries({ ...own, ...withoutUndefined(changed) }).filter(([name, value]) => isRule(name) && value !== null),
	);

/** The rules that hold: the tenant's own, else the application's, else none. */
export const effectiveRules = (defaults: PolicyChanges, own: PolicyChanges): PolicyRules => ({
	...UNSET,
	...withoutUnset(defaults),
	...withoutUnset(own),
});

const withoutUndefined = (rules: PolicyChanges): PolicyChanges =>
	Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));

const withoutUnset = (rules: PolicyChanges): Partial<PolicyRules> =>
	Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined && value !== null));
