import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** PostgreSQL refuses to run as root. */
const asPostgres = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];

/** A PostgreSQL server of a test's own, in a temporary folder: a primary or, `of` another one, its standby. */
export const startPostgres = async ({ of }: { of?: { port: number } } = {}) => {
	const folder = await mkdtemp(join(tmpdir(), "server-postgres-"));
	if (asPostgres.length > 0) await chown(folder, Number((await execute("id", ["-u", "postgres"])).stdout), -1);
	const data = join(folder, "data");
	const port = await freePort();
	const command = (program: string, args: string[]): [string, string[]] => {
		const [file = "", ...rest] = [...asPostgres, join(programs(), program), ...args];
		return [file, rest];
	};
	const run = (program: string, ...args: string[]) => execute(...command(program, args), { cwd: folder });
	const stopNow = (): void => {
		try {
			execFileSync(...command("pg_ctl", ["-D", data, "-m", "immediate", "stop"]), { cwd: folder, stdio: "ignore" });
		} catch {
			// it has ended already
		}
		rmSync(folder, { recursive: true, force: true });
	};
	process.once("exit", stopNow);

	if (of) await run("pg_basebackup", "-h", "127.0.0.1", "-p", String(of.port), "-U", "postgres", "-D", data, "-R");
	else await run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
	const start = async (): Promise<void> => {
		const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
		await run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start");
	};
	await start();
	return {
		port,
		url: `postgres://postgres:hunter2@127.0.0.1:${port}/postgres`,
		start,
		stop: (mode: "fast" | "immediate" = "fast") => run("pg_ctl", "-D", data, "-m", mode, "-w", "stop"),
		promote: () => run("pg_ctl", "-D", data, "-w", "promote"),
		close: async (): Promise<void> => {
			process.off("exit", stopNow);
			await run("pg_ctl", "-D", data, "-m", "immediate", "stop").catch(() => {});
			await rm(folder, { recursive: true, force: true });
		},
	};
};

export const freePort = async (): Promise<number> => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
};

/** Debian keeps the server's programs out of the path, one folder for each version. */
const programs = (): string => {
	const home = "/usr/lib/postgresql";
	const [newest] = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a)) : [];
	return process.env.POSTGRES_BIN ?? join(home, newest ?? "", "bin");
};
