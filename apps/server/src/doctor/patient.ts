import type { Pool } from "pg";
import { type Auth, createAuth } from "../auth/create-auth.ts";
import type { Config } from "../config/config.ts";
import { createPool } from "../database/pool.ts";
import { createMailer, type Mailer } from "../mail/mailer.ts";
import { createLogger } from "../observe/logger.ts";
import { createRedis, type RedisClient } from "../redis/client.ts";

/** The configured sections, and the connections that the checks share. */
export type Patient = {
	config: Partial<Config>;
	pool: Pool | null;
	redis: RedisClient | null;
	mailer: Mailer | null;
	/** the engine, if the configuration is complete */
	auth: () => Auth | null;
	close: () => Promise<void>;
};

/** Checks run in parallel with a time limit each, so timeouts are capped. */
const patiently = (database: Config["database"]): Config["database"] => ({
	...database,
	poolSize: 4,
	connectTimeout: Math.min(database.connectTimeout, 5),
	queryTimeout: Math.min(database.queryTimeout, 10),
});

/** Opens the configured connections. Nothing is logged, because the findings report it. */
export const openPatient = (config: Partial<Config>): Patient => {
	const logger = createLogger({ logLevel: "silent" });
	const pool = config.database ? createPool(patiently(config.database), logger) : null;
	const redis = config.redis ? createRedis(config.redis, logger) : null;
	const mailer = config.mail?.smtp ? createMailer(config.mail.smtp) : null;
	let auth: Auth | null = null;
	return {
		config,
		pool,
		redis,
		mailer,
		auth: () => {
			if (!auth && isWhole(config) && pool) {
				// no check reads a session or sends a mail
				auth = createAuth({ config, pool, cache: null, mailer: null, logger });
				auth.$context.catch(() => {}); // the check that uses the engine reports it
			}
			return auth;
		},
		close: async () => {
			redis?.disconnect();
			// does not wait for a host that drops packets
			const patience = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
			await Promise.race([Promise.all([pool?.end(), mailer?.close()]), patience]);
		},
	};
};

const SECTIONS = [
	"http",
	"secrets",
	"database",
	"redis",
	"mail",
	"jobs",
	"management",
	"tenants",
	"plugins",
	"apiKey",
	"device",
	"oauthProvider",
	"passkey",
	"sms",
	"scim",
	"session",
	"limits",
	"observe",
	"socialProviders",
] as const satisfies (keyof Config)[];

const isWhole = (config: Partial<Config>): config is Config =>
	SECTIONS.every((section) => config[section] !== undefined);
