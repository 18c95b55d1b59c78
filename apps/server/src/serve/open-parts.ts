import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { AuthServices } from "../auth/auth-services.ts";
import { type Auth, createAuth } from "../auth/create-auth.ts";
import { createDomains } from "../auth/domains-file.ts";
import type { Config } from "../config/config.ts";
import type { RedisConfig } from "../config/redis.ts";
import { JOBS_CONNECTIONS, PROBE_CONNECTIONS } from "../database/connections-of.ts";
import { readIdentity } from "../database/identity.ts";
import { createPool } from "../database/pool.ts";
import { registerProcess } from "../database/processes.ts";
import { createQueue } from "../jobs/queue.ts";
import { withinTime } from "../lib/time-limit.ts";
import { createMailer } from "../mail/mailer.ts";
import { createOutbox } from "../mail/outbox.ts";
import type { Logger } from "../observe/logger.ts";
import { createCache } from "../redis/cache.ts";
import { createRedis, type RedisClient } from "../redis/client.ts";
import { CLUSTER_REFUSED, isCluster } from "../redis/cluster.ts";
import { followDatabase } from "../redis/follow-database.ts";
import { probeRedis } from "../redis/probe.ts";
import { checkSchema, findPending } from "../schema/schema-check.ts";
import { schemaFingerprint } from "../schema/schema-fingerprint.ts";
import { createSmsSender } from "../sms/sms-sender.ts";
import type { createClosers } from "./closers.ts";
import { StartError, starting } from "./start-error.ts";

type Closers = ReturnType<typeof createClosers>;

/** Milliseconds to wait for Redis at startup. */
const REDIS_PATIENCE = 3_000;
const REDIS_FIX = "Check REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER, and the password";
/** Milliseconds at shutdown. Without a database it would take the time of the others, and the entry expires by itself. */
const UNREGISTER_LIMIT = 1_000;

/** Opens the database, Redis and mail, and returns checks of their health. */
export const openParts = async (config: Config, logger: Logger, closers: Closers) => {
	const pool = createPool(config.database, logger);
	closers.add("database", () => pool.end());
	await starting(
		"PostgreSQL does not respond",
		"Check DATABASE_URL, and that PostgreSQL is running and allows this host",
		() => pool.query("select 1"),
	);
	const probe = createPool({ ...config.database, poolSize: PROBE_CONNECTIONS }, logger);
	closers.add("database probe", () => probe.end());

	const redis = config.redis ? createRedis(config.redis, logger) : null;
	if (redis) {
		closers.add("redis", async () => {
			try {
				// waits for a connection if there is none, and would keep the process alive
				if (redis.status === "ready") await redis.quit();
			} finally {
				redis.disconnect();
			}
		});
		await waitFor(redis, config.redis?.cluster ?? [], logger);
	}
	const cache =
		redis && config.redis
			? createCache({
					redis,
					config: config.redis,
					database: probe,
					identity: await openIdentity(probe, config, logger, closers),
					maxAge: config.tenants.cacheMaxAge,
					logger,
				})
			: null;
	if (cache) closers.add("session cache", cache.sessions.stop);
	const sms = config.sms ? createSmsSender(config.sms, logger) : null;
	const jobsPool = createPool({ ...config.database, poolSize: JOBS_CONNECTIONS }, logger);
	closers.add("jobs database", () => jobsPool.end());
	const queue = createQueue(jobsPool);
	const smtp = config.mail.smtp ? createMailer(config.mail.smtp) : null;
	if (smtp) closers.add("mail", () => smtp.close());

	// without Redis, sessions are read from PostgreSQL: the service must not become unavailable because of it
	const probeCache = redis && config.redis ? probeOf(redis, config.redis) : null;
	const optional: Record<string, () => Promise<unknown>> = probeCache ? { redis: probeCache } : {};

	return {
		pool,
		probe,
		cache,
		sms,
		mailer: smtp && createOutbox(queue, config.secrets),
		/** for background jobs */
		jobs: { pool: jobsPool, queue, smtp },
		probeCache,
		checks: {
			required: { database: () => probe.query("select 1") },
			optional,
		},
	};
};

