import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { runFolder } from "../run-folder.ts";
import { onceAsFile, type Template } from "../templates.ts";
import type { Row, TestDatabase } from "./test-database.ts";

export const createSqlite = async (template?: Template): Promise<TestDatabase> => {
	const folder = mkdtempSync(join(runFolder(), "sqlite-"));
	const file = join(folder, "test.sqlite");
	if (template) copyFileSync(await migratedFile(template), file);
	const statements: string[] = [];
	const database = new Database(file, { verbose: (sql) => statements.push(String(sql)) });
	database.pragma("foreign_keys = ON");
	const beside = new Database(file);
	return {
		kind: "sqlite",
		connection: database,
		statements,
		query: async (sql) => {
			const statement = beside.prepare(sql);
			if (statement.reader) return statement.all() as Row[];
			statement.run();
			return [];
		},
		close: async () => {
			database.close();
			beside.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
};

const migratedFile = ({ key, migrate }: Template): Promise<string> =>
	onceAsFile(`${key}.sqlite`, async () => {
		const database = new Database(":memory:");
		try {
			await migrate(database);
			return database.serialize();
		} finally {
			database.close();
		}
	});
