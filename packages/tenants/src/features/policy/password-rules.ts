import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { isBreached } from "./breached-passwords.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import type { ResolvedPolicyOptions } from "./options.ts";
import type { Policies } from "./policies.ts";
import type { PolicyRules } from "./rules.ts";

type With = {
	pin: Pick<TenantContext, "current" | "isServerCode">;
	policies: Pick<Policies, "of">;
	options: Pick<ResolvedPolicyOptions, "breachedPasswords" | "passwordScore">;
	logger: AuthContext["logger"];
};

/**
 * The passwords that this request hashed, by hash, and those that were checked, by tenant: server code can store a password in
 * several. Gone when the request ends.
 */
const seen = definePart(() => ({ hashed: new Map<string, string>(), checked: new Map<string, Set<string>>() }));

/**
 * Applies the policy where a password is stored. A hash does not show its password, so the request remembers what it hashed.
 * Not in `hash` itself: the engine also hashes passwords that it only pretends to check, and the response must not differ.
 */
export const createPasswordRules = ({ pin, policies, options, logger }: With) => {
	const findProblem = async (rules: PolicyRules, password: string): Promise<ProblemCode | null> => {
		// characters as a reader counts them, not UTF-16 units
		const length = [...password].length;
		if (length < rules.minPasswordLength) return "POLICY_PASSWORD_TOO_SHORT";
		if (rules.maxPasswordLength !== false && length > rules.maxPasswordLength) return "POLICY_PASSWORD_TOO_LONG";
		if (rules.minPasswordScore > 0 && !((await score(password)) >= rules.minPasswordScore))
			return "POLICY_PASSWORD_TOO_WEAK";
		return rules.refuseBreachedPasswords && (await isKnownBreached(password)) ? "POLICY_PASSWORD_BREACHED" : null;
	};

	/** A score that cannot be computed is the lowest. */
	const score = async (password: string): Promise<number> => {
		try {
			return (await options.passwordScore?.(password)) ?? -1;
		} catch (error) {
			logger.error("tenantPolicy: passwordScore threw, so the password is refused. Fix the function.", error);
			return -1;
		}
	};

	const isKnownBreached = async (password: string): Promise<boolean> => {
		try {
			return await isBreached(password, options.breachedPasswords);
		} catch (error) {
			const refuses = options.breachedPasswords.onFailure === "refuse";
			logger.error(
				`tenantPolicy: breachedPasswords.url failed, so the password is ${refuses ? "refused" : "not checked"}.`,
				error,
			);
			if (refuses) throw APIError.from("SERVICE_UNAVAILABLE", POLICY_ERROR_CODES.PASSWORD_CHECK_UNAVAILABLE);
			return false;
		}
	};

	const assertAllowed = async (rules: PolicyRules, password: string): Promise<void> => {
		const checked = seen.now()?.checked;
		const tenantId = pin.current();
		const here = checked?.get(tenantId) ?? new Set();
		if (here.has(password)) return;
		const problem = await findProblem(rules, password);
		if (problem) throw APIError.from("BAD_REQUEST", POLICY_ERROR_CODES[problem]);
		checked?.set(tenantId, here.add(password));
	};

	const assertStorable = async (account: { password?: unknown }): Promise<void> => {
		const known = seen.now();
		if (typeof account.password !== "string" || !known) return;
		const rules = await policies.of(pin.current());
		if (!rules) return;
		const password = known.hashed.get(account.password);
		if (password !== undefined) return assertAllowed(rules, password);
		// a request stores a hash of a password that nobody could check
		if (!pin.isServerCode() && hasPasswordRule(rules))
			throw APIError.from("BAD_REQUEST", POLICY_ERROR_CODES.POLICY_PASSWORD_TOO_WEAK);
	};

	return {
		/** Refuses early where the body shows the password: before a token is used up, and outside of a transaction. */
		before: async (
			rules: PolicyRules,
			{ path, body }: Pick<GenericEndpointContext, "path" | "body">,
		): Promise<void> => {
			const { setsPassword } = endpointOf(path);
			const password: unknown = setsPassword && body?.[setsPassword];
			if (typeof password === "string") await assertAllowed(rules, password);
		},
		/** Remembers what is hashed. */
		watchHashes: (engine: AuthContext["password"]): AuthContext["password"] => ({
			...engine,
			hash: async (password) => {
				const hash = await engine.hash(password);
				seen.now()?.hashed.set(hash, password);
				return hash;
			},
		}),
		hooks: { create: { before: assertStorable }, update: { before: assertStorable } },
	};
};

type ProblemCode = Extract<keyof typeof POLICY_ERROR_CODES, `POLICY_PASSWORD_${string}`>;

const hasPasswordRule = (rules: PolicyRules): boolean =>
	rules.minPasswordLength > 1 ||
	rules.maxPasswordLength !== false ||
	rules.minPasswordScore > 0 ||
	rules.refuseBreachedPasswords;
