import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { createTestDatabase } from "../support/database.ts";
import { keepLog } from "../support/log.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand, runInTerminal } from "./support/run-command.ts";

const PASSWORD = "correct horse battery";
const GIVEN = { MANAGEMENT_ROLES: "admin,support", PLUGINS: "admin,tenant-admin", REQUIRE_EMAIL_VERIFICATION: "true" };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let env: Record<string, string>;
let auth: ReturnType<typeof createAuth>;
let acme: string;
beforeAll(async () => {
	const configOf = (url: string) =>
		readConfig(serverEnvironment(url, { ...GIVEN, SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "auth@example.com" }));
	database = await createTestDatabase(configOf);
	pool = new pg.Pool({ connectionString: database.url });
	const { logger } = keepLog("silent");
	auth = createAuth({ config: configOf(database.url), pool, cache: null, mailer: null, logger });
	({ id: acme } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } }));
	await auth.api.createTenant({ body: { name: "Globex", slug: "globex" } });
	env = serverEnvironment(database.url, {
		...GIVEN,
		SMTP_URL: "smtp://127.0.0.1:9",
		MAIL_FROM: "auth@example.com",
		REDIS_URL: "redis://127.0.0.1:9",
	});
});
afterAll(async () => {
	await pool.end();
	await database.drop();
});

const signIn = (email: string, password: string): Promise<Response> =>
	auth.handler(
		new Request("http://auth.example.test/api/auth/sign-in/email", {
			method: "POST",
			headers: { "content-type": "application/json", origin: "http://auth.example.test" },
			body: JSON.stringify({ email, password }),
		}),
	);

/** The status of the list of all tenants, with the cookies of a sign-in. */
const listTenants = async (email: string, password: string): Promise<number> => {
	const cookie = (await signIn(email, password)).headers
		.getSetCookie()
		.map((line) => line.split(";", 1)[0])
		.join("; ");
	const request = new Request("http://auth.example.test/api/auth/tenant/list", { headers: { cookie } });
	return (await auth.handler(request)).status;
};

const usersNamed = async (email: string): Promise<object[]> =>
	(await pool.query(`select "tenantId", "role", "emailVerified" from "user" where "email" = $1`, [email])).rows;

describe("operator create", { timeout: 120_000 }, () => {
	it("creates a platform user who can sign in and list all tenants, with a password from stdin", async () => {
		const args = ["operator", "create", "Ada@Example.com", "--name", "Ada", "--password-stdin", "--json"];
		const done = await runCommand(args, { env, stdin: `${PASSWORD}\n` });
		expect(done).toMatchObject({ code: 0, stderr: "" });
		expect(done.json()).toEqual({ id: expect.any(String), email: "ada@example.com", name: "Ada", role: "admin" });
		expect(await usersNamed("ada@example.com")).toEqual([{ tenantId: "platform", role: "admin", emailVerified: true }]);
		expect(await listTenants("ada@example.com", PASSWORD)).toBe(200);
		expect((await signIn("ada@example.com", "another password")).status).toBe(401);
	});

	it("refuses an email that the platform has, and leaves its user as it is", async () => {
		const args = ["operator", "create", "ada@example.com", "--name", "Eve", "--password-stdin", "--json"];
		const again = await runCommand(args, { env, stdin: "a stolen password" });
		expect([again.code, again.error().code]).toEqual([1, "OPERATOR_EXISTS"]);
		expect((await signIn("ada@example.com", "a stolen password")).status).toBe(401);
		expect(await usersNamed("ada@example.com")).toHaveLength(1);
	});

	it("creates an operator beside a tenant's user with the same email, who becomes nothing more", async () => {
		const user = { tenantId: acme, email: "bob@acme.example", name: "Bob", password: "the password of a member" };
		const { createTenantUser } = auth.api as typeof auth.api & {
			createTenantUser: (input: object) => Promise<unknown>;
		};
		await createTenantUser({ body: user });
		const args = ["operator", "create", "bob@acme.example", "--name", "Bob", "--password-stdin"];
		expect((await runCommand(args, { env, stdin: PASSWORD })).code).toBe(0);
		expect((await usersNamed("bob@acme.example")).map((row) => Object.values(row).slice(0, 2))).toEqual(
			expect.arrayContaining([
				[acme, "member"],
				["platform", "admin"],
			]),
		);
		expect((await signIn("bob@acme.example", user.password)).status).toBe(401);
	});

	it("creates a password without a terminal, and shows it once", async () => {
		const made = await runCommand(["operator", "create", "eve@example.com", "--name", "Eve", "--json"], { env });
		const { password } = made.json() as { password: string };
		expect(password).toMatch(/^[\w-]{24}$/);
		expect(await listTenants("eve@example.com", password)).toBe(200);
	});

	it("asks on a terminal, and creates a password for an empty line", async () => {
		const { code, screen } = await runInTerminal(["operator", "create", "mia@example.com", "--name", "Mia"], {
			env,
			typed: "\n",
		});
		expect(code).toBe(0);
		const [, password = ""] = /Password: ([\w-]{24})/.exec(screen) ?? [];
		expect(await listTenants("mia@example.com", password)).toBe(200);
	});

	it.each([
		["a short password", "short", {}, "INVALID_PASSWORD", "kim@example.com"],
		["something that is not an email", PASSWORD, {}, "INVALID_EMAIL", "kim"],
		["a service without operators' roles", PASSWORD, { MANAGEMENT_ROLES: "" }, "NO_OPERATOR_ROLE", "kim@example.com"],
		["a role that nobody can have", PASSWORD, { MANAGEMENT_ROLES: "king" }, "UNKNOWN_ROLE", "kim@example.com"],
	])("refuses %s, and creates nothing", async (_what, stdin, given, code, email) => {
		const args = ["operator", "create", email, "--name", "Kim", "--password-stdin", "--json"];
		const refused = await runCommand(args, { env: { ...env, ...given }, stdin });
		expect([refused.code, refused.error().code]).toEqual([1, code]);
		expect(refused.stderr).not.toContain(PASSWORD);
		expect(await usersNamed(email)).toEqual([]);
	});
});
