import type { BetterAuthOptions } from "@better-auth/core";

export type UniqueIndex = {
	name: string;
	/** plain columns; expressions are not among them */
	columns: string[];
	/** it holds for some rows only, or not yet */
	partial: boolean;
};
type Row = Record<string, unknown>;
type Ask = (sql: Record<Dialect, string>) => Promise<Row[]>;
type Dialect = "postgres" | "mysql" | "sqlite";

/**
 * The unique indexes of a table as the database has them. The engine's adapters do not tell, so the driver that the
 * application handed to the engine is asked. Null for databases behind an ORM's adapter, which cannot be asked.
 */
export const readUniqueIndexes = async (
	database: BetterAuthOptions["database"],
	table: string,
): Promise<UniqueIndex[] | null> => {
	// the name stands inside a literal below
	if (!/^[\w.-]+$/.test(table)) return null;
	const ask = askDriver(database);
	if (!ask) return null;
	const rows = await ask({
		postgres: `select c.relname as name, (select string_agg(a.attname, ',') from unnest(x.indkey::int2[]) with ordinality as k(attnum, place) join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum where k.place <= x.indnkeyatts) as columns, (x.indpred is not null or not x.indisvalid) as partial from pg_index x join pg_class c on c.oid = x.indexrelid where x.indisunique and x.indrelid = to_regclass('"${table}"')`,
		mysql: `select index_name as name, group_concat(column_name) as columns, max(sub_part is not null) as partial from information_schema.statistics where table_schema = database() and table_name = '${table}' and non_unique = 0 group by index_name`,
		sqlite: `select l.name as name, group_concat(i.name) as columns, max(l.partial) as partial from pragma_index_list('${table}') l join pragma_index_info(l.name) i where l."unique" = 1 group by l.name`,
	});
	return rows.map((row) => ({
		name: String(row.name ?? row.NAME),
		columns: String(row.columns ?? row.COLUMNS ?? "")
			.split(",")
			.filter(Boolean),
		partial: Boolean(Number(row.partial ?? row.PARTIAL ?? 0)),
	}));
};

/** Whether the engine was given a MySQL or MariaDB database. */
export const isMysql = (database: BetterAuthOptions["database"]): boolean =>
	isObject(database) && (database.type === "mysql" || has(database, "getConnection"));

const isObject = (value: unknown): value is Record<string, unknown> =>
	(typeof value === "object" || typeof value === "function") && value !== null;
const has = <Name extends string>(value: unknown, name: Name): value is Record<Name, (...args: unknown[]) => unknown> =>
	isObject(value) && typeof value[name] === "function";

/** Tells the drivers apart as the engine does: by what they can do. */
const askDriver = (database: BetterAuthOptions["database"]): Ask | null => {
	if (!isObject(database)) return null;
	if (has(database.db, "executeQuery")) return askKysely(database.db, database.type);
	if (has(database.dialect, "createDriver")) return askDialect(database.dialect, database.type);
	if (has(database, "prepare")) {
		return async ({ sqlite }) => {
			const statement = database.prepare(sqlite);
			return has(statement, "all") ? (statement.all() as Row[]) : [];
		};
	}
	if (has(database, "getConnection")) return askMysql(database);
	if (has(database, "connect") && has(database, "query")) {
		return async ({ postgres }) => ((await database.query(postgres)) as { rows: Row[] }).rows;
	}
	return null;
};

type KyselyConnection = Record<"executeQuery", (...args: unknown[]) => unknown>;
type KyselyDriver = {
	init: () => Promise<void>;
	acquireConnection: () => Promise<KyselyConnection>;
	releaseConnection: (connection: KyselyConnection) => Promise<void>;
};

/** A dialect that the engine makes its own Kysely from. Its driver is not destroyed: that would end the application's pool. */
const askDialect = (dialect: Record<"createDriver", (...args: unknown[]) => unknown>, type: unknown): Ask | null => {
	if (!isDialect(type)) return null;
	return async (sql) => {
		const driver = dialect.createDriver() as KyselyDriver;
		await driver.init();
		const connection = await driver.acquireConnection();
		try {
			return await execute(connection, sql[type]);
		} finally {
			await driver.releaseConnection(connection);
		}
	};
};

const isDialect = (type: unknown): type is Dialect => type === "postgres" || type === "mysql" || type === "sqlite";

const askMysql = (pool: unknown): Ask => {
	// mysql2's plain pool works by callback and has a promise view of itself
	const promised = has(pool, "promise") ? pool.promise() : pool;
	return async ({ mysql }) => (has(promised, "query") ? ((await promised.query(mysql)) as [Row[]])[0] : []);
};

const askKysely = (db: KyselyConnection, type: unknown): Ask | null =>
	isDialect(type) ? (sql) => execute(db, sql[type]) : null;

/** What Kysely's own CompiledQuery.raw makes, without depending on Kysely. */
const execute = async (on: KyselyConnection, text: string): Promise<Row[]> => {
	const query = { kind: "RawNode", sqlFragments: [text], parameters: [] };
	const answer = await on.executeQuery({ sql: text, parameters: [], query, queryId: { queryId: crypto.randomUUID() } });
	return (answer as { rows: Row[] }).rows;
};
