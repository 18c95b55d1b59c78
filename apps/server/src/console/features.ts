import type { Config } from "../config/config.ts";
import type { PluginName } from "../config/plugins.ts";

/** What this service is configured to do, for the pages that the console shows. */
export const featuresOf = (config: Config, { isOperator }: { isOperator: boolean }) => {
	const has = (name: PluginName): boolean => config.plugins.includes(name);
	return {
		/** `/tenant/suspend`, `/tenant/archive` and `/tenant/restore` */
		lifecycle: config.tenants.lifecycle,
		/** `/tenant/policy/get` and `/tenant/policy/update` */
		policy: config.policy !== null,
		invitations: has("tenant-invitations"),
		/** only operators; `authorize` allows it to nobody else */
		impersonation: isOperator && config.management.impersonation !== null,
		/** sign-in pages, and with them `/tenant/branding` */
		pages: config.pages.enabled,
		/** `/tenant/domain/*` decides hosts; with a file, domains are not managed over HTTP */
		domains: config.tenants.resolvers.includes("custom-domain") && config.tenants.domainsFile === "",
		/** only with a management key */
		transfer: isOperator && config.management.transfer,
		mail: config.mail.smtp !== null,
		passkey: has("passkey"),
		twoFactor: has("two-factor"),
		sso: has("sso"),
		scim: has("scim"),
		oauthProvider: has("oauth-provider"),
		apiKey: has("api-key"),
		organization: has("organization"),
		magicLink: has("magic-link"),
		emailOtp: has("email-otp"),
		phoneNumber: has("phone-number"),
		username: has("username"),
		device: has("device-authorization"),
	};
};
