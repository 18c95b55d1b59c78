import pg from "pg";
import type { DatabaseConfig } from "../config/database.ts";
import type { Logger } from "../observe/logger.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { noticeOutage } from "./outage.ts";

/**
 * Connections to PostgreSQL. No statement has a name and nothing is set when a session begins, so that they may go by way
 * of PgBouncer in transaction mode.
 *
 * Of several hosts the one that takes writes is used, as libpq does with target_session_attrs=read-write.
 */
export const createPool = (config: DatabaseConfig, logger: Logger): pg.Pool => {
	const { urls, poolSize, connectTimeout, queryTimeout } = config;
	// each host gets its share of the time, so that requests are answered in time where the first one is silent
	const patience = (connectTimeout * 1000) / urls.length;
	const hosts = createHosts(urls, patience, logger);
	const pool = new PrimaryPool(hosts, {
		max: poolSize,
		connectionTimeoutMillis: patience,
		// watched over by us: the server's own limit would have to be set when a session begins
		query_timeout: queryTimeout * 1000,
		idleTimeoutMillis: 60_000,
		// a host name that leads somewhere else by now is noticed at last
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
	// Without listeners a connection that breaks would take the process along: the pool listens to idle ones alone, and one
	// that is handed out may be between two statements, as while a password is hashed. Its next statement fails by itself.
	const onError = ({ name, message }: Error) => logger.warn({ err: { name, message } }, "a database connection ended");
	pool.on("error", onError);
	pool.on("connect", (client) => client.on("error", onError));
	// before it is put back among the idle ones: the pool drops what is ending, and nobody inherits an open transaction
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

/** A pool that tries the next host where one is gone or read-only, and hands out nothing that leads to a former primary. */
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
				// a pool that is full all the time is no reason to ask elsewhere
				if (failures < this.#hosts.count && this.#hosts.current() !== tried) continue;
				noticeOutage();
				throw error;
			}
		}
	}
}

/** Notices what a statement's failure says about its connection. */
const watchQueries = (client: pg.ClientBase, hosts: Hosts): void => {
	client.query = new Proxy(client.query, {
		apply: (query, self, args) => {
			const result: unknown = Reflect.apply(query, self, args);
			// who passes a callback instead is the pool's own query(), which drops a connection after any error
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
 * The server did not answer in time, or at all. Its statement may still run, and what is sent after it would wait behind
 * it: a rollback too, for which the end of the connection does as well.
 */
const endAtOnce = (client: pg.ClientBase): void => {
	if (client instanceof pg.Client) void client.end();
};

/** It refuses to write, or goes down (class 57, Operator Intervention): read_only_sql_transaction, admin_shutdown, … */
const isDemotion = ({ code }: pg.DatabaseError): boolean => code === "25006" || /^57P0[123]$/.test(code ?? "");

/** Nothing is wrong with the statement: it may be tried again (classes 08, 40, 53, 55 and 57 of PostgreSQL's appendix A). */
const isTemporary = (error: pg.DatabaseError): boolean =>
	isDemotion(error) || /^(08|40|53|55|57)/.test(error.code ?? "");
