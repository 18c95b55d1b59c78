import { type AddressInfo, connect, createServer } from "node:net";
import { startPostgres } from "test-kit/servers/postgres-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkDatabase } from "../../src/doctor/check-database.ts";
import { checkRows } from "../../src/doctor/check-rows.ts";
import { checkSchema } from "../../src/doctor/check-schema.ts";
import { checkStoredConfigs } from "../../src/doctor/check-stored-configs.ts";
import { checkTenantMail } from "../../src/doctor/check-tenant-mail.ts";
import { openPatient } from "../../src/doctor/patient.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { createTestDatabase } from "../support/database.ts";
import { saying } from "./judge.ts";

const OLD = "Qx7Lm2Vd9Tn4Rb8Wy1Kc5Hs3Mf6Jg0PzA";
const NEW = "Hw3Zk8Pq1Xr6Tb9Yn4Mv7Lc2Sd5Jf0GaB";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const patientOf = (given: Record<string, string> = {}) => {
	const patient = openPatient(readConfig(serverEnvironment(database.url, given)));
	onTestFinished(() => patient.close());
	return patient;
};
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

const checkURL = (DATABASE_URL: string, given: Record<string, string> = {}) =>
	checkDatabase(readConfig(serverEnvironment(DATABASE_URL, given)).database);

describe("database", { timeout: 60_000 }, () => {
	it("reports version, role, latency and free connections", async () => {
		const found = await checkURL(database.url);
		expect(found.map(({ status }) => status)).toEqual(["ok", "ok"]);
		expect(found[0]?.says).toMatch(/^PostgreSQL \d+\.\d+ at 127\.0\.0\.1:\d+ accepts writes, responds in [\d.]+ ms$/);
		expect(found[1]?.says).toMatch(
			/^\d+ of \d+ connections are in use\. There is room for \d+ processes with 13 each$/,
		);
		const greedy = await checkURL(database.url, { DATABASE_POOL_SIZE: "1000" });
		expect(saying(greedy, "wrong")).toEqual([expect.stringContaining("may open 1003 connections")]);
	});

	it("explains connection failures in its own words", async () => {
		const nobody = await checkURL("postgres://me:canary@127.0.0.1:9/none");
		expect(saying(nobody, "wrong")).toEqual(["PostgreSQL at 127.0.0.1:9: nothing is listening there"]);
		const missing = await checkURL(database.url.replace(/[^/]+$/, "not_there"));
		expect(saying(missing, "wrong")).toEqual([expect.stringContaining("the database does not exist")]);
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const { port } = silent.address() as AddressInfo;
		const late = await checkURL(`postgres://me@127.0.0.1:${port}/none`, { DATABASE_CONNECT_TIMEOUT: "0.5" });
		expect(saying(late, "wrong")).toEqual([expect.stringContaining("it does not respond in time")]);
		silent.close();
	});

	it("distinguishes a primary from its standby, and rejects two primaries", async () => {
		const primary = await startPostgres();
		onTestFinished(() => primary.close());
		const standby = await startPostgres({ follows: primary.url });
		onTestFinished(() => standby.close());
		const url = (...ports: number[]) =>
			`postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres`;

		const both = await checkURL(url(standby.port, primary.port));
		expect(saying(both, "wrong")).toEqual([]);
		expect(saying(both, "ok")).toEqual([
			expect.stringContaining(`${standby.port} is a standby`),
			expect.stringContaining(`${primary.port} accepts writes`),
			"1 of 2 hosts can take over",
			expect.stringContaining("connections are in use"),
		]);
		expect(saying(await checkURL(url(standby.port)), "wrong")).toEqual([expect.stringContaining("all are standbys")]);
		expect(saying(await checkURL(url(primary.port, 9)), "warning")).toEqual([
			expect.stringContaining("No host can take over"),
		]);
		await standby.promote();
		expect(saying(await checkURL(url(primary.port, standby.port)), "wrong")).toEqual([
			expect.stringContaining("both accept writes"),
		]);
	});

	it("detects a pooler", async () => {
		const target = new URL(database.url);
		const pooler = createServer((socket) => {
			const onwards = connect(Number(target.port || 5432), target.hostname);
			for (const end of [socket, onwards]) end.on("error", () => {});
			socket.pipe(onwards);
			onwards.on("data", (chunk) => socket.write(withOtherProcess(chunk)));
			onwards.on("end", () => socket.end());
		});
		await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void pooler.close());
		const { port } = pooler.address() as AddressInfo;
		const found = await checkURL(Object.assign(new URL(database.url), { host: `127.0.0.1:${port}` }).href);
		expect(saying(found, "ok")).toEqual([
			expect.stringContaining("through a pooler"),
			expect.stringContaining("per process to the pooler"),
		]);
	});
});

