import type { Database } from "better-sqlite3";
import type { Pool } from "pg";
import { createDatabase } from "test-kit/databases";
import { onTestFinished } from "vitest";

const TABLES = [
	`create table "country" ("code" text primary key)`,
	`create table "customer" ("id" text primary key, "tenantId" text not null, "name" text not null)`,
	`create table "invoice" ("id" text primary key, "tenantId" text not null, "customerId" text not null, "amount" integer not null, "countryCode" text)`,
];

/** The tables of an application, with rows of the tenants `a` and `b`. An invoice of `a` refers to a customer of `b`. */
export const openShop = async (kind: "postgres" | "sqlite") => {
	const own = await createDatabase(kind);
	onTestFinished(own.close);
	for (const statement of TABLES) await own.query(statement);
	await own.query(`insert into "country" values ('DE')`);
	for (const tenant of ["a", "b"]) {
		await own.query(`insert into "customer" values ('c-${tenant}', '${tenant}', 'Customer of ${tenant}')`);
		for (const n of [1, 2])
			await own.query(`insert into "invoice" values ('${tenant}${n}', '${tenant}', 'c-${tenant}', ${n}, 'DE')`);
	}
	await own.query(`insert into "invoice" values ('a-stray', 'a', 'c-b', 9, null)`);
	return {
		pool: own.connection as Pool,
		sqlite: own.connection as Database,
		query: own.query,
		statements: own.statements,
		/** all invoices as `id:tenant:amount`, read without the helper */
		invoices: async () =>
			(await own.query(`select "id", "tenantId", "amount" from "invoice" order by "id"`)).map(
				({ id, tenantId, amount }) => `${id}:${tenantId}:${amount}`,
			),
	};
};

/** What the tables contain before a test changes them. */
export const BEFORE = ["a-stray:a:9", "a1:a:1", "a2:a:2", "b1:b:1", "b2:b:2"];

export const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();