/** The identity of the database, which Redis must not be used without: it could have sessions of another one. */
const openIdentity = async (pool: Pool, { tenants }: Config, logger: Logger, closers: Closers) => {
	const database = await starting(
		"The identity of the database could not be read",
		"Check that the user in DATABASE_URL may call pg_control_system()",
		() => followDatabase({ read: () => readIdentity(pool), every: tenants.cacheMaxAge, logger }),
	);
	closers.add("database identity", database.close);
	return database.identity;
};

/** Checks whether a write succeeds. */
const probeOf = (redis: RedisClient, config: RedisConfig) => (): Promise<void> => probeRedis(redis, config);

/**
 * Waits a moment for Redis, which may be starting too. The service starts without it, so that a process can be restarted while it
 * is away. An error reply is a mistake in the configuration, and final.
 */
const waitFor = async (redis: RedisClient, cluster: readonly unknown[], logger: Logger): Promise<void> => {
	const deadline = performance.now() + REDIS_PATIENCE;
	try {
		await withinTime(REDIS_PATIENCE, untilAnswered(redis, deadline));
	} catch (error) {
		if (isReply(error)) throw new StartError(`Redis refuses this client (${String(error)}). ${REDIS_FIX}`);
		logger.warn({ err: error }, "Redis does not respond. Sessions are read from PostgreSQL until it does");
		return;
	}
	if (cluster.length === 0 && (await isCluster(redis))) throw new StartError(CLUSTER_REFUSED);
};

const isReply = (error: unknown): boolean => error instanceof Error && error.name === "ReplyError";

/** A starting Redis refuses connections. After the deadline it must end, as each attempt keeps the process alive. */
const untilAnswered = (redis: RedisClient, deadline: number): Promise<string> =>
	redis.ping().catch(async (error: unknown) => {
		if (isReply(error) || redis.status === "end" || performance.now() > deadline) throw error;
		await sleep(100);
		return untilAnswered(redis, deadline);
	});

/** Creates the engine, registers this process, and checks that the database has its tables. */
export const openAuth = async (parts: AuthServices, probe: Pool, closers: Closers): Promise<Auth> => {
	const { domainsFile } = parts.config.tenants;
	const domains = await starting(
		"TENANT_DOMAINS_FILE cannot be used",
		'Check the path, and use the form {"login.acme.com":"tenant id"}',
		async () => (domainsFile ? createDomains(domainsFile, parts.logger) : null),
	);
	const auth = createAuth({ ...parts, domains });
	await auth.$context;
	const schema = await schemaFingerprint(auth);
	// before the check: `migrate --contract` either knows of this process, or is complete when the schema is checked
	const unregister = await starting(
		"This process could not be registered",
		"Check that the user in DATABASE_URL may write to the table serviceProcess",
		() => registerProcess({ pool: probe, schema, logger: parts.logger }),
	);
	closers.add("registration", () => withinTime(UNREGISTER_LIMIT, unregister()));
	const [findings, pending] = await starting(
		"The schema could not be read",
		"Check that the user in DATABASE_URL may read it",
		async () => {
			const missing = await checkSchema(auth, parts.pool);
			return [missing, missing.length > 0 ? [] : await findPending(auth, parts.pool)] as const;
		},
	);
	if (findings.length > 0)
		throw new StartError(
			`The database schema does not match this version:\n${findings.map((finding) => `  - ${finding}`).join("\n")}\nRun migrate, then start again`,
		);
	// after the check of the schema, which knows whether changes are recorded
	await parts.cache?.sessions.start();
	if (pending.length > 0)
		parts.logger.warn({ pending }, "run migrate --contract when no process of the previous version is left");
	return auth;
};
