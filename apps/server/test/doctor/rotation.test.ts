import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkRotation } from "../../src/doctor/check-rotation.ts";
import { openPatient } from "../../src/doctor/patient.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { createTestDatabase } from "../support/database.ts";
import { saying } from "./judge.ts";

const OLD = "Qx7Lm2Vd9Tn4Rb8Wy1Kc5Hs3Mf6Jg0PzA";
const NEW = "Hw3Zk8Pq1Xr6Tb9Yn4Mv7Lc2Sd5Jf0GaB";
const BEFORE = { AUTH_SECRET: OLD };
const ADDED = { AUTH_SECRET: "", AUTH_SECRETS: `1:${OLD},2:${NEW}` };
const FIRST = { AUTH_SECRET: "", AUTH_SECRETS: `2:${NEW},1:${OLD}` };
const REMOVED = { AUTH_SECRET: "", AUTH_SECRETS: `2:${NEW}` };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const configOf = (url: string, given: Record<string, string> = BEFORE) =>
	readConfig(serverEnvironment(url, { PLUGINS: "two-factor,jwt", ...given }));
const patientOf = (given: Record<string, string>) => {
	const patient = openPatient(configOf(database.url, given));
	onTestFinished(() => patient.close());
	const auth = patient.auth();
	if (!auth || !patient.pool) throw new Error("no engine");
	return { patient, auth, pool: patient.pool };
};
beforeAll(async () => {
	database = await createTestDatabase((url) => configOf(url));
});
afterAll(() => database.drop());

describe("rotation", () => {
	it("follows the steps: one secret, the next one, what is left to encrypt again, and when the old one can go", async () => {
		const { patient, auth, pool } = patientOf(BEFORE);
		expect(saying(await checkRotation(patient), "ok")).toEqual([expect.stringContaining("nothing needs another one")]);
		const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		await auth.api.registerTenantOauthConfig({
			body: { tenantId: id, providerId: "google", clientId: "id", clientSecret: "canary" },
		});
		await pool.query(
			`insert into "jwks" ("id","publicKey","privateKey","createdAt","tenantId") values ('k','{}',$1,now(),$2)`,
			[JSON.stringify("$ba$1$00"), id],
		);

		const added = await checkRotation(patientOf(ADDED).patient);
		expect(added.map(({ status, says }) => [status, says])).toEqual([
			["ok", expect.stringContaining("Version 2 verifies and decrypts. When all servers have it, put it first")],
		]);

		const first = patientOf(FIRST);
		expect(saying(await checkRotation(first.patient), "warning")).toEqual([
			"Version 1 cannot be removed: it encrypted 2 values in tenantOauthConfig, 1 values in jwks",
		]);
		expect(saying(await checkRotation(patientOf(REMOVED).patient), "wrong")).toEqual([
			"2 values in tenantOauthConfig are encrypted with version 1, which is not configured",
			"1 values in jwks are encrypted with version 1, which is not configured",
		]);

		await pool.query('delete from "jwks"');
		const { reencryptSecrets } = await import("better-auth-tenants");
		expect((await reencryptSecrets(first.auth)).reencrypted).toBe(1);
		expect(saying(await checkRotation(first.patient), "ok")).toEqual([
			"Version 1 can be removed: no stored value needs it, and it keeps nobody signed in",
		]);

		// a session that was extended two days ago, of seven, and one that was never extended
		await pool.query(
			`insert into "user" ("id","name","email","emailVerified","createdAt","updatedAt","tenantId") values ('u','A','a@example.com',false,now(),now(),$1)`,
			[id],
		);
		await pool.query(
			`insert into "session" ("id","token","userId","createdAt","updatedAt","expiresAt","tenantId") values
				('extended','t1','u','2020-01-01T00:00:00Z',now(),now() + interval '5 days',$1),
				('short','t2','u',now() - interval '1 hour',now(),now() + interval '1 hour',$1),
				('over','t3','u','2019-01-01T00:00:00Z',now(),now() - interval '1 hour',$1)`,
			[id],
		);
		const [waits] = saying(await checkRotation(first.patient), "ok");
		const since = new Date(/before (\S+Z)/.exec(waits ?? "")?.[1] ?? "").getTime();
		const twoDays = 2 * 86_400_000;
		expect(Math.abs(Date.now() - twoDays - since)).toBeLessThan(3_600_000);
		expect(waits).toContain("7 days after the last server was changed");
		expect(saying(await checkRotation(patientOf({ ...FIRST, AUTH_SECRETS_VERIFY: "first" }).patient), "ok")).toEqual([
			expect.stringContaining("keeps nobody signed in"),
		]);
	});

	it("says that values without a version need AUTH_SECRET", async () => {
		const { patient, pool } = patientOf({ AUTH_SECRET: OLD, AUTH_SECRETS: `2:${NEW}` });
		await pool.query(`update "tenantOauthConfig" set "clientSecret" = $1`, ["ab".repeat(60)]);
		expect(saying(await checkRotation(patient), "warning")).toEqual([
			"Version 1 cannot be removed: it encrypted 1 values in tenantOauthConfig",
		]);
	});
});
