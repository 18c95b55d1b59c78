import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { list } from "./variables.ts";

export const apiKeySection = defineSection(
	{
		API_KEY_ENDPOINTS: list().default(["/get-session"]).meta({
			description:
				"For the api-key plugin: the endpoints that accept an API key instead of a session, separated by commas. A key can do there what its user can",
		}),
	},
	({ PLUGINS, API_KEY_ENDPOINTS }, mistakes) => {
		if (!PLUGINS.includes("api-key")) return null;
		for (const path of API_KEY_ENDPOINTS)
			if (!/^\/[A-Za-z0-9/:_-]+$/.test(path))
				mistakes.push(
					`API_KEY_ENDPOINTS contains ${JSON.stringify(path)}, which is not an endpoint. Use a path below BASE_PATH, such as /get-session`,
				);
		return { endpoints: API_KEY_ENDPOINTS };
	},
	{ needed: pluginsSection.variables },
);

export type ApiKeyConfig = ReturnType<(typeof apiKeySection)["read"]>;
