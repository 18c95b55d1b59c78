import type { AuthContext } from "@better-auth/core";

export type Dialect = "postgres" | "mysql" | "sqlite";
export type Row = Record<string, unknown>;

/** A database that can be asked what it is made of. */
export type Driver = {
	dialect: Dialect;
	/** whose tool makes the tables: the engine's migration, or the ORM's own */
	orm: "drizzle" | "prisma" | null;
	ask: (sql: string) => Promise<Row[]>;
};

/** As much of the engine's context as is needed here: all of it would not fit an engine with options of its own. */
export type EngineDatabase = {
	adapter: { id: string; options?: unknown };
	options: { database?: unknown; plugins?: readonly { id: string; options?: unknown }[] };
	tables: AuthContext["tables"];
};

/**
 * The engine's adapters do not tell which indexes there are, so the driver that the application handed to the engine is
 * asked. An ORM's adapter keeps its client to itself: `client` is that client, handed to this plugin as well. Null where
 * nothing can be asked.
 */
export const findDriver = ({ adapter, options }: EngineDatabase, client: unknown): Driver | null =>
	fromEngine(options.database) ?? fromOrm(client, adapter);

/** Whether the rows lie in MySQL or MariaDB. */
export const isMysql = ({ adapter, options: { database } }: EngineDatabase): boolean =>
	(isObject(database) && (database.type === "mysql" || has(database, "getConnection"))) ||
	dialectOfOrm(adapter) === "mysql";

export const isObject = (value: unknown): value is Record<string, unknown> =>
	(typeof value === "object" || typeof value === "function") && value !== null;
export const has = <Name extends string>(
	value: unknown,
	name: Name,
): value is Record<Name, (...args: unknown[]) => unknown> => isObject(value) && typeof value[name] === "function";

/** Tells the drivers apart as the engine does: by what they can do. */
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
			// Cloudflare's D1 answers later, and the rows beside what they cost
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
	// Drizzle's SQLite has all(); the others have execute(), which answers in the shape of the driver below
	if (dialect === "sqlite" && has(client, "all")) {
		return { dialect, orm: "drizzle", ask: async (sql) => (await client.all(sql)) as Row[] };
	}
	if (!has(client, "execute")) return null;
	return { dialect, orm: "drizzle", ask: async (sql) => rowsOf(await client.execute(sql)) };
};

const rowsOf = (answer: unknown): Row[] => {
	if (!Array.isArray(answer)) return (answer as { rows: Row[] }).rows;
	return Array.isArray(answer[0]) ? answer[0] : answer;
};

type KyselyConnection = Record<"executeQuery", (...args: unknown[]) => unknown>;
type KyselyDriver = {
	init: () => Promise<void>;
	acquireConnection: () => Promise<KyselyConnection>;
	releaseConnection: (connection: KyselyConnection) => Promise<void>;
};

/** A dialect that the engine makes its own Kysely from. Its driver is not destroyed: that would end the application's pool. */
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
	// mysql2's plain pool works by callback and has a promise view of itself
	const promised = has(pool, "promise") ? pool.promise() : pool;
	return async (sql) => (has(promised, "query") ? ((await promised.query(sql)) as [Row[]])[0] : []);
};

/** What Kysely's own CompiledQuery.raw makes, without depending on Kysely. */
const execute = async (on: KyselyConnection, text: string): Promise<Row[]> => {
	const query = { kind: "RawNode", sqlFragments: [text], parameters: [] };
	const answer = await on.executeQuery({ sql: text, parameters: [], query, queryId: { queryId: crypto.randomUUID() } });
	return (answer as { rows: Row[] }).rows;
};
