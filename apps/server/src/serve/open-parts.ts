import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { AuthServices } from "../auth/auth-services.ts";
import { type Auth, createAuth } from "../auth/create-auth.ts";
import type { Config } from "../config/config.ts";
import { createPool } from "../database/pool.ts";
import { checkSchema } from "../database/schema-check.ts";
import { createQueue } from "../jobs/queue.ts";
import { createMailer } from "../mail/mailer.ts";
import { createOutbox } from "../mail/outbox.ts";
import type { Logger } from "../observe/logger.ts";
import { createRedis } from "../redis/client.ts";
import { CLUSTER_REFUSED, isCluster } from "../redis/cluster.ts";
import { createStorage } from "../redis/storage.ts";
import type { createClosers } from "./closers.ts";
import { StartError, starting } from "./start-error.ts";
import { withinTime } from "./time-limit.ts";

type Closers = ReturnType<typeof createClosers>;

/** Connections for jobs: one may delete rows for seconds while the other adds and finds mails. */
const JOBS_CONNECTIONS = 2;
/** Milliseconds to wait for Redis at startup. */
const REDIS_PATIENCE = 10_000;

/** Opens the database, Redis and mail, and returns checks of their health. */
export const openParts = async (config: Config, logger: Logger, closers: Closers) => {
	const pool = createPool(config.database, logger);
	closers.add("database", () => pool.end());
	await starting(
		"PostgreSQL does not respond",
		"Check DATABASE_URL, and that PostgreSQL is running and allows this host",
		() => pool.query("select 1"),
	);
	// a separate connection: a tenant that exhausts the pool must not make the load balancer remove this process
	const probe = createPool({ ...config.database, poolSize: 1 }, logger);
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
		await starting("Redis does not respond", "Check REDIS_URL or REDIS_SENTINELS, and that Redis is running", () =>
			withinTime(REDIS_PATIENCE, untilAnswered(redis, performance.now() + REDIS_PATIENCE)),
		);
		if (await isCluster(redis)) throw new StartError(CLUSTER_REFUSED);
	}
	const jobsPool = createPool({ ...config.database, poolSize: JOBS_CONNECTIONS }, logger);
	closers.add("jobs database", () => jobsPool.end());
	const queue = createQueue(jobsPool);
	const smtp = config.mail.smtp ? createMailer(config.mail.smtp) : null;
	if (smtp) closers.add("mail", () => smtp.close());

	// without Redis, sessions are read from PostgreSQL: the service must not become unavailable because of it
	const optional: Record<string, () => Promise<unknown>> = redis ? { redis: () => redis.ping() } : {};

	return {
		pool,
		storage: redis && config.redis ? createStorage(redis, config.redis) : null,
		mailer: smtp && createOutbox(queue, config.secrets),
		/** for background jobs */
		jobs: { pool: jobsPool, queue, smtp },
		isRedisReady: redis && (() => redis.status === "ready"),
		checks: {
			required: { database: () => probe.query("select 1") },
			optional,
		},
	};
};

/**
 * Retries until Redis responds, because a starting Redis refuses connections. An error reply from Redis is final. After the
 * deadline it must end, as each attempt keeps the process alive.
 */
const untilAnswered = (redis: Redis, deadline: number): Promise<string> =>
	redis.ping().catch(async (error: unknown) => {
		const isSaid = error instanceof Error && error.name === "ReplyError";
		if (isSaid || redis.status === "end" || performance.now() > deadline) throw error;
		await sleep(100);
		return untilAnswered(redis, deadline);
	});

/** Creates the engine and checks that the database has its tables. */
export const openAuth = async (parts: AuthServices): Promise<Auth> => {
	const auth = createAuth(parts);
	await auth.$context;
	const findings = await starting(
		"The schema could not be read",
		"Check that the user in DATABASE_URL may read it",
		() => checkSchema(auth, parts.pool),
	);
	if (findings.length > 0)
		throw new StartError(
			`The database schema does not match this version:\n${findings.map((finding) => `  - ${finding}`).join("\n")}\nRun migrate, then start again`,
		);
	return auth;
};
