import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "test-kit/servers/postgres-server";
import { onTestFinished } from "vitest";

const execute = promisify(execFile);
const program = (name: string): string => join(findPostgres() ?? "", name);

/** Dumps a database as the runbook does. `restoreInto` restores it into an empty database, or over its own tables. */
export const dumpDatabase = async (url: string) => {
	const folder = mkdtempSync(join(tmpdir(), "server-dump-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, "auth.dump");
	await execute(program("pg_dump"), ["--format=custom", `--file=${file}`, url]);
	return {
		restoreInto: async (target: string, ...options: string[]): Promise<void> => {
			await execute(program("pg_restore"), ["--exit-on-error", "--no-owner", ...options, `--dbname=${target}`, file]);
		},
	};
};
