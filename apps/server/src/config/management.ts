import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { flag, list } from "./variables.ts";

export const managementSection = defineSection(
	{
		MANAGEMENT_KEYS: list().meta({
			description:
				"Keys for machines and for this command line, by commas; at least 32 characters each. Without any, nobody manages by key",
		}),
		MANAGEMENT_USER_IDS: list().meta({ description: "Users of the platform who may manage every tenant, by commas" }),
		MANAGEMENT_ROLES: list().meta({
			description: "Roles of the admin plugin whose platform users may manage every tenant, by commas",
		}),
		MANAGEMENT_TRANSFER: flag(false).meta({
			description:
				"Whether management keys may export and import users with their password hashes. Turn it on for the time of a move",
		}),
	},
	(values, mistakes) => {
		if (values.MANAGEMENT_KEYS.some((key) => key.length < 32))
			mistakes.push("MANAGEMENT_KEYS holds a key of less than 32 characters. Make one with `openssl rand -base64 32`");
		if (values.MANAGEMENT_ROLES.length > 0 && !values.PLUGINS.includes("admin"))
			mistakes.push("MANAGEMENT_ROLES needs the roles of the admin plugin. Add admin to PLUGINS");
		return {
			keys: values.MANAGEMENT_KEYS,
			userIds: values.MANAGEMENT_USER_IDS,
			roles: values.MANAGEMENT_ROLES,
			transfer: values.MANAGEMENT_TRANSFER,
		};
	},
	{ needed: pluginsSection.variables },
);
