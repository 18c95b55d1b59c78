import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import { startChild } from "./child.ts";
import { endWithProcess } from "./end-with-process.ts";
import { freePort } from "./free-port.ts";

const execute = promisify(execFile);

const SETTINGS = [
	// nothing here survives a power cut
	"--innodb-flush-log-at-trx-commit=0",
	"--innodb-flush-method=nosync",
	"--skip-innodb-doublewrite",
	"--skip-log-bin",
	"--innodb-log-file-size=32M",
	"--innodb-buffer-pool-size=128M",
	"--performance-schema=off",
	"--skip-name-resolve",
	"--max-connections=500",
	// as Debian configures it
	"--character-set-server=utf8mb4",
	"--collation-server=utf8mb4_general_ci",
];

/** A MariaDB server for tests in a folder under `parent`, without durable writes. */
export const startMariadb = async (parent: string) => {
	const folder = await mkdtemp(join(parent, "tests-mariadb-"));
	const data = join(folder, "data");
	const port = await freePort();
	// it does not run as root without this
	const user = process.getuid?.() === 0 ? ["--user=root"] : [];
	const remove = endWithProcess(() => rmSync(folder, { recursive: true, force: true }));
	const close = async (server?: ReturnType<typeof startChild>): Promise<void> => {
		await server?.end("SIGKILL");
		remove();
		await rm(folder, { recursive: true, force: true });
	};
	let server: ReturnType<typeof startChild> | undefined;
	try {
		// a starting server deletes temporary tables in this folder: in a shared one, those of running servers
		const temporary = `--tmpdir=${folder}`;
		const install = ["--no-defaults", ...user, `--datadir=${data}`, temporary, "--skip-test-db"];
		await execute(findProgram("mariadb-install-db") ?? "mariadb-install-db", [
			...install,
			"--auth-root-authentication-method=normal",
		]);
		const files = [`--socket=${join(folder, "socket")}`, `--pid-file=${join(folder, "pid")}`, temporary];
		const where = [`--datadir=${data}`, ...files];
		const listen = ["--bind-address=127.0.0.1", `--port=${port}`];
		server = startChild(findProgram("mariadbd") ?? "mariadbd", [
			"--no-defaults",
			...user,
			...where,
			...listen,
			...SETTINGS,
		]);
		const url = `mysql://root@127.0.0.1:${port}/mysql`;
		await server.until(() => accepts(url));
		return { url, close: () => close(server) };
	} catch (error) {
		await close(server);
		throw error;
	}
};

export const isMariadbInstalled = (): boolean => PROGRAMS.every((name) => findProgram(name) !== null);

const PROGRAMS = ["mariadb-install-db", "mariadbd"];

/** Debian does not put the server into a user's path. */
const findProgram = (name: string): string | null =>
	[...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path)) ?? null;

const accepts = async (uri: string): Promise<boolean> => {
	const connection = await createConnection({ uri });
	await connection.end();
	return true;
};
