import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import {
	admin,
	bearer,
	deviceAuthorization,
	emailOTP,
	jwt,
	magicLink,
	multiSession,
	openAPI,
	organization,
	twoFactor,
	username,
} from "better-auth/plugins";
import type { AuditEntry } from "better-auth-tenants";
import { tenantAdmin, tenantInvitations, tenantRoles } from "better-auth-tenants/admin";
import type { Config } from "../config/config.ts";
import type { PluginName } from "../config/plugins.ts";
import type { Logger } from "../observe/logger.ts";
import { auditAdmin } from "../operators/audit-admin.ts";
import type { SmsSender } from "../sms/sms-sender.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { apiKeyPlugins } from "./api-key.ts";
import type { MailHooks } from "./mail-hooks.ts";
import { oauthProviderPlugins } from "./oauth-provider.ts";
import { passkeyPlugin } from "./passkey.ts";
import { phoneNumberPlugin } from "./phone-number.ts";
import { scimPlugins } from "./scim.ts";

type PluginsWith = {
	config: Config;
	mail: MailHooks;
	sms: SmsSender | null;
	logger: Logger;
	api: ServerApi;
	audit: (entry: AuditEntry) => Promise<void>;
};

/** Creates the Better Auth plugins listed in PLUGINS. Plugins that send mail do so only with a mailer. */
export const createPlugins = ({ config, mail, sms, logger, api, audit }: PluginsWith): BetterAuthPlugin[] => {
	const { apiKey, device, oauthProvider, passkey, scim } = config;
	const makers: Record<PluginName, () => BetterAuthPlugin | BetterAuthPlugin[]> = {
		admin: () => auditAdmin(config.plugins.includes("tenant-admin") ? admin({ ...tenantRoles }) : admin(), audit),
		"api-key": () => (apiKey ? apiKeyPlugins(apiKey) : []),
		bearer: () => bearer(),
		"device-authorization": () =>
			device
				? deviceAuthorization({
						verificationUri: device.verificationURL,
						validateClient: (clientId) => device.clientIds.includes(clientId),
					})
				: [],
		"email-otp": () => emailOTP(mail.emailOTP),
		jwt: () => jwt(),
		"magic-link": () => magicLink(mail.magicLink),
		"multi-session": () => multiSession(),
		"oauth-provider": () => (oauthProvider ? oauthProviderPlugins(oauthProvider, api) : []),
		"open-api": () => openAPI(),
		organization: () => organization(mail.organization),
		passkey: () => (passkey ? passkeyPlugin(passkey, config.http.publicURL) : []),
		"phone-number": () => phoneNumberPlugin({ sms, logger }),
		scim: () => (scim ? scimPlugins(scim, api) : []),
		// an unsigned logout request would end the sessions of anyone it names
		sso: () => sso({ domainVerification: { enabled: true }, saml: { wantLogoutRequestSigned: true } }),
		"tenant-admin": () => tenantAdmin(),
		"tenant-invitations": () => (mail.tenantInvitations ? tenantInvitations(mail.tenantInvitations) : []),
		"two-factor": () => twoFactor(mail.twoFactor),
		username: () => username(),
	};
	return config.plugins.flatMap((name) => makers[name]());
};
