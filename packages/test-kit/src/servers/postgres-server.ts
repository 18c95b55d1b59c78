import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { endWithProcess } from "./end-with-process.ts";
import { freePort } from "./free-port.ts";

const execute = promisify(execFile);

/** How a server stops: orderly, without a checkpoint, or as in a power cut. */
export const ENDINGS = ["fast", "immediate", "SIGKILL"] as const;
export type Ending = (typeof ENDINGS)[number];
export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

type PostgresOptions = {
	/** settings of its configuration file: `max_connections: "50"` */
	settings?: Record<string, string>;
	/** makes it a standby that follows the primary at this URL */
	follows?: string;
	/** instead of a free one: the port of an earlier server */
	port?: number;
	/** parent of its folder */
	parent?: string;
};

/** A PostgreSQL server in a temporary folder, which can be stopped and started. Writes are durable (fsync is on). */
export const startPostgres = async ({
	settings = {},
	follows,
	port: chosenPort,
	parent = tmpdir(),
}: PostgresOptions = {}) => {
	const folder = await mkdtemp(join(parent, "faults-postgres-"));
	const data = join(folder, "data");
	const port = chosenPort ?? (await freePort());
	// PostgreSQL does not run as root
	const asRoot = process.getuid?.() === 0;
	if (asRoot) {
		const { stdout } = await execute("id", ["-u", "postgres"]);
		await chown(folder, Number(stdout), -1);
	}
	const run = (program: string, ...args: string[]) => {
		const [file = "", ...rest] = [
			...(asRoot ? ["runuser", "-u", "postgres", "--"] : []),
			join(bin(), program),
			...args,
		];
		return execute(file, rest, { cwd: folder });
	};
	const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

	const pid = (): number | null => {
		const file = join(data, "postmaster.pid");
		return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
	};
	const start = async (): Promise<void> => {
		const chosen = Object.entries(settings).map(([name, value]) => ` -c ${name}=${value}`);
		const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}${chosen.join("")}`;
		const begin = () => run("pg_ctl", "-D", data, "-l", join(folder, "log"), "-o", options, "start");
		// after SIGKILL, children of the old one may hold its memory for a moment
		for (let attempt = 1; ; attempt += 1) {
			try {
				await begin();
				break;
			} catch (error) {
				if (attempt === 50) throw error;
				await wait(100);
			}
		}
		await untilItAccepts(url);
	};
	const end = async (ending: Ending): Promise<void> => {
		const postmaster = pid();
		if (postmaster === null) return;
		if (ending !== "SIGKILL") await run("pg_ctl", "-D", data, "-m", ending, "stop");
		else {
			process.kill(postmaster, "SIGKILL");
			while (isAlive(postmaster)) await wait(5);
		}
	};

	const callOff = endWithProcess(() => {
		const postmaster = pid();
		// an immediate stop, since the folder is removed
		if (postmaster !== null) process.kill(postmaster, "SIGQUIT");
		rmSync(folder, { recursive: true, force: true });
	});
	const close = async (): Promise<void> => {
		await end("immediate").catch(() => {});
		callOff();
		await rm(folder, { recursive: true, force: true });
	};
	if (follows) await run("pg_basebackup", "-D", data, "-d", follows, "-R", "-X", "stream", "-c", "fast", "--no-sync");
	else await run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
	try {
		await start();
	} catch (error) {
		await close();
		throw error;
	}
	return {
		url,
		port,
		/** whether it is read-only, like a standby */
		isStandby: async (): Promise<boolean> => (await ask(url, "select pg_is_in_recovery() as yes")).yes === true,
		/** From now on, every commit waits until a standby has it on disk, while there is one. */
		waitForStandby: async (): Promise<void> => {
			while ((await ask(url, "select count(*)::int as n from pg_stat_replication where state = 'streaming'")).n === 0)
				await wait(20);
			await ask(url, "alter system set synchronous_standby_names = '*'");
			await ask(url, "select pg_reload_conf()");
			while ((await ask(url, "select count(*)::int as n from pg_stat_replication where sync_state = 'sync'")).n === 0)
				await wait(20);
		},
		/** promotes a standby */
		promote: () => run("pg_ctl", "-D", data, "-w", "promote"),
		/** until it accepts connections */
		start,
		end,
		close,
	};
};

/** The first row of a result. */
const ask = async (url: string, statement: string): Promise<Record<string, unknown>> => {
	const client = new Client({ connectionString: url });
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(statement)).rows[0] ?? {};
	} finally {
		await client.end();
	}
};

const untilItAccepts = async (url: string): Promise<void> => {
	const deadline = Date.now() + 60_000;
	for (;;) {
		const client = new Client({ connectionString: url });
		client.on("error", () => {});
		try {
			await client.connect();
			await client.query("select 1");
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await wait(10);
		} finally {
			await client.end().catch(() => {});
		}
	}
};

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

/** Debian keeps the server's programs outside the path, in one folder per version. */
export const findPostgres = (): string | null => {
	const named = process.env.POSTGRES_BIN;
	if (named) return named;
	const home = "/usr/lib/postgresql";
	const [newest] = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a)) : [];
	return newest ? join(home, newest, "bin") : null;
};

const bin = (): string => {
	const found = findPostgres();
	if (!found) throw new Error("initdb and pg_ctl were not found. Set POSTGRES_BIN to their folder.");
	return found;
};
