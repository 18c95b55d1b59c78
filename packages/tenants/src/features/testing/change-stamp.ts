import type { AuthContext } from "@better-auth/core";

type Sqlite = { prepare: (sql: string) => { get: () => unknown; all: () => unknown[] } };

/** How much was written to the database. */
export type ChangeStamp = {
	/** rows that this connection wrote */
	written: number;
	/** another number after a write of another connection */
	version: number;
};

export type WriteWatch = {
	stamp: () => ChangeStamp;
	/** the rows of a table as one text, which is the same if no row was written */
	textOf: (table: string) => string;
};

/**
 * Notices writes to the database, so that only tables that changed are read with Better Auth's adapter, which costs most of the
 * time of a run. Only for SQLite, which counts its writes. Undefined for other databases, whose tables are read after each call.
 */
export const watchWrites = ({ options, tables }: AuthContext): WriteWatch | undefined => {
	const { database } = options;
	if (!isSqlite(database)) return undefined;
	const written = database.prepare("select total_changes() as n");
	const version = database.prepare("pragma data_version");
	const readers = new Map<string, ReturnType<Sqlite["prepare"]>>();
	const readerOf = (table: string) => {
		const name = (tables[table]?.modelName ?? table).replaceAll('"', '""');
		const reader = readers.get(table) ?? database.prepare(`select * from "${name}"`);
		readers.set(table, reader);
		return reader;
	};
	return {
		stamp: () => ({ written: numberIn(written.get()), version: numberIn(version.get()) }),
		textOf: (table) =>
			JSON.stringify(readerOf(table).all(), (_, cell) => (typeof cell === "bigint" ? `${cell}n` : cell)),
	};
};

/** Whether nothing was written between two stamps but this many rows by this connection. */
export const isOnly = (rows: number, before: ChangeStamp | undefined, after: ChangeStamp | undefined): boolean =>
	before !== undefined && after?.written === before.written + rows && after.version === before.version;

const numberIn = (row: unknown): number => Number(Object.values(row ?? {})[0]);

/** better-sqlite3, bun:sqlite or node:sqlite, by the methods by which Better Auth tells them apart. */
const isSqlite = (database: unknown): database is Sqlite =>
	typeof database === "object" &&
	database !== null &&
	"prepare" in database &&
	["aggregate", "fileControl", "createSession"].some((method) => method in database);
