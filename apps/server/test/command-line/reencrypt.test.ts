import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { createTestDatabase } from "../support/database.ts";
import { keepLog } from "../support/log.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

const OLD = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";
const NEW = "b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let env: Record<string, string>;
const tenants: string[] = [];
beforeAll(async () => {
	const configOf = (url: string) => readConfig(serverEnvironment(url, { AUTH_SECRET: OLD }));
	database = await createTestDatabase(configOf);
	pool = new pg.Pool({ connectionString: database.url });
	const { logger } = keepLog("silent");
	const auth = createAuth({ config: configOf(database.url), pool, cache: null, mailer: null, logger });
	for (const slug of ["acme", "globex", "initech"]) {
		const { id } = await auth.api.createTenant({ body: { name: slug, slug } });
		tenants.push(id);
		await auth.api.registerTenantOauthConfig({
			body: { tenantId: id, providerId: "google", clientId: slug, clientSecret: "canary-secret" },
		});
	}
	// neither Redis nor a mail server runs, and reencrypt needs neither
	env = serverEnvironment(database.url, {
		AUTH_SECRET: "",
		AUTH_SECRETS: `2:${NEW},1:${OLD}`,
		REDIS_URL: "redis://127.0.0.1:9",
	});
});
afterAll(async () => {
	await pool.end();
	await database.drop();
});

const versions = async (): Promise<string[]> =>
	(await pool.query<{ clientSecret: string }>('select "clientSecret" from "tenantOauthConfig"')).rows
		.map(({ clientSecret }) => clientSecret.slice(0, 6))
		.sort();

describe("reencrypt", { timeout: 120_000 }, () => {
	it("encrypts everything again with the first secret, and has nothing left to do", async () => {
		expect(await versions()).toEqual(["$ba$1$", "$ba$1$", "$ba$1$"]);
		const done = await runCommand(["reencrypt", "--batch-size", "2"], { env });
		expect(done).toMatchObject({ code: 0, stdout: "3 of 3 rows encrypted again\n", stderr: "" });
		expect(await versions()).toEqual(["$ba$2$", "$ba$2$", "$ba$2$"]);
		const again = await runCommand(["reencrypt", "--json"], { env });
		expect(again.code).toBe(0);
		expect(again.json()).toEqual({ seen: 3, reencrypted: 0, unreadable: [] });
	});

	it("lists what no secret decrypts, encrypts the rest, and exits with 1", async () => {
		const [lost, kept] = tenants;
		await pool.query(`update "tenantOauthConfig" set "clientSecret" = '$ba$1$00' where "tenantId" = $1`, [lost]);
		const other = { ...env, AUTH_SECRETS: `3:${"c".repeat(20)}${OLD},2:${NEW},1:${OLD}` };
		const ran = await runCommand(["reencrypt", "--json"], { env: other });
		expect(ran.code).toBe(1);
		expect(ran.json()).toEqual({ seen: 3, reencrypted: 2, unreadable: [{ tenantId: lost, providerId: "google" }] });
		const text = await runCommand(["reencrypt"], { env: other });
		expect(text.code).toBe(1);
		expect(text.stdout).toBe("0 of 3 rows encrypted again; 1 cannot be decrypted\n");
		expect(text.stderr).toContain(`The credentials of tenant ${lost} cannot be decrypted for google`);
		expect(text.stderr).not.toContain(kept);
		expect(ran.stdout + ran.stderr + text.stderr).not.toMatch(/canary|b1Qm7/);
	});

	it("continues after a cursor, refuses a wrong batch size, and explains a database that is away", async () => {
		const { rows } = await pool.query<{ id: string }>('select "id" from "tenantOauthConfig" order by "id" limit 2');
		const rest = await runCommand(["reencrypt", "--json", "--after", rows[1]?.id ?? ""], { env });
		expect((rest.json() as { seen: number }).seen).toBe(1);
		const wrong = await runCommand(["reencrypt", "--json", "--batch-size", "0"], { env });
		expect([wrong.code, wrong.error().code]).toEqual([1, "USAGE"]);
		const away = await runCommand(["reencrypt", "--json"], {
			env: { ...env, DATABASE_URL: "postgres://me:canary@127.0.0.1:9/none" },
		});
		expect(away.error()).toMatchObject({ code: "DATABASE_UNAVAILABLE" });
		expect(away.stderr).not.toContain("canary");
	});
});
