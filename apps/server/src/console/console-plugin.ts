import type { BetterAuthPlugin } from "better-auth";
import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { CONSOLE_PLUGIN } from "../schema/console-tables.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { getBranding, updateBranding } from "./branding.ts";
import { getConsole } from "./get-console.ts";
import { getPlatform } from "./get-platform.ts";
import { listEvents } from "./list-events.ts";
import type { PlatformOverview } from "./platform-overview.ts";
import { getSignIns } from "./sign-ins.ts";

type ConsoleWith = {
	config: Config;
	api: ServerApi;
	pool: Pool;
	/** null in commands, which serve nobody */
	overview: (() => Promise<PlatformOverview>) | null;
};

/** The endpoints of the console, if CONSOLE turns them on. Without sign-in pages, `branding` belongs to the application. */
export const consolePlugins = ({ config, api, pool, overview }: ConsoleWith): BetterAuthPlugin[] => {
	if (!config.console.enabled) return [];
	return [
		{
			id: CONSOLE_PLUGIN,
			endpoints: {
				getConsole: getConsole({ config, api, pool }),
				getTenantSignIns: getSignIns({ api, pool }),
				listTenantEvents: listEvents({ api, pool }),
				...(config.pages.enabled
					? { getTenantBranding: getBranding({ api, pool }), updateTenantBranding: updateBranding({ api, pool }) }
					: {}),
				...(overview ? { getPlatform: getPlatform(overview) } : {}),
			},
		},
	];
};
