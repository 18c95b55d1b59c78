import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { POLICY_ERROR_CODES } from "./error-codes.ts";

/** At most a year: a longer time is a mistake in the unit. */
const seconds = z.int().min(60).max(31_536_000);
const noLimit = z.literal(false);

/**
 * The rules of a tenant, by name. One row per rule: its values, and what holds if neither the tenant nor the application sets
 * it. A list cannot be empty, because an empty one could mean nothing or everything.
 */
const RULES = {
	minPasswordLength: z.int().min(1).max(128),
	sessionMaxAge: z.union([seconds, noLimit]),
} satisfies Record<string, z.ZodType>;

const UNSET: PolicyRules = {
	minPasswordLength: 1,
	sessionMaxAge: false,
};

type Shape = typeof RULES;

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
	 * The fewest characters of a new password, 1 to 128. Better Auth's own `minPasswordLength` applies too.
	 * @default 1
	 */
	minPasswordLength: number;
	/**
	 * Seconds after which a session ends, however active it is. `false` for no limit.
	 * @default false
	 */
	sessionMaxAge: number | false;
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

const isRule = (name: string): name is keyof Shape => Object.hasOwn(RULES, name);

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
