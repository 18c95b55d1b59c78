import pg from "pg";
import type { DatabaseConfig } from "../config/database.ts";
import type { Logger } from "../observe/logger.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { noticeOutage } from "./outage.ts";

/**
 * Creates the pool of PostgreSQL connections. Statements are unnamed and sessions have no settings, so it works through
 * PgBouncer in transaction mode.
 *
 * With several hosts, the one that accepts writes is used, like target_session_attrs=read-write in libpq.
 */
export const createPool = (config: DatabaseConfig, logger: Logger): pg.Pool => {
	const { urls, poolSize, connectTimeout, queryTimeout } = config;
	// each host gets its share of the timeout, so requests finish in time even if the first host hangs
	const patience = (connectTimeout * 1000) / urls.length;
	const hosts = createHosts(urls, patience, logger);
	const pool = new PrimaryPool(hosts, {
		max: poolSize,
		connectionTimeoutMillis: patience,
		// enforced here, because the server's own limit would be a session setting
		query_timeout: queryTimeout * 1000,
		idleTimeoutMillis: 60_000,
		// picks up a changed DNS entry eventually
		maxLifetimeSeconds: 3_600,
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
		Client: class extends pg.Client {
			constructor(options?: pg.ClientConfig) {
				super({ ...options, connectionString: hosts.next() });
				hosts.remember(this);
			}
		},
		onConnect: async (client) => {
			await hosts.admit(client);
			watchQueries(client, hosts);
		},
	});
	// Without listeners, a broken connection would crash the process: the pool only listens on idle connections, and a
	// connection in use may be between two statements, for example while a password is hashed. Its next statement fails
	// on its own.
	const onError = ({ name, message }: Error) => logger.warn({ err: { name, message } }, "database connection lost");
	pool.on("error", onError);
	pool.on("connect", (client) => client.on("error", onError));
	// before it becomes idle: the pool drops connections that are ending, so an open transaction is never reused
	pool.on("release", (_error, client) => {
		if (hosts.isStale(client) || client.getTransactionStatus() !== "I") void client.end();
	});
	return pool;
};

type Callback = (
	error: Error | undefined,
	client: pg.PoolClient | undefined,
	release: pg.PoolClient["release"],
) => void;

/** A pool that tries the next host if one is down or read-only, and never returns a connection to a former primary. */
class PrimaryPool extends pg.Pool {
	readonly #hosts: Hosts;

	constructor(hosts: Hosts, options: pg.PoolConfig) {
		super(options);
		this.#hosts = hosts;
	}

	override connect(): Promise<pg.PoolClient>;
	override connect(callback: Callback): void;
	override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
		const found = this.#connectToPrimary();
		if (!callback) return found;
		found.then(
			(client) => callback(undefined, client, client.release),
			(error: Error) => callback(error, undefined, () => {}),
		);
		return undefined;
	}

	async #connectToPrimary(): Promise<pg.PoolClient> {
		for (let failures = 0; ; ) {
			const tried = this.#hosts.current();
			const opensOne = this.idleCount === 0 && this.totalCount < this.options.max;
			try {
				const client = await super.connect();
				if (!this.#hosts.isStale(client)) return client;
				client.release(true);
			} catch (error) {
				failures += 1;
				if (opensOne) this.#hosts.moveOn(tried);
				// an exhausted pool is no reason to try another host
				if (failures < this.#hosts.count && this.#hosts.current() !== tried) continue;
				noticeOutage();
				throw error;
			}
		}
	}
}

/** Updates the connection's state when a statement fails. */
const watchQueries = (client: pg.ClientBase, hosts: Hosts): void => {
	client.query = new Proxy(client.query, {
		apply: (query, self, args) => {
			const result: unknown = Reflect.apply(query, self, args);
			// only the pool's own query() passes a callback, and it drops the connection after any error
			if (result instanceof Promise)
				result.catch((error: unknown) => {
					const answer = error instanceof pg.DatabaseError ? error : null;
					if (!answer || isTemporary(answer)) noticeOutage();
					if (!answer) endAtOnce(client);
					else if (isDemotion(answer)) hosts.demote(client);
				});
			return result;
		},
	});
};

/**
 * Closes a connection whose server did not respond in time. Its statement may still be running, and anything sent
 * afterwards would wait behind it. Closing also rolls back.
 */
const endAtOnce = (client: pg.ClientBase): void => {
	if (client instanceof pg.Client) void client.end();
};

/**
 * The server refuses writes or is shutting down (class 57, Operator Intervention): read_only_sql_transaction,
 * admin_shutdown, …
 */
const isDemotion = ({ code }: pg.DatabaseError): boolean => code === "25006" || /^57P0[123]$/.test(code ?? "");

/** The statement may be retried (classes 08, 40, 53, 55 and 57 of PostgreSQL's appendix A). */
const isTemporary = (error: pg.DatabaseError): boolean =>
	isDemotion(error) || /^(08|40|53|55|57)/.test(error.code ?? "");
