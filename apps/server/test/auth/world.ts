import { randomBytes } from "node:crypto";
import { createAuth } from "../../src/auth/create-auth.ts";
import { createDomains } from "../../src/auth/domains-file.ts";
import { readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { createQueue } from "../../src/jobs/queue.ts";
import { createMailer } from "../../src/mail/mailer.ts";
import { createOutbox } from "../../src/mail/outbox.ts";
import { createCache } from "../../src/redis/cache.ts";
import { createRedis } from "../../src/redis/client.ts";
import { startJobs } from "../../src/serve/start-jobs.ts";
import { createTestDatabase } from "../support/database.ts";
import { keepLines } from "./lines.ts";

export const PASSWORD = "correct horse battery";

type Call = { method?: string; body?: unknown; tenant?: string; headers?: Record<string, string>; host?: string };

const configOf = (environment: Record<string, string>) =>
	readConfig({
		AUTH_URL: "http://auth.example.com",
		AUTH_SECRET: "test-secret-of-32-characters-or-more",
		REQUIRE_EMAIL_VERIFICATION: environment.SMTP_URL ? "true" : "false",
		RATE_LIMIT: "false",
		// a busy machine is slow, and most tests ask for what Redis has
		REDIS_TIMEOUT: "5000",
		...environment,
	});

/** One process of the server without HTTP: engine, pool, storage and mails, configured by `environment`. */
export const openProcess = (environment: Record<string, string>) => {
	const config = configOf(environment);
	const { logger, lines } = keepLines();
	const pool = createPool(config.database, logger);
	const redis = config.redis ? createRedis(config.redis, logger) : null;
	const probe = createPool({ ...config.database, poolSize: 1 }, logger);
	const { cacheMaxAge: maxAge } = config.tenants;
	const cache =
		redis && config.redis
			? createCache({ redis, config: config.redis, database: probe, identity: () => "test", maxAge, logger })
			: null;
	void cache?.sessions.start();
	const jobsPool = createPool({ ...config.database, poolSize: 2 }, logger);
	const queue = createQueue(jobsPool);
	const smtp = config.mail.smtp ? createMailer(config.mail.smtp) : null;
	const mailer = smtp && createOutbox(queue, config.secrets);
	const { domainsFile } = config.tenants;
	const domains = domainsFile ? createDomains(domainsFile, logger) : null;
	const auth = createAuth({ config, pool, cache, mailer, logger, domains });
	const counts = { mails: { sent: 0, failed: 0 } };
	// other tests migrate the database first
	const worker =
		smtp && startJobs({ config, auth, jobs: { pool: jobsPool, queue, smtp }, counts, metrics: null, logger });

	const close = async (): Promise<void> => {
		await worker?.stop();
		smtp?.close();
		cache?.sessions.stop();
		redis?.disconnect();
		await Promise.all([pool.end(), probe.end(), jobsPool.end()]);
	};
	let closed: Promise<void> | undefined;

	/** A request as the HTTP server passes it to the engine. */
	const call = async (path: string, { method, body, tenant, headers, host = "auth.example.com" }: Call = {}) => {
		const answer = await auth.handler(
			new Request(`http://${host}${path.startsWith("/api/") ? path : `/api/auth${path}`}`, {
				method: method ?? (body === undefined ? "GET" : "POST"),
				headers: {
					host,
					"x-client-address": "192.0.2.7",
					...(body === undefined ? {} : { "content-type": "application/json" }),
					...(tenant ? { "x-tenant-id": tenant } : {}),
					...headers,
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			}),
		);
		const text = await answer.text();
		const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {};
		return { status: answer.status, headers: answer.headers, cookies: answer.headers.getSetCookie(), text, json };
	};

	return {
		config,
		auth,
		pool,
		redis,
		cache,
		mailer,
		queue,
		counts,
		lines,
		logger,
		call,
		signUp: (tenant: string, email: string, options: Call = {}) =>
			call("/tenant/sign-up/email", { tenant, body: { name: "Ada", email, password: PASSWORD }, ...options }),
		signIn: (tenant: string, email: string, options: Call = {}) =>
			call("/tenant/sign-in/email", { tenant, body: { email, password: PASSWORD }, ...options }),
		/** may be called again */
		close: (): Promise<void> => {
			closed ??= close();
			return closed;
		},
	};
};

export type Process = ReturnType<typeof openProcess>;

/** A process on its own database with two tenants. Everything is removed when the test ends. */
export const makeWorld = async (environment: Record<string, string> = {}) => {
	const database = await createTestDatabase((databaseURL) => configOf({ DATABASE_URL: databaseURL, ...environment }));
	const prefix = `test-${randomBytes(6).toString("hex")}:`;
	const closers: (() => Promise<void>)[] = [];
	const open = (more: Record<string, string> = {}): Process => {
		const opened = openProcess({ DATABASE_URL: database.url, REDIS_KEY_PREFIX: prefix, ...environment, ...more });
		closers.push(opened.close);
		return opened;
	};
	const first = open();
	const acme = await first.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const globex = await first.auth.api.createTenant({ body: { name: "Globex", slug: "globex" } });
	return {
		...first,
		acme,
		globex,
		/** another process on the same database and Redis */
		open,
		close: async (): Promise<void> => {
			if (first.redis?.status === "ready") {
				const keys = await first.redis.keys(`${prefix}*`);
				if (keys.length > 0) await first.redis.del(...keys);
			}
			await Promise.all(closers.map((close) => close()));
			await database.drop();
		},
	};
};

/** The cookies that a browser would send back. */
export const cookieHeader = (setCookies: string[]): string =>
	setCookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
