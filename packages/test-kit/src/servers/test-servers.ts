import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { endWithProcess } from "./end-with-process.ts";
import { isMariadbInstalled, startMariadb } from "./mariadb-server.ts";
import { memoryFolder } from "./memory-folder.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** Non-durable settings, for databases that live for one test. */
const FORGETFUL = {
	fsync: "off",
	synchronous_commit: "off",
	full_page_writes: "off",
	wal_level: "minimal",
	max_wal_senders: "0",
	max_connections: "300",
	// a test's database is dropped before its statistics matter; tests that read plans run analyze
	autovacuum: "off",
};

/**
 * PostgreSQL and MariaDB for one test run, in memory and without fsync, and a folder for their files. Their URLs are
 * set in the environment, which workers inherit. A server that is not installed is not started: the given URL or its
 * default is used. The same applies to both with `TEST_SERVERS=given`.
 */
export const startTestServers = async (): Promise<() => Promise<void>> => {
	// a nested run uses the servers of the outer one
	if (process.env.TEST_SERVERS) return async () => {};
	const parent = memoryFolder();
	const folder = mkdtempSync(join(parent, "tests-"));
	const callOff = endWithProcess(() => rmSync(folder, { recursive: true, force: true }));
	const [postgres, mariadb] = await Promise.all([
		findPostgres() ? startPostgres({ settings: FORGETFUL, parent }) : null,
		isMariadbInstalled() ? startMariadb(parent) : null,
	]);
	const environment = {
		TEST_SERVERS: "started",
		TEST_FOLDER: folder,
		...(postgres ? { TEST_POSTGRES_URL: postgres.url } : {}),
		...(mariadb ? { TEST_MYSQL_URL: mariadb.url } : {}),
	};
	const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
	Object.assign(process.env, environment);
	return async () => {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
		await Promise.all([postgres?.close(), mariadb?.close()]);
		callOff();
		await rm(folder, { recursive: true, force: true });
	};
};
