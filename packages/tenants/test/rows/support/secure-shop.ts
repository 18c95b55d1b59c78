import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { createDatabase } from "test-kit/databases";
import { onTestFinished } from "vitest";
import { rowSecuritySql } from "../../../src/rows.ts";
import { blockOf } from "./guide.ts";

/** The tables and policies of the guide, with rows of the tenants `a` and `b`, and a pool of the application's role. */
export const secureShop = async (connections = 10) => {
	const own = await createDatabase("postgres");
	onTestFinished(own.close);
	// roles belong to the server, which other tests use at the same time
	const role = `app_${randomBytes(6).toString("hex")}`;
	await own.query(blockOf("sql:tables"));
	await own.query(
		blockOf("sql:role").replace("create role app", `create role ${role}`).replace("to app", `to ${role}`),
	);
	await own.query(rowSecuritySql({ own: ["customer", "invoice"] }));
	for (const tenant of ["a", "b"]) {
		await own.query(`insert into "customer" values ('c-${tenant}', '${tenant}', 'Customer')`);
		for (const n of [1, 2])
			await own.query(`insert into "invoice" values ('${tenant}${n}', '${tenant}', 'c-${tenant}', ${n})`);
	}
	const owner = own.connection as Pool;
	const url = new URL(owner.options.connectionString ?? "");
	url.username = role;
	const app = new Pool({ connectionString: url.href, max: connections });
	// a test ends a connection from outside
	app.on("error", () => {});
	onTestFinished(async () => {
		await app.end();
		await own.query(`drop owned by ${role}`);
		await own.query(`drop role ${role}`);
	});
	return {
		app,
		role,
		owner,
		url: url.href,
		/** runs SQL as a superuser */
		query: own.query,
		invoices: async () =>
			(await own.query(`select "id", "tenantId", "amount" from "invoice" order by "id"`)).map(
				({ id, tenantId, amount }) => `${id}:${tenantId}:${amount}`,
			),
	};
};
