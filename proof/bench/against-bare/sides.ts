import { tenantAuth } from "better-auth-tenants";
import { Redis } from "ioredis";
import { type Engine, type EngineSettings, startEngine } from "../stage/engine.ts";

/** Where a session is looked up, and how passwords are hashed. */
export type Setting = "PostgreSQL" | "Redis" | "cookie cache" | "scrypt";

/** The engine, the engine with as many endpoints more as tenants bring, and the engine with tenants. */
export const SIDES = ["bare", "endpoints", "tenants"] as const;
export type SideName = (typeof SIDES)[number];

export type StartedSide = {
	engine: Engine;
	/** the tenant of the n-th person; nobody's without tenants */
	tenantOf: (number: number) => string | undefined;
	close: () => Promise<void>;
};

/** People take turns between so many of them. */
export const TENANTS = 10;

/** The servers that all sides share. */
export type Servers = {
	postgres: string;
	redisPort: number;
	gitlab: { issuer: string; clientId: string; clientSecret: string };
};

/** Starts one of them, with a database of its own. */
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
		// the engine makes its router anew for each request, so that every endpoint of every plugin has its price
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
