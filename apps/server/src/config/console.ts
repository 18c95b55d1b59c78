import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { flag } from "./variables.ts";

/** The plugins that know who may see what. */
const REQUIRED = ["admin", "tenant-admin"];

export const consoleSection = defineSection(
	{
		CONSOLE: flag(false).meta({
			description:
				"Whether the service serves the console at /console, for operators, tenant admins and users, and has its endpoints: branding, sign-in counts, events and an overview. Owners can then also change the branding and the OAuth configs of their tenant. Requires PLUGINS with admin and tenant-admin. Run migrate after you enable it",
		}),
	},
	({ CONSOLE, PLUGINS }, mistakes) => {
		const missing = CONSOLE ? REQUIRED.filter((name) => !PLUGINS.includes(name)) : [];
		if (missing.length > 0)
			mistakes.push(`CONSOLE is true, but PLUGINS lacks ${missing.join(" and ")}. Add ${missing.join(",")} to PLUGINS`);
		return { enabled: CONSOLE };
	},
	{ needed: pluginsSection.variables },
);
