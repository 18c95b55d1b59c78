import { Client, Pool } from "pg";
import type { Template } from "../templates.ts";
import { createFrom, dropLater, POSTGRES_URL } from "./postgres-template.ts";
import { at, newName, type TestDatabase } from "./test-database.ts";

export const createPostgres = async (template?: Template): Promise<TestDatabase> => {
	const name = newName();
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	await createFrom(admin, name, template);
	const statements: string[] = [];
	const pool = new Pool({ connectionString: at(POSTGRES_URL, name), max: 10 });
	pool.on("connect", (client) => {
		const send = client.query.bind(client) as (...args: unknown[]) => unknown;
		Object.assign(client, {
			query: (...args: unknown[]) => {
				statements.push(typeof args[0] === "string" ? args[0] : String((args[0] as { text?: string }).text));
				return send(...args);
			},
		});
	});
	const beside = new Pool({ connectionString: at(POSTGRES_URL, name), max: 2 });
	// the server ends connections that are still closing when their database is dropped
	for (const idle of [pool, beside]) idle.on("error", () => {});
	return {
		kind: "postgres",
		connection: pool,
		statements,
		query: async (sql) => (await beside.query(sql)).rows,
		close: async () => {
			await pool.end();
			await beside.end();
			await dropLater(admin, name);
		},
	};
};
