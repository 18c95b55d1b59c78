import { readFileSync } from "node:fs";
import { type Connection, createConnection, createPool } from "mysql2/promise";
import { onceAsFile, type Template } from "../templates.ts";
import { at, newName, type Row, type TestDatabase } from "./test-database.ts";

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306/mysql";

export const createMysql = async (template?: Template): Promise<TestDatabase> => {
	const name = newName();
	const admin = await createConnection({ uri: MYSQL_URL, multipleStatements: true });
	const tables = template ? await recordTables(admin, template) : "";
	await admin.query(`create database ${name}; use ${name}; ${tables}`);
	const statements: string[] = [];
	// the engine compares dates; without a fixed time zone the driver would shift them
	const pool = createPool({ uri: at(MYSQL_URL, name), connectionLimit: 10, timezone: "Z" });
	pool.pool.on("connection", (connection) => {
		const send = connection.query.bind(connection) as (...args: unknown[]) => unknown;
		Object.assign(connection, {
			query: (...args: unknown[]) => {
				statements.push(typeof args[0] === "string" ? args[0] : String((args[0] as { sql?: string }).sql));
				return send(...args);
			},
		});
	});
	const beside = createPool({ uri: at(MYSQL_URL, name), connectionLimit: 2, timezone: "Z" });
	return {
		kind: "mysql",
		connection: pool,
		statements,
		query: async (sql) => (await beside.query(sql.replaceAll('"', "`")))[0] as Row[],
		close: async () => {
			await pool.end();
			await beside.end();
			await admin.query(`drop database ${name}`);
			await admin.end();
		},
	};
};

/** The statements that create the template's tables and indexes, as the server describes them after the migration. */
const recordTables = async (admin: Connection, { key, migrate }: Template): Promise<string> => {
	const path = await onceAsFile(`mysql-${key}.sql`, async () => {
		const name = newName();
		await admin.query(`create database ${name}`);
		const pool = createPool({ uri: at(MYSQL_URL, name), connectionLimit: 1, timezone: "Z" });
		try {
			await migrate(pool);
			const [tables] = await pool.query("show tables");
			const made: string[] = [];
			for (const table of (tables as Row[]).flatMap((row) => Object.values(row))) {
				const [described] = await pool.query("show create table ??", [table]);
				made.push(String((described as Row[])[0]?.["Create Table"]));
			}
			// tables reference later tables
			return ["set foreign_key_checks = 0", ...made, "set foreign_key_checks = 1"].join(";\n");
		} finally {
			await pool.end();
			await admin.query(`drop database ${name}`);
		}
	});
	return readFileSync(path, "utf8");
};
