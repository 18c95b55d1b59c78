import type { DatabaseKind } from "test-kit/databases";

/** Where sessions are: in the database, in Redis with a copy in the database, or in Redis alone. */
type Sessions = "database" | "both" | "redis";

export type Store = { name: string; database: DatabaseKind; sessions: Sessions; hasStoredKeys?: boolean };

const DATABASES: [DatabaseKind, string][] = [
	["sqlite", "SQLite"],
	["postgres", "PostgreSQL"],
	["mysql", "MariaDB"],
];

const SESSIONS: [Sessions, string][] = [
	["database", "sessions in the database"],
	["both", "sessions in Redis and the database"],
	["redis", "sessions in Redis alone"],
];

/** Every database with every place of sessions, and API keys in Redis. */
export const STORES: Store[] = [
	...DATABASES.flatMap(([database, title]) =>
		SESSIONS.map(([sessions, place]): Store => ({ name: `${title}, ${place}`, database, sessions })),
	),
	{
		name: "PostgreSQL, sessions and API keys in Redis alone",
		database: "postgres",
		sessions: "redis",
		hasStoredKeys: true,
	},
];
