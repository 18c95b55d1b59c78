import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { endWithProcess } from "./end-with-process.ts";
import { isMariadbInstalled, startMariadb } from "./mariadb-server.ts";
import { memoryFolder } from "./memory-folder.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** Data that is lost with the machine, and databases that live for one test. */
const FORGETFUL = {
	fsync: "off",
	synchronous_commit: "off",
	full_page_writes: "off",
	wal_level: "minimal",
	max_wal_senders: "0",
	max_connections: "300",
	// a database of a test is gone before its statistics matter; tests that read plans analyze
	autovacuum: "off",
};

/**
 * PostgreSQL and MariaDB for one run of tests, in memory and without fsync, and a folder for their files. Their addresses are put
 * into the environment, which workers inherit. A server that is not installed is not started: the address that is given, or its
 * default, is used. So are both where `TEST_SERVERS=given`.
 */
export const startTestServers = async (): Promise<() => Promise<void>> => {
	// a run that was started by another run uses the servers of that one
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
