import { mailSection } from "./mail.ts";
import { defineSection } from "./section.ts";
import { list } from "./variables.ts";

export const PLUGIN_NAMES = [
	"admin",
	"api-key",
	"bearer",
	"device-authorization",
	"email-otp",
	"jwt",
	"magic-link",
	"multi-session",
	"oauth-provider",
	"open-api",
	"organization",
	"passkey",
	"phone-number",
	"scim",
	"sso",
	"tenant-admin",
	"tenant-invitations",
	"two-factor",
	"username",
] as const;

export type PluginName = (typeof PLUGIN_NAMES)[number];

export const pluginsSection = defineSection(
	{
		PLUGINS: list().meta({
			description: `Better Auth plugins, separated by commas: ${PLUGIN_NAMES.join(", ")}. Run migrate after a change`,
		}),
	},
	({ PLUGINS, SMTP_URL }, mistakes): PluginName[] => {
		for (const name of PLUGINS)
			if (!PLUGIN_NAMES.some((known) => known === name))
				mistakes.push(
					`PLUGINS contains ${JSON.stringify(name)}, which is unknown. Choose from ${PLUGIN_NAMES.join(", ")}`,
				);
		for (const name of ["magic-link", "email-otp", "tenant-invitations"])
			if (PLUGINS.includes(name) && !SMTP_URL)
				mistakes.push(`PLUGINS contains ${name}, which sends mail. Set SMTP_URL`);
		if (PLUGINS.includes("tenant-admin") && !PLUGINS.includes("admin"))
			mistakes.push("PLUGINS contains tenant-admin, which stores roles and bans with admin. Add admin");
		if (PLUGINS.includes("tenant-invitations") && !PLUGINS.includes("tenant-admin"))
			mistakes.push(
				"PLUGINS contains tenant-invitations, which invites with the roles of tenant-admin. Add tenant-admin",
			);
		return PLUGIN_NAMES.filter((name) => PLUGINS.includes(name));
	},
	{ needed: mailSection.variables },
);
