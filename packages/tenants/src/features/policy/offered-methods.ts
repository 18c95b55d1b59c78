import type { SignInMethods } from "../methods/offered-methods.ts";
import type { SignInMethod } from "./methods.ts";
import type { PolicyRules } from "./rules.ts";

/** The sign-in methods that are left under a policy. */
export const restrictMethods = (
	{ methods, signUp }: Pick<PolicyRules, "methods" | "signUp">,
	offered: SignInMethods,
): SignInMethods => {
	const allows = (method: SignInMethod): boolean => methods === "any" || methods.includes(method);
	const only = <Method extends { enabled: boolean }>(name: SignInMethod, method: Method): Method => {
		const enabled = method.enabled && allows(name);
		// users with an invitation have a page of their own
		const canSignUp = enabled && (signUp === "open" || signUp === "domain");
		return "signUp" in method
			? { ...method, enabled, signUp: method.signUp === true && canSignUp }
			: { ...method, enabled };
	};
	return {
		email: only("password", offered.email),
		providers: offered.providers.filter(({ id }) => allows(`social:${id}`)),
		sso: allows("sso") ? offered.sso : [],
		oneTap: only("oneTap", offered.oneTap),
		magicLink: only("magicLink", offered.magicLink),
		emailOtp: only("emailOtp", offered.emailOtp),
		phoneNumber: only("phoneNumber", offered.phoneNumber),
		username: only("username", offered.username),
		passkey: only("passkey", offered.passkey),
		anonymous: only("anonymous", offered.anonymous),
		siwe: only("siwe", offered.siwe),
	};
};
