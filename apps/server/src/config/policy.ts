import { type PolicyRules, tenantPolicy } from "better-auth-tenants/policy";
import { defineSection } from "./section.ts";
import { count, flag, list, oneOf, seconds, text, url } from "./variables.ts";

export const policySection = defineSection(
	{
		TENANT_POLICY: flag(false).meta({
			description:
				"Whether tenants have policies: sign-in methods, passwords, sessions, sign-up and IP ranges. Run migrate after a change",
		}),
		TENANT_POLICY_DEFAULTS: text().optional().meta({
			description:
				'The rules of tenants that do not set their own, as JSON: {"minPasswordLength":12,"sessionMaxAge":28800}',
		}),
		BREACHED_PASSWORDS_URL: url("http:", "https:").default("https://api.pwnedpasswords.com/range/").meta({
			description:
				"The server that knows breached passwords, for the rule refuseBreachedPasswords. It receives five characters of a SHA-1 digest",
		}),
		BREACHED_PASSWORDS_TIMEOUT: seconds(3, { least: 0.1, most: 30 }).meta({
			description: "Maximum seconds to wait for BREACHED_PASSWORDS_URL",
		}),
		BREACHED_PASSWORDS_ON_FAILURE: oneOf(["refuse", "allow"], "refuse").meta({
			description: "What happens to new passwords while BREACHED_PASSWORDS_URL does not answer: refuse (503) or allow",
		}),
		SECOND_FACTOR_ADMIN_ROLES: list().default(["owner", "admin"]).meta({
			description: "The roles that the rule secondFactor: required-for-admins is about, separated by commas",
		}),
		SECOND_FACTOR_PENDING_MAX_AGE: count(900, { least: 60, most: 86_400 }).meta({
			description:
				"Seconds that users without a second factor have to set one up after signing in, where it is required",
		}),
	},
	(values, mistakes) => {
		if (!values.TENANT_POLICY) {
			if (values.TENANT_POLICY_DEFAULTS)
				mistakes.push("TENANT_POLICY_DEFAULTS is set, but TENANT_POLICY is off. Set TENANT_POLICY=true");
			return null;
		}
		if (values.SECOND_FACTOR_ADMIN_ROLES.length === 0)
			mistakes.push(
				"SECOND_FACTOR_ADMIN_ROLES names no role, so nobody would be an administrator. Use roles such as owner,admin",
			);
		return {
			defaults: readDefaults(values.TENANT_POLICY_DEFAULTS ?? "{}", mistakes),
			breachedPasswords: {
				url: values.BREACHED_PASSWORDS_URL,
				timeout: values.BREACHED_PASSWORDS_TIMEOUT,
				onFailure: values.BREACHED_PASSWORDS_ON_FAILURE,
			},
			secondFactor: {
				adminRoles: values.SECOND_FACTOR_ADMIN_ROLES,
				pendingMaxAge: values.SECOND_FACTOR_PENDING_MAX_AGE,
			},
		};
	},
);

export type PolicyConfig = ReturnType<(typeof policySection)["read"]>;

const readDefaults = (json: string, mistakes: string[]): Partial<PolicyRules> => {
	try {
		const defaults: Partial<PolicyRules> = JSON.parse(json);
		tenantPolicy({ defaults });
		return defaults;
	} catch (error) {
		const reason =
			error instanceof SyntaxError || !(error instanceof Error)
				? "It is not JSON"
				: error.message.replace(/^tenantPolicy: `defaults` is not valid\. /, "").replace(/\.$/, "");
		mistakes.push(`TENANT_POLICY_DEFAULTS is not valid. ${reason}. Use JSON such as {"minPasswordLength":12}`);
		return {};
	}
};
