import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import type { TenantContext } from "../scope/tenant-context.ts";
import { isInDomains } from "./email-domains.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import type { InvitationCheck } from "./invitations.ts";
import type { Policies } from "./policies.ts";
import type { PolicyRules } from "./rules.ts";

type With = {
	pin: Pick<TenantContext, "current">;
	policies: Pick<Policies, "of">;
	options: BetterAuthOptions;
	/** read at each request, because a later plugin may add it */
	invited: () => InvitationCheck | undefined;
};
type Calling = Pick<GenericEndpointContext, "path"> | null;

/** Applies the policy where users are created and where their emails change. */
export const createSignUpRules = ({ pin, policies, options, invited }: With) => {
	const assertMaySignUp = async (rules: PolicyRules, email: unknown): Promise<void> => {
		const { signUp } = rules;
		if (signUp === "closed") throw refusal("SIGN_UP_NOT_ALLOWED");
		if (signUp === "invitation") {
			const isInvited = typeof email === "string" && (await invited()?.(pin.current(), email.toLowerCase()));
			if (isInvited !== true) throw refusal("SIGN_UP_NOT_ALLOWED");
		}
		assertDomain(rules, email);
	};

	return {
		/**
		 * Refuses a sign-up before the engine looks the email up. Otherwise the response would say whether the email has an
		 * account.
		 */
		before: async (rules: PolicyRules, ctx: Pick<GenericEndpointContext, "path" | "body">): Promise<void> => {
			if (endpointOf(ctx.path).signsUp) await assertMaySignUp(rules, ctx.body?.email);
		},
		hooks: {
			create: {
				before: async (user: { email?: unknown; emailVerified?: unknown }, ctx: Calling) => {
					const rules = await policies.of(pin.current());
					// without an endpoint, server code creates the user
					if (!rules || !ctx) return;
					const { provisionsUsers, signsUp } = endpointOf(ctx.path);
					if (provisionsUsers) return assertDomain(rules, user.email);
					await assertMaySignUp(rules, user.email);
					const isProvenLater = signsUp && options.emailAndPassword?.requireEmailVerification === true;
					// a domain says nothing if anyone can claim an email of it
					if (rules.signUp === "domain" && user.emailVerified !== true && !isProvenLater)
						throw refusal("SIGN_UP_NOT_ALLOWED");
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
