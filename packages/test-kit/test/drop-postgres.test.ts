import { Client, Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { dropDatabase } from "../src/databases/drop-postgres.ts";
import { POSTGRES_URL } from "../src/databases/postgres-template.ts";
import { at, newName } from "../src/databases/test-database.ts";

const connect = async (): Promise<Client> => {
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	onTestFinished(() => admin.end());
	return admin;
};

const exists = async (admin: Client, name: string): Promise<boolean> =>
	(await admin.query("select 1 from pg_database where datname = $1", [name])).rows.length > 0;

it("lets the connections of an ended pool close", async () => {
	const admin = await connect();
	const errors: unknown[] = [];
	for (let run = 0; run < 5; run++) {
		const name = newName();
		await admin.query(`create database ${name}`);
		const pool = new Pool({ connectionString: at(POSTGRES_URL, name), max: 20 });
		pool.on("error", (error) => errors.push(error));
		await Promise.all(Array.from({ length: 20 }, () => pool.query("select pg_sleep(0.05)")));
		await pool.end();
		await dropDatabase(admin, name);
		expect(await exists(admin, name)).toBe(false);
	}
	expect(errors).toEqual([]);
});

it("ends a connection that stays open", async () => {
	const admin = await connect();
	const name = newName();
	await admin.query(`create database ${name}`);
	const left = new Client({ connectionString: at(POSTGRES_URL, name) });
	await left.connect();
	const errors: unknown[] = [];
	left.on("error", (error) => errors.push(error));
	await dropDatabase(admin, name);
	expect(await exists(admin, name)).toBe(false);
	await expect.poll(() => errors[0]).toMatchObject({ code: "57P01" });
});
