import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { admissionOf } from "../invitations/admission.ts";
import { isInDomains } from "./email-domains.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import type { Policies } from "./policies.ts";
import type { PolicyRules } from "./rules.ts";

type With = {
	pin: Pick<TenantContext, "current">;
	policies: Pick<Policies, "of">;
	options: BetterAuthOptions;
};
type NewUser = { email?: unknown; emailVerified?: unknown };
type Calling = GenericEndpointContext | null;

/** Applies the policy where users are created and where their emails change. */
export const createSignUpRules = ({ pin, policies, options }: With) => {
	const newcomer = ({ email, emailVerified }: NewUser) => ({
		tenantId: pin.current(),
		email: String(email).toLowerCase(),
		emailVerified: emailVerified === true,
	});

	const assertMaySignUp = async (rules: PolicyRules, user: NewUser, ctx: GenericEndpointContext): Promise<void> => {
		const { signUp } = rules;
		if (signUp === "closed") throw refusal("SIGN_UP_NOT_ALLOWED");
		if (signUp === "invitation") {
			const isInvited = typeof user.email === "string" && (await admissionOf.find(ctx)?.(ctx).admits(newcomer(user)));
			if (isInvited !== true) throw refusal("SIGN_UP_NOT_ALLOWED");
		}
		assertDomain(rules, user.email);
	};

	return {
		/**
		 * Refuses a sign-up before the engine looks the email up. Otherwise the response would say whether the email has an
		 * account.
		 */
		before: async (rules: PolicyRules, ctx: GenericEndpointContext): Promise<void> => {
			if (endpointOf(ctx.path).signsUp) await assertMaySignUp(rules, { email: ctx.body?.email }, ctx);
		},
		hooks: {
			create: {
				before: async (user: NewUser, ctx: Calling) => {
					const rules = await policies.of(pin.current());
					// without an endpoint, server code creates the user
					if (!rules || !ctx) return;
					const { provisionsUsers, signsUp } = endpointOf(ctx.path);
					if (provisionsUsers) return assertDomain(rules, user.email);
					await assertMaySignUp(rules, user, ctx);
					const isProvenLater = signsUp && options.emailAndPassword?.requireEmailVerification === true;
					// a domain says nothing if anyone can claim an email of it
					if (rules.signUp === "domain" && user.emailVerified !== true && !isProvenLater)
						throw refusal("SIGN_UP_NOT_ALLOWED");
				},
				after: async (user: NewUser, ctx: Calling) => {
					const rules = await policies.of(pin.current());
					if (rules?.signUp === "invitation" && ctx) await admissionOf.find(ctx)?.(ctx).markUsed(newcomer(user));
				},
			},
			update: {
				before: async (user: { email?: unknown }, ctx: Calling) => {
					if (user.email === undefined || !ctx) return;
					const rules = await policies.of(pin.current());
					if (rules) assertDomain(rules, user.email);
				},
			},
		},
	};
};

const assertDomain = ({ emailDomains }: PolicyRules, email: unknown): void => {
	if (!isInDomains(emailDomains, email)) throw refusal("EMAIL_DOMAIN_NOT_ALLOWED");
};

const refusal = (code: "SIGN_UP_NOT_ALLOWED" | "EMAIL_DOMAIN_NOT_ALLOWED"): APIError =>
	APIError.from("FORBIDDEN", POLICY_ERROR_CODES[code]);
