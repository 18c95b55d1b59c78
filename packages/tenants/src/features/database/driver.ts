import type { AuthContext } from "@better-auth/core";

export type Dialect = "postgres" | "mysql" | "sqlite";
export type Row = Record<string, unknown>;

/** A database whose tables and indexes can be read. */
export type Driver = {
	dialect: Dialect;
	/** the ORM whose tool creates the tables; null if the engine's migration does */
	orm: "drizzle" | "prisma" | null;
	ask: (sql: string) => Promise<Row[]>;
};

/** The parts of the engine's context that are needed here. The full type would not match every configuration. */
export type EngineDatabase = {
	adapter: { id: string; options?: unknown };
	options: { database?: unknown; plugins?: readonly { id: string; options?: unknown }[] };
	tables: AuthContext["tables"];
};

/**
 * Finds a driver to query the database directly, because the engine's adapters do not list indexes. It uses the
 * `database` option, or `client` for an ORM, whose adapter does not expose its client. Null if neither can be queried.
 */
export const findDriver = ({ adapter, options }: EngineDatabase, client: unknown): Driver | null =>
	fromEngine(options.database) ?? fromOrm(client, adapter);

/** Whether the database is MySQL or MariaDB. */
export const isMysql = ({ adapter, options: { database } }: EngineDatabase): boolean =>
	(isObject(database) && (database.type === "mysql" || has(database, "getConnection"))) ||
	dialectOfOrm(adapter) === "mysql";

/** Whether one of the engine's adapters whose conditions we know (Kysely, Drizzle, Prisma) writes to PostgreSQL. */
export const isPostgres = ({ adapter, options: { database } }: EngineDatabase): boolean =>
	adapter.id === "kysely"
		? fromEngine(database)?.dialect === "postgres"
		: ["drizzle", "prisma"].includes(adapter.id) && dialectOfOrm(adapter) === "postgres";

export const isObject = (value: unknown): value is Record<string, unknown> =>
	(typeof value === "object" || typeof value === "function") && value !== null;
export const has = <Name extends string>(
	value: unknown,
	name: Name,
): value is Record<Name, (...args: unknown[]) => unknown> => isObject(value) && typeof value[name] === "function";

/** Recognizes drivers in the same way as the engine: by their methods. */
const fromEngine = (database: unknown): Driver | null => {
	if (!isObject(database)) return null;
	const orm = null;
	if (has(database.db, "executeQuery")) {
		const { db, type } = database;
		return isDialect(type) ? { dialect: type, orm, ask: (sql) => execute(db, sql) } : null;
	}
	if (has(database.dialect, "createDriver")) {
		return isDialect(database.type) ? { dialect: database.type, orm, ask: askDialect(database.dialect) } : null;
	}
	if (has(database, "prepare")) {
		const ask = async (sql: string) => {
			const statement = database.prepare(sql);
			const found = has(statement, "all") ? await statement.all() : [];
			// Cloudflare's D1 is async and returns the rows in `results`
			return (isObject(found) && Array.isArray(found.results) ? found.results : found) as Row[];
		};
		return { dialect: "sqlite", orm, ask };
	}
	if (has(database, "getConnection")) return { dialect: "mysql", orm, ask: askMysql(database) };
	if (has(database, "connect") && has(database, "query")) {
		const ask = async (sql: string) => ((await database.query(sql)) as { rows: Row[] }).rows;
		return { dialect: "postgres", orm, ask };
	}
	return null;
};

type Adapter = EngineDatabase["adapter"];

const ORM_DIALECTS: Record<string, Dialect> = {
	pg: "postgres",
	postgresql: "postgres",
	mysql: "mysql",
	sqlite: "sqlite",
};

const dialectOfOrm = ({ options }: Adapter): Dialect | undefined =>
	isObject(options) ? ORM_DIALECTS[String(options.provider)] : undefined;

const fromOrm = (client: unknown, adapter: Adapter): Driver | null => {
	const dialect = dialectOfOrm(adapter);
	if (!dialect) return null;
	if (adapter.id === "prisma" && has(client, "$queryRawUnsafe")) {
		return { dialect, orm: "prisma", ask: async (sql) => (await client.$queryRawUnsafe(sql)) as Row[] };
	}
	if (adapter.id !== "drizzle") return null;
	// Drizzle's SQLite has all(); the others have execute(), whose result depends on the driver
	if (dialect === "sqlite" && has(client, "all")) {
		return { dialect, orm: "drizzle", ask: async (sql) => (await client.all(sql)) as Row[] };
	}
	if (!has(client, "execute")) return null;
	return { dialect, orm: "drizzle", ask: async (sql) => rowsOf(await client.execute(sql)) };
};

const rowsOf = (result: unknown): Row[] => {
	if (!Array.isArray(result)) return (result as { rows: Row[] }).rows;
	return Array.isArray(result[0]) ? result[0] : result;
};

type KyselyConnection = Record<"executeQuery", (...args: unknown[]) => unknown>;
type KyselyDriver = {
	init: () => Promise<void>;
	acquireConnection: () => Promise<KyselyConnection>;
	releaseConnection: (connection: KyselyConnection) => Promise<void>;
};

/** For a Kysely dialect. Its driver is not destroyed, because that would close the application's pool. */
const askDialect =
	(dialect: Record<"createDriver", (...args: unknown[]) => unknown>): Driver["ask"] =>
	async (sql) => {
		const driver = dialect.createDriver() as KyselyDriver;
		await driver.init();
		const connection = await driver.acquireConnection();
		try {
			return await execute(connection, sql);
		} finally {
			await driver.releaseConnection(connection);
		}
	};

const isDialect = (type: unknown): type is Dialect => type === "postgres" || type === "mysql" || type === "sqlite";

const askMysql = (pool: unknown): Driver["ask"] => {
	// mysql2's plain pool uses callbacks; promise() returns the promise version
	const promised = has(pool, "promise") ? pool.promise() : pool;
	return async (sql) => (has(promised, "query") ? ((await promised.query(sql)) as [Row[]])[0] : []);
};

/** Builds the same object as Kysely's CompiledQuery.raw, without depending on Kysely. */
const execute = async (on: KyselyConnection, text: string): Promise<Row[]> => {
	const query = { kind: "RawNode", sqlFragments: [text], parameters: [] };
	const result = await on.executeQuery({ sql: text, parameters: [], query, queryId: { queryId: crypto.randomUUID() } });
	return (result as { rows: Row[] }).rows;
};
