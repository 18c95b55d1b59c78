import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { readIdentity } from "../../src/database/identity.ts";
import { createTestDatabase } from "../support/database.ts";
import { dumpDatabase } from "../support/dump.ts";
import { testEnvironment } from "../support/environment.ts";

const identityOf = async (url: string): Promise<string> => {
	const pool = new pg.Pool({ connectionString: url, max: 1 });
	try {
		return await readIdentity(pool);
	} finally {
		await pool.end();
	}
};
const newDatabase = async (configOf?: (url: string) => ReturnType<typeof readConfig>) => {
	const database = await createTestDatabase(configOf);
	onTestFinished(() => database.drop());
	return database.url;
};

it("stays the same for each connection, and changes however a dump is restored", async () => {
	const url = await newDatabase((databaseURL) => readConfig(testEnvironment(databaseURL)));
	const before = await identityOf(url);
	expect(before).toMatch(/^[0-9a-f]{12}$/);
	expect(await identityOf(url)).toBe(before);

	const dump = await dumpDatabase(url);
	const other = await newDatabase();
	await dump.restoreInto(other);
	const elsewhere = await identityOf(other);
	await dump.restoreInto(url, "--clean");
	const inPlace = await identityOf(url);
	expect(new Set([before, elsewhere, inPlace]).size).toBe(3);
});
