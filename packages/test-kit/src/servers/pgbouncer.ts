import { execFileSync } from "node:child_process";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startChild } from "./child.ts";
import { freePort } from "./free-port.ts";

/** PgBouncer in transaction mode, with far fewer server connections than clients may open. */
export const startPgBouncer = async (databasePort: number, database: string) => {
	const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
	const port = await freePort();
	const file = join(folder, "pgbouncer.ini");
	await writeFile(
		file,
		`[databases]
* = host=127.0.0.1 port=${databasePort} user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`,
	);
	// it does not run as root
	const user = process.getuid?.() === 0 ? Number(execFileSync("id", ["-u", "postgres"])) : undefined;
	if (user !== undefined) for (const path of [folder, file]) await chown(path, user, -1);
	const child = startChild("pgbouncer", [file], user === undefined ? {} : { uid: user });
	const url = `postgres://postgres@127.0.0.1:${port}/${database}`;
	await child.until(async () => {
		const client = new Client({ connectionString: url });
		await client.connect();
		await client.end();
		return true;
	});
	return {
		url,
		close: async () => {
			await child.end("SIGINT");
			await rm(folder, { recursive: true, force: true });
		},
	};
};
