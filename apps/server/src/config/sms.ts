import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { text, url } from "./variables.ts";

/** Standard Webhooks: whsec_ and 24 to 64 random bytes in base64. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;
const CREATE_ONE = 'Create one with `echo "whsec_$(openssl rand -base64 32)"`';

export const smsSection = defineSection(
	{
		SMS_WEBHOOK_URL: url("http:", "https:").optional().meta({
			description:
				"For the phone-number plugin: your endpoint that sends text messages. It receives a POST with {tenantId, phoneNumber, code, purpose}, signed as in Standard Webhooks",
		}),
		SMS_WEBHOOK_SECRET: text()
			.regex(SECRET, { error: `is not a Standard Webhooks secret. ${CREATE_ONE}` })
			.optional()
			.meta({ description: "The secret that signs these requests, such as whsec_…. Required with SMS_WEBHOOK_URL" }),
	},
	({ PLUGINS, SMS_WEBHOOK_URL, SMS_WEBHOOK_SECRET }, mistakes) => {
		if (PLUGINS.includes("phone-number") && !SMS_WEBHOOK_URL)
			mistakes.push(
				"SMS_WEBHOOK_URL is not set, but PLUGINS contains phone-number, which sends codes. Set the URL of your endpoint that sends text messages",
			);
		if (SMS_WEBHOOK_URL && !SMS_WEBHOOK_SECRET)
			mistakes.push(`SMS_WEBHOOK_SECRET is not set, but SMS_WEBHOOK_URL is. ${CREATE_ONE}`);
		if (SMS_WEBHOOK_URL && URL.parse(SMS_WEBHOOK_URL)?.username)
			mistakes.push("SMS_WEBHOOK_URL contains a user or a password. Remove it: your endpoint verifies the signature");
		return SMS_WEBHOOK_URL && SMS_WEBHOOK_SECRET ? { url: SMS_WEBHOOK_URL, secret: SMS_WEBHOOK_SECRET } : null;
	},
	{ needed: pluginsSection.variables },
);

export type SmsConfig = ReturnType<(typeof smsSection)["read"]>;
