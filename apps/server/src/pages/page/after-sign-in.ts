import type { EngineAnswer, PageAnswer, Visit } from "../visit.ts";

const FACTORS = ["totp", "otp"];

/** Where a visitor goes after Better Auth accepted a sign-in: to the second factor, or to where they came from. */
export const afterSignIn = ({ flow, cookies }: Visit, { json, url }: EngineAnswer): PageAnswer => {
	if (json.secondFactor === "enroll") return { to: flow.link("/set-up-two-factor") };
	if (json.twoFactorRedirect === true) {
		const given: unknown[] = Array.isArray(json.twoFactorMethods) ? json.twoFactorMethods : [];
		const methods = FACTORS.filter((name) => given.includes(name));
		return { to: flow.link("/two-factor", { methods: methods.join(".") || "totp" }) };
	}
	cookies.remove("email");
	if (json.passwordRemoved === true) return { to: flow.link("/verified") };
	// the OAuth provider goes on by itself
	if (flow.oauthQuery !== null && url !== null) return { to: url };
	return { to: flow.end() };
};
