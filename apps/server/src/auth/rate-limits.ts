import type { BetterAuthOptions } from "better-auth";
import type { Config } from "../config/config.ts";

type RateLimit = NonNullable<BetterAuthOptions["rateLimit"]>;
type Limits = Pick<Config["limits"], "enabled" | "window" | "max" | "signIn" | "mail">;

/**
 * Where a mail is sent or a user is created. First, because the first pattern that matches a path decides. Whoever calls
 * these makes the server write to strangers.
 */
const MAIL_PATHS = [
	"/sign-up/*",
	"/sign-in/magic-link",
	"/change-email",
	"/request-password-reset",
	"/forget-password/*",
	"/send-verification-email",
	"/email-otp/send-verification-otp",
	"/email-otp/request-password-reset",
	"/email-otp/request-email-change",
	"/two-factor/send-otp",
];

/**
 * Where a password, code or link is checked. Other limits bound guesses at one user: USER_RATE_LIMIT_MAX, CODE_RATE_LIMIT_MAX, the attempts that a
 * code allows, and the lockout of the two-factor plugin.
 */
const SIGN_IN_PATHS = [
	"/sign-in/*",
	"/change-password",
	"/device",
	"/email-otp/check-verification-otp",
	"/email-otp/verify-email",
	"/email-otp/reset-password",
	"/email-otp/change-email",
	"/magic-link/verify",
	"/two-factor/*",
];

/**
 * Rate limits by address and path. Better Auth's own rules for sign-in and mail (3 requests in 10 or 60 seconds) lock out an
 * office that shares one address, so each of their paths has a rule here. The plugin applies the rules to `/tenant/…` too.
 */
export const rateLimits = (limits: Limits): RateLimit => ({
	enabled: limits.enabled,
	window: limits.window,
	max: limits.max,
	customRules: { ...ruleFor(MAIL_PATHS, limits.mail), ...ruleFor(SIGN_IN_PATHS, limits.signIn) },
	// the plugin counts, in its own windows and in those that processes share
	storage: "memory",
});

const ruleFor = (paths: string[], rule: { window: number; max: number }) =>
	Object.fromEntries(paths.map((path) => [path, rule]));
