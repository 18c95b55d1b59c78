import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { count, flag, list } from "./variables.ts";

export const managementSection = defineSection(
	{
		MANAGEMENT_KEYS: list().meta({
			description:
				"Management keys for programs and this command line, separated by commas, at least 32 characters each. Without a key, only users can manage tenants",
		}),
		MANAGEMENT_USER_IDS: list().meta({
			description: "Ids of platform users who may manage every tenant, separated by commas",
		}),
		MANAGEMENT_ROLES: list().meta({
			description: "Roles of the admin plugin whose platform users may manage every tenant, separated by commas",
		}),
		MANAGEMENT_TRANSFER: flag(false).meta({
			description:
				"Whether management keys may export and import users with their password hashes. Turn it on only during a migration",
		}),
		MANAGEMENT_IMPERSONATION: count(0, { least: 0, most: 3600 }).meta({
			description:
				"How many seconds an operator can impersonate a user, at most 3600. 900 is a good choice. 0 turns impersonation off",
		}),
	},
	(values, mistakes) => {
		if (values.MANAGEMENT_KEYS.some((key) => key.length < 32))
			mistakes.push(
				"MANAGEMENT_KEYS contains a key of fewer than 32 characters. Create one with `openssl rand -base64 32`",
			);
		if (values.MANAGEMENT_ROLES.length > 0 && !values.PLUGINS.includes("admin"))
			mistakes.push("MANAGEMENT_ROLES requires the admin plugin. Add admin to PLUGINS");
		return {
			keys: values.MANAGEMENT_KEYS,
			userIds: values.MANAGEMENT_USER_IDS,
			roles: values.MANAGEMENT_ROLES,
			transfer: values.MANAGEMENT_TRANSFER,
			impersonation: values.MANAGEMENT_IMPERSONATION === 0 ? null : { maxAge: values.MANAGEMENT_IMPERSONATION },
		};
	},
	{ needed: pluginsSection.variables },
);
