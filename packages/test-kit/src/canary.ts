import { expect } from "vitest";
import type { TestDatabase } from "./databases.ts";

/** Part of every client secret in tests. It may appear at the identity provider only. */
export const CANARY = "canary-5e0c1f7a";

/** A client secret that is recognizable wherever it leaks. */
export const canarySecret = (name: string): string => `${CANARY}-${name}-0123456789`;

const TABLES = {
	postgres: "select table_name as name from information_schema.tables where table_schema = 'public'",
	mysql: "select table_name as name from information_schema.tables where table_schema = database()",
	sqlite: "select name from sqlite_master where type = 'table'",
};

/** Searches every response, log and stored value of a world. */
export const expectNoCanary = async (said: string[], database: TestDatabase): Promise<void> => {
	expect(said.filter((text) => text.includes(CANARY))).toEqual([]);
	for (const { name } of await database.query(TABLES[database.kind])) {
		const rows = await database.query(`select * from "${name}"`);
		expect([name, JSON.stringify(rows).includes(CANARY)]).toEqual([name, false]);
	}
};
