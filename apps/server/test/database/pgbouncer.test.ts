import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { migrate } from "../../src/database/migrate.ts";
import { checkSchema } from "../../src/database/schema-check.ts";
import { cookieHeader, makeDatabase, openProcess } from "../auth/world.ts";
import { freePort } from "./postgres-servers.ts";

const PGBOUNCER = "/usr/sbin/pgbouncer";

/** PgBouncer in transaction mode, before the PostgreSQL on loopback. */
const startPgbouncer = async () => {
	const folder = await mkdtemp(join(tmpdir(), "server-pgbouncer-"));
	await chmod(folder, 0o755);
	const port = await freePort();
	await writeFile(
		join(folder, "pgbouncer.ini"),
		`[databases]
* = host=127.0.0.1 port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
	);
	const asNobody = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
	const [file = "", ...args] = [...asNobody, PGBOUNCER, join(folder, "pgbouncer.ini")];
	const child = spawn(file, args, { stdio: "ignore" });
	while (!(await listens(port))) {
		if (child.exitCode !== null) throw new Error("PgBouncer did not start");
		await wait(20);
	}
	return {
		port,
		close: async () => {
			const ended = once(child, "exit");
			child.kill();
			await ended;
			await rm(folder, { recursive: true, force: true });
		},
	};
};

const listens = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = createConnection(port, "127.0.0.1");
		socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
		socket.once("connect", () => socket.destroy());
	});

it.skipIf(!existsSync(PGBOUNCER))(
	"migrates and serves by way of PgBouncer in transaction mode",
	async () => {
		const bouncer = await startPgbouncer();
		const database = await makeDatabase();
		const url = new URL(database.url);
		url.port = String(bouncer.port);
		const processes = [openProcess({ DATABASE_URL: url.href }), openProcess({ DATABASE_URL: url.href })];
		try {
			const [first, second] = processes as [(typeof processes)[0], (typeof processes)[0]];
			const done = await Promise.all([first, second].map(({ auth, pool }) => migrate(auth, pool, () => {})));
			expect(done.filter((what) => what.length > 0)).toHaveLength(1);
			expect(await checkSchema(first.auth, first.pool)).toEqual([]);
			const tenants = await Promise.all(
				["acme", "globex"].map((slug) => first.auth.api.createTenant({ body: { name: slug, slug } })),
			);
			// more people at once than the server behind has connections for us
			await Promise.all(
				tenants.flatMap(({ id }) =>
					[1, 2, 3, 4].map(async (number) => {
						const { status, cookies } = await second.signUp(id, `ada-${number}@example.com`);
						expect(status).toBe(200);
						const session = await first.call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
						expect(session.json.session).toMatchObject({ tenantId: id });
					}),
				),
			);
		} finally {
			await Promise.all(processes.map((process) => process.close()));
			await bouncer.close();
			await database.drop();
		}
	},
	60_000,
);
