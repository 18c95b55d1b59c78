import { startPgBouncer } from "test-kit/servers/pgbouncer";
import { afterEach, expect, it } from "vitest";
import { findProcesses, registerProcess } from "../../src/database/processes.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { findPending } from "../../src/schema/schema-check.ts";
import { schemaFingerprint } from "../../src/schema/schema-fingerprint.ts";
import { openProcess, type Process } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const quiet = () => {};

/** A migrated database with one step left for `--contract`. `through` is where its processes connect. */
const deployed = async (through: (url: string) => Promise<string> = async (url) => url) => {
	const database = await createTestDatabase();
	closers.push(database.drop);
	const url = await through(database.url);
	const open = (environment: Record<string, string> = {}): Process => {
		const opened = openProcess({ DATABASE_URL: url, ...environment });
		closers.push(opened.close);
		return opened;
	};
	const first = open();
	await migrate(first.auth, first.pool, quiet);
	await first.pool.query(`create unique index "user_email_key" on "user" (email)`);
	return { open, first };
};
const register = async ({ auth, pool, logger }: Process) =>
	registerProcess({ pool, logger, schema: await schemaFingerprint(auth) });

it("contracts when no process with another schema is left", async () => {
	const { open, first } = await deployed();
	const next = open({ PLUGINS: "username" });
	await migrate(next.auth, next.pool, quiet);
	const endOld = await register(first);
	const endNext = await register(next);
	const contract = (force = false) => migrate(next.auth, next.pool, quiet, { contract: true, force });

	await expect(contract()).rejects.toThrow(
		/Processes that expect another schema are running:\n {2}- on .+, last seen \d+ s ago$/,
	);
	expect(await findPending(next.auth, next.pool)).toEqual(['drop index "user_email_key"']);
	await endOld();
	expect(await contract()).toEqual(['drop index "user_email_key"']);
	expect(await findProcesses(next.pool)).toHaveLength(1);
	await endNext();
	expect(await findProcesses(next.pool)).toEqual([]);
});

it("contracts by force, and when a killed process has been silent for long", async () => {
	const { open, first } = await deployed();
	const next = open({ PLUGINS: "username" });
	await migrate(next.auth, next.pool, quiet);
	closers.push(await register(first));
	expect(await migrate(next.auth, next.pool, quiet, { contract: true, force: true })).toHaveLength(1);

	await first.pool.query(`create unique index "user_email_key" on "user" (email)`);
	await first.pool.query(`update "serviceProcess" set "seenAt" = now() - interval '61 seconds'`);
	expect(await migrate(next.auth, next.pool, quiet, { contract: true })).toHaveLength(1);
});

it("does not refuse a migration that has nothing to contract", async () => {
	const { open, first } = await deployed();
	await first.pool.query(`drop index "user_email_key"`);
	closers.push(await register(first));
	const next = open({ PLUGINS: "username" });
	expect((await migrate(next.auth, next.pool, quiet, { contract: true })).length).toBeGreaterThan(0);
});

it("keeps a process from starting while a migration contracts", async () => {
	const { open, first } = await deployed();
	const next = open({ PLUGINS: "username" });
	await migrate(next.auth, next.pool, quiet);
	// the migration waits for this table
	const holder = await first.pool.connect();
	await holder.query("begin");
	await holder.query(`lock table "user" in access share mode`);
	const notes: string[] = [];
	const contracting = migrate(next.auth, next.pool, quiet, { contract: true, note: (text) => notes.push(text) });
	await expect.poll(() => notes.join()).toContain("in use");
	let registered = false;
	const registering = register(first).then((end) => {
		registered = true;
		return end;
	});
	await expect.poll(() => notes.length).toBeGreaterThan(1);
	expect(registered).toBe(false);
	expect(await findProcesses(next.pool)).toEqual([]);
	await holder.query("rollback");
	holder.release();
	expect(await contracting).toHaveLength(1);
	closers.push(await registering);
	expect(await findProcesses(next.pool)).toHaveLength(1);
});

it("knows the processes behind PgBouncer in transaction mode", async () => {
	const { open, first } = await deployed(async (url) => {
		const { port, pathname } = new URL(url);
		const bouncer = await startPgBouncer(Number(port || 5432), pathname.slice(1));
		closers.push(bouncer.close);
		return bouncer.url;
	});
	const next = open({ PLUGINS: "username" });
	await migrate(next.auth, next.pool, quiet);
	const end = await register(first);
	const contract = () => migrate(next.auth, next.pool, quiet, { contract: true });
	await expect(contract()).rejects.toThrow(/another schema/);
	await end();
	expect(await contract()).toEqual(['drop index "user_email_key"']);
});

it("gives configurations with the same tables the same fingerprint", async () => {
	const { open, first } = await deployed();
	const [plain, same, other] = await Promise.all(
		[first, open({ PLUGINS: "bearer" }), open({ PLUGINS: "username" })].map(({ auth }) => schemaFingerprint(auth)),
	);
	expect(same).toBe(plain);
	expect(other).not.toBe(plain);
});
