import { PLUGIN_NAMES } from "../../src/config/plugins.ts";

export const SMS_SECRET = `whsec_${Buffer.alloc(32, "s").toString("base64")}`;

/** What the plugins need besides their names, apart from mail. Nothing listens at the SMS webhook. */
export const PLUGIN_VARIABLES = {
	DEVICE_VERIFICATION_URL: "/device",
	DEVICE_CLIENT_IDS: "tv",
	OAUTH_PROVIDER_LOGIN_PAGE: "/login",
	OAUTH_PROVIDER_CONSENT_PAGE: "/consent",
	SMS_WEBHOOK_URL: "http://127.0.0.1:1/sms",
	SMS_WEBHOOK_SECRET: SMS_SECRET,
	TENANT_INVITATION_URL: "https://app.example.com/invitation",
	SCIM_SECRET: "a-secret-for-scim-tokens-of-tests-only",
};

/** An environment with every plugin. Nothing listens at the mail server. */
export const EVERY_PLUGIN = {
	...PLUGIN_VARIABLES,
	PLUGINS: PLUGIN_NAMES.join(","),
	SMTP_URL: "smtp://127.0.0.1:1",
	MAIL_FROM: "Test <test@example.com>",
};
