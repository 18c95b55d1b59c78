import type { Values } from "./config.ts";
import { list } from "./variables.ts";

export const PLUGIN_NAMES = [
	"admin",
	"bearer",
	"email-otp",
	"jwt",
	"magic-link",
	"multi-session",
	"open-api",
	"organization",
	"two-factor",
	"username",
] as const;

export type PluginName = (typeof PLUGIN_NAMES)[number];

export const pluginVariables = {
	PLUGINS: list().meta({
		description: `Plugins of the engine, by commas: ${PLUGIN_NAMES.join(", ")}. Run migrate after a change`,
	}),
};

export const readPlugins = ({ PLUGINS, SMTP_URL }: Values, mistakes: string[]): PluginName[] => {
	for (const name of PLUGINS)
		if (!PLUGIN_NAMES.some((known) => known === name))
			mistakes.push(`PLUGINS holds ${JSON.stringify(name)}. Take of ${PLUGIN_NAMES.join(", ")}`);
	for (const name of ["magic-link", "email-otp"])
		if (PLUGINS.includes(name) && !SMTP_URL) mistakes.push(`PLUGINS has ${name}, which sends mail. Set SMTP_URL`);
	return PLUGIN_NAMES.filter((name) => PLUGINS.includes(name));
};
