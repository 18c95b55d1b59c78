import type { BetterAuthPlugin } from "better-auth";
import {
	admin,
	bearer,
	emailOTP,
	jwt,
	magicLink,
	multiSession,
	openAPI,
	organization,
	twoFactor,
	username,
} from "better-auth/plugins";
import type { PluginName } from "../config/plugins.ts";
import type { MailHooks } from "./mail-hooks.ts";

/** Creates the Better Auth plugins listed in PLUGINS. Plugins that send mail do so only with a mailer. */
export const createPlugins = (names: readonly PluginName[], mail: MailHooks): BetterAuthPlugin[] => {
	const makers: Record<PluginName, () => BetterAuthPlugin> = {
		admin: () => admin(),
		bearer: () => bearer(),
		"email-otp": () => emailOTP(mail.emailOTP),
		jwt: () => jwt(),
		"magic-link": () => magicLink(mail.magicLink),
		"multi-session": () => multiSession(),
		"open-api": () => openAPI(),
		organization: () => organization(mail.organization),
		"two-factor": () => twoFactor(mail.twoFactor),
		username: () => username(),
	};
	return names.map((name) => makers[name]());
};