/** Like a pooler, reports another process id than the real one: message K of PostgreSQL's protocol. */
const withOtherProcess = (chunk: Buffer): Buffer => {
	const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
	if (at < 0) return chunk;
	const changed = Buffer.from(chunk);
	changed.writeInt32BE(1_234_567, at + 5);
	return changed;
};

describe("schema, rows and stored credentials", { timeout: 60_000 }, () => {
	it("reports what is missing before the migration, and skips checks of missing tables", async () => {
		const patient = patientOf();
		const schema = await checkSchema(patient);
		expect(saying(schema, "wrong")).toContain("Table tenant is missing");
		expect(schema.every(({ fix }) => fix?.includes("tenants migrate"))).toBe(true);
		expect(await checkRows(patient.pool)).toMatchObject([
			{ status: "warning", says: expect.stringMatching(/^Not checked/) },
		]);
		expect(await checkStoredConfigs(patient)).toMatchObject([{ says: expect.stringMatching(/^Not checked/) }]);
	});

	it("finds no problems after the migration, and reports a missing index", async () => {
		const patient = patientOf();
		const auth = patient.auth();
		if (!auth || !patient.pool) throw new Error("no engine");
		await migrate(auth, patient.pool, () => {});
		for (const found of [await checkSchema(patient), await checkRows(patient.pool), await checkStoredConfigs(patient)])
			expect(found.map(({ status }) => status)).toEqual(["ok"]);
		await patient.pool.query('drop index "user_tenantId_email_uidx"');
		expect(saying(await checkSchema(patientOf()), "wrong").join()).toContain("user_tenantId_email_uidx");
		await migrate(auth, patient.pool, () => {});
	});

	it("names what waits for --contract, and processes that expect another schema", async () => {
		const patient = patientOf();
		const { pool } = patient;
		if (!pool) throw new Error("no database");
		await pool.query('create unique index "user_email_key" on "user" (email)');
		await pool.query(`insert into "serviceProcess" ("id", "schema", "host") values ('old', 'another', 'old-host')`);
		const found = await checkSchema(patient);
		expect(found.map(({ status }) => status)).toEqual(["ok", "warning", "warning"]);
		expect(found[1]).toMatchObject({
			says: expect.stringContaining('drop index "user_email_key"'),
			fix: expect.stringContaining("migrate --contract"),
		});
		expect(found[2]?.says).toBe("1 of 1 running processes expect another schema, on old-host");
		await pool.query('drop index "user_email_key"');
		await pool.query('delete from "serviceProcess"');
	});

	it("names tenants whose mail settings are not used", async () => {
		const { pool, auth: open, config } = patientOf();
		const auth = open();
		if (!auth || !pool || !config.mail) throw new Error("no engine");
		const section = { ...config.mail, senderDomains: ["acme.example"] };
		for (const slug of ["acme", "globex"]) await auth.api.createTenant({ body: { name: slug, slug } });
		const store = (slug: string, metadata: string) =>
			pool.query(`update "tenant" set "metadata" = $1 where "slug" = $2`, [metadata, slug]);
		await store("acme", '{"mail":{"from":"noreply@acme.example"}}');
		await store("globex", '{"note":"\\"mail\\""}');
		expect(await checkTenantMail(section, pool)).toMatchObject([{ status: "ok" }]);
		await store("globex", '{"mail":{"from":"noreply@globex.example"}}');
		expect(saying(await checkTenantMail(section, pool), "warning")).toEqual([
			"The mail settings of globex are not valid: the server's are used instead",
		]);
		expect(await checkTenantMail(section, null)).toMatchObject([{ says: expect.stringMatching(/^Not checked/) }]);
		await pool.query(`delete from "tenant"`);
	});

	it("finds rows of deleted tenants and interrupted deletions", async () => {
		const { pool, auth: open } = patientOf();
		const auth = open();
		if (!auth || !pool) throw new Error("no engine");
		const kept = await auth.api.createTenant({ body: { name: "Kept", slug: "kept" } });
		const insert = (tenantId: string, email: string) =>
			pool.query(
				`insert into "user" ("id","name","email","emailVerified","createdAt","updatedAt","tenantId") values ($1,'A',$1,false,now(),now(),$2)`,
				[email, tenantId],
			);
		await insert("platform", "p@example.com");
		await insert(kept.id, "k@example.com");
		expect(saying(await checkRows(pool), "ok")).toHaveLength(1);
		for (const tenantId of ["gone-1", "gone-1", "zz-gone-2"])
			await insert(tenantId, `${crypto.randomUUID()}@example.com`);
		await pool.query(
			`update "tenant" set "status" = 'deleting', "updatedAt" = now() - interval '2 hours' where "id" = $1`,
			[kept.id],
		);
		expect(saying(await checkRows(pool), "warning")).toEqual([
			"Table user has unreachable rows of 2 tenants that no longer exist",
			expect.stringContaining(kept.id),
		]);
		// the suggested fix works
		const [orphans] = await checkRows(pool);
		await pool.query(orphans?.fix?.replace("Back up, then run: ", "") ?? "");
		expect(saying(await checkRows(pool), "warning")).toEqual([expect.stringContaining(kept.id)]);
		expect((await pool.query(`select "email" from "user" order by "email"`)).rowCount).toBe(2);
	});

	it("decrypts with each secret, and reports which secret is missing", async () => {
		const register = async (given: Record<string, string>, slug: string): Promise<void> => {
			const auth = patientOf(given).auth();
			if (!auth) throw new Error("no engine");
			const { id } = await auth.api.createTenant({ body: { name: slug, slug } });
			await auth.api.registerTenantOauthConfig({
				body: { tenantId: id, providerId: "google", clientId: "id", clientSecret: "canary" },
			});
		};
		await register({ AUTH_SECRET: OLD }, "sealed-plain");
		await register({ AUTH_SECRET: OLD, AUTH_SECRETS: `2:${NEW}` }, "sealed-two");
		const both = await checkStoredConfigs(patientOf({ AUTH_SECRET: OLD, AUTH_SECRETS: `2:${NEW}` }));
		expect(both.map(({ status, says }) => [status, says])).toEqual([
			["ok", "1 encrypted with version 1: decrypted those of one tenant"],
			["ok", "1 encrypted with version 2: decrypted those of one tenant"],
		]);
		const lost = await checkStoredConfigs(patientOf({ AUTH_SECRET: "", AUTH_SECRETS: `2:${NEW}` }));
		expect(saying(lost, "wrong")).toEqual([expect.stringContaining("encrypted with version 1 cannot be decrypted")]);
		const retired = await checkStoredConfigs(patientOf({ AUTH_SECRET: OLD, AUTH_SECRETS: `3:${NEW}` }));
		expect(saying(retired, "wrong")).toEqual([expect.stringContaining("encrypted with version 2 cannot be decrypted")]);
	});
});
