import { tenantAuth } from "better-auth-tenants";
import { Redis } from "ioredis";
import { type Engine, type EngineSettings, startEngine } from "../stage/engine.ts";

/** Where sessions are stored, and how passwords are hashed. */
export type Setting = "PostgreSQL" | "Redis" | "cookie cache" | "scrypt";

/** The engine, the engine with the same number of endpoints as the plugin, and the engine with tenants. */
export const SIDES = ["bare", "endpoints", "tenants"] as const;
export type SideName = (typeof SIDES)[number];

export type StartedSide = {
	engine: Engine;
	/** the tenant of the n-th user; undefined without tenants */
	tenantOf: (number: number) => string | undefined;
	close: () => Promise<void>;
};

/** The number of tenants that users are spread over. */
export const TENANTS = 10;

/** The servers that all sides share. */
export type Servers = {
	postgres: string;
	redisPort: number;
	gitlab: { issuer: string; clientId: string; clientSecret: string };
};

/** Starts one of them with its own database. */
export const startSide = async (
	name: SideName,
	setting: Setting,
	{ postgres, redisPort, gitlab }: Servers,
): Promise<StartedSide> => {
	const redis = setting === "Redis" ? new Redis(redisPort, "127.0.0.1") : undefined;
	const engine = await startEngine({
		postgres,
		database: `${name} ${setting}`,
		tenants: name === "tenants" ? { oauth: { allowPrivateHosts: true } } : null,
		// the engine rebuilds its router for each request, so every endpoint of every plugin has a cost
		plugins: name === "endpoints" ? [{ id: "endpoints-alone", endpoints: tenantAuth().endpoints }] : [],
		...settingsOf(setting),
		redis,
		gitlab,
	});
	const tenants: string[] = [];
	if (name === "tenants")
		for (let number = 0; number < TENANTS; number += 1) tenants.push(await engine.newTenant(`bench-${number}`));
	return {
		engine,
		tenantOf: (number) => tenants[number % TENANTS],
		close: async () => {
			await engine.close();
			redis?.disconnect();
		},
	};
};

const settingsOf = (setting: Setting): Pick<EngineSettings, "hashing" | "cookieCache"> => ({
	hashing: setting === "scrypt" ? "scrypt" : "cheap",
	...(setting === "cookie cache" ? { cookieCache: true } : {}),
});
