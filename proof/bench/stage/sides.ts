import { type TenantAuthOptions, tenantAuth } from "better-auth-tenants";
import { fromSubdomain } from "better-auth-tenants/resolvers";
import { Redis } from "ioredis";
import { type Engine, type EngineSettings, type HandlerName, startEngine } from "./engine.ts";

/** Where sessions are stored, how passwords are hashed, and whether tenants have hosts of their own. */
export type Setting = "PostgreSQL" | "Redis" | "cookie cache" | "scrypt" | "hosts";

/** The engine, the engine with the same number of endpoints as the plugin, or the engine with tenants. */
type Kind = "bare" | "endpoints" | "tenants";

export type StartedSide = {
	engine: Engine;
	/** the tenant of the n-th user; undefined without tenants */
	tenantOf: (number: number) => string | undefined;
	close: () => Promise<void>;
};

/** The slug of the n-th user's tenant. */
export const slugOf = (number: number): string => `bench-${number % TENANTS}`;

/** The number of tenants that users are spread over. */
export const TENANTS = 10;

/** The servers that all sides share. */
export type Servers = {
	postgres: string;
	redisPort: number;
	gitlab: { issuer: string; clientId: string; clientSecret: string };
};

export type SideSettings = {
	/** of its database, so each side of a run needs another one */
	name: string;
	kind: Kind;
	handler: HandlerName;
	setting: Setting;
	servers: Servers;
	/** the plugin's defaults without it */
	tenantCache?: TenantAuthOptions["tenantCache"];
};

/** Starts a side with its own database. */
export const startSide = async (settings: SideSettings): Promise<StartedSide> => {
	const { name, kind, handler, setting, tenantCache } = settings;
	const { postgres, redisPort, gitlab } = settings.servers;
	const redis = setting === "Redis" ? new Redis(redisPort, "127.0.0.1") : undefined;
	const engine = await startEngine({
		postgres,
		database: `${name} ${setting}`,
		tenants:
			kind === "tenants"
				? {
						oauth: { allowPrivateHosts: true },
						...(tenantCache ? { tenantCache } : {}),
						...(setting === "hosts" ? { resolveTenantId: fromSubdomain({ domain: "localhost" }) } : {}),
					}
				: null,
		// the engine rebuilds its router for each request, so every endpoint of every plugin has a cost
		plugins: kind === "endpoints" ? [{ id: "endpoints-alone", endpoints: tenantAuth().endpoints }] : [],
		...settingsOf(setting),
		redis,
		gitlab,
		handler,
	});
	const tenants: string[] = [];
	if (kind === "tenants")
		for (let number = 0; number < TENANTS; number += 1) tenants.push(await engine.newTenant(slugOf(number)));
	return {
		engine,
		tenantOf: (number) => tenants[number % TENANTS],
		close: async () => {
			await engine.close();
			redis?.disconnect();
		},
	};
};

const settingsOf = (setting: Setting): Pick<EngineSettings, "hashing" | "cookieCache" | "byHost"> => ({
	hashing: setting === "scrypt" ? "scrypt" : "cheap",
	...(setting === "cookie cache" ? { cookieCache: true } : {}),
	...(setting === "hosts" ? { byHost: true } : {}),
});
