import { randomBytes } from "node:crypto";
import { redisStorage } from "@better-auth/redis-storage";
import type { BetterAuthOptions, DBAdapter } from "better-auth";
import { withKeyScan } from "better-auth-tenants";
import type Sqlite from "better-sqlite3";
import { Redis } from "ioredis";
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely";
import type { Pool } from "pg";
import { createDatabase, type TestDatabase } from "test-kit/databases";
import { templateOf } from "test-kit/templates";
import { buildOptions, type Outbox } from "./build-auth.ts";
import { type Answer, type Call, createCall } from "./call.ts";
import { deferred } from "./deferred.ts";
import { gateDialect } from "./gated-dialect.ts";
import { gateStorage } from "./gated-storage.ts";
import { lockWatch } from "./locks.ts";
import { createScheduler, type IsBlocked } from "./scheduler.ts";
import type { Store } from "./stores.ts";

export type World = Awaited<ReturnType<typeof startWorld>>;

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** The application on one store, in this process, so that its requests can stop at their awaits. */
export const startWorld = async ({ database: kind, sessions, hasStoredKeys = false }: Store, source: string) => {
	const closing: (() => Promise<unknown>)[] = [];
	const stop = async (): Promise<void> => {
		for (const close of closing.splice(0).reverse()) await close();
	};
	const outbox: Outbox = new Map();
	// the database needs the options for its tables, and the options need the database
	let isBlocked: IsBlocked = async () => false;
	const scheduler = createScheduler((ticket, others) => isBlocked(ticket, others));
	try {
		const engine: Partial<BetterAuthOptions> = {};
		if (sessions !== "database") {
			const client = new Redis(REDIS_URL);
			const keyPrefix = `rights-${randomBytes(6).toString("hex")}:`;
			closing.push(async () => {
				const keys = await client.keys(`${keyPrefix}*`);
				if (keys.length > 0) await client.del(...keys);
				await client.quit();
			});
			engine.secondaryStorage = gateStorage(withKeyScan(redisStorage, { client, keyPrefix }), scheduler);
			if (sessions === "both") engine.session = { storeSessionInDatabase: true };
		}
		const built = await buildOptions({ source, hasStoredKeys, outbox, scheduler, engine });
		const database = await createDatabase(kind, templateOf(built.options));
		closing.push(database.close);
		// the default is a second per deadlock, and nothing here survives the run
		if (kind === "postgres")
			for (const setting of ["deadlock_timeout = 20", "synchronous_commit = off"])
				await database.query(
					`do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
				);
		isBlocked = lockWatch(database);
		const db = new Kysely<never>({ dialect: gateDialect(dialectOf(database), scheduler, kind === "sqlite") });
		const { handler, context, runWithTenant } = await built.start({ database: { db, type: kind, transaction: true } });
		skipKeySweep(context.adapter);
		const call = createCall(handler);
		/** Runs something to its end, between the requests of the model. */
		const alone = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
			const outcome = deferred<Result>();
			// awaited below, when the request has run
			outcome.promise.catch(() => {});
			const ticket = scheduler.start(name, () => run().then(outcome.resolve, outcome.reject));
			await scheduler.run(ticket, null);
			return outcome.promise;
		};
		return {
			scheduler,
			outbox,
			database,
			call,
			ask: (path: string, sent: Call): Promise<Answer> => alone(path, () => call(path, sent)),
			asServer: <Result>(tenantId: string, run: (engine: typeof context) => Promise<Result>): Promise<Result> =>
				alone("server code", () => runWithTenant(tenantId, () => run(context))),
			hasTable: (name: string): boolean => name in context.tables,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
};

/**
 * The plugin of API keys deletes expired ones every ten seconds. No key expires here, and an await that depends on the clock would
 * change what a seed gives.
 */
const skipKeySweep = (adapter: DBAdapter): void => {
	const { deleteMany } = adapter;
	// in place, because others have a reference to it
	Object.assign(adapter, {
		deleteMany: async (query: Parameters<typeof deleteMany>[0]) =>
			query.model === "apikey" && query.where.some(({ field }) => field === "expiresAt") ? 0 : deleteMany(query),
	});
};

const dialectOf = ({ kind, connection }: TestDatabase): Dialect => {
	if (kind === "postgres") return new PostgresDialect({ pool: connection as Pool });
	if (kind === "mysql") return new MysqlDialect(connection as never);
	const database = connection as InstanceType<typeof Sqlite>;
	// nothing here survives the run
	database.pragma("journal_mode = wal");
	database.pragma("synchronous = off");
	return new SqliteDialect({ database });
};
