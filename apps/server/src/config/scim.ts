import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { text } from "./variables.ts";

const CREATE_ONE = "Create one with `openssl rand -base64 32` and keep it: without it no SCIM token is valid";

export const scimSection = defineSection(
	{
		SCIM_SECRET: text()
			.min(32, { error: `is shorter than 32 characters. ${CREATE_ONE}` })
			.optional()
			.meta({
				description:
					"For the scim plugin: the secret for hashing SCIM tokens, at least 32 characters. It stays the same when AUTH_SECRET is rotated",
			}),
	},
	({ PLUGINS, SCIM_SECRET }, mistakes) => {
		if (!PLUGINS.includes("scim")) return null;
		if (!SCIM_SECRET) mistakes.push(`SCIM_SECRET is not set, but PLUGINS contains scim. ${CREATE_ONE}`);
		return { secret: SCIM_SECRET ?? "" };
	},
	{ needed: pluginsSection.variables },
);

export type ScimConfig = ReturnType<(typeof scimSection)["read"]>;
