import { randomBytes } from "node:crypto";
import pg from "pg";

const SERVER = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** An empty database of one's own on the server for tests. */
export const createTestDatabase = async () => {
	const name = `server_test_${randomBytes(6).toString("hex")}`;
	await asAdmin(`create database ${name}`);
	const url = new URL(SERVER);
	url.pathname = `/${name}`;
	return {
		url: url.href,
		/** Ends whatever is still connected to it. */
		drop: () => asAdmin(`drop database if exists ${name} with (force)`),
	};
};

const asAdmin = async (statement: string): Promise<void> => {
	const client = new pg.Client({ connectionString: SERVER });
	await client.connect();
	try {
		await client.query(statement);
	} finally {
		await client.end();
	}
};
