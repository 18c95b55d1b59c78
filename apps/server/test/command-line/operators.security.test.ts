import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOTP } from "@better-auth/utils/otp";
import type { AuditEntry } from "better-auth-tenants";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { createTestDatabase } from "../support/database.ts";
import { keepLog } from "../support/log.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

const ORIGIN = "http://auth.example.test";
const PASSWORD = "correct horse battery";
const ADA = "ada@example.com";
const folder = mkdtempSync(join(tmpdir(), "operators-"));
const GIVEN = {
	MANAGEMENT_ROLES: "admin,support",
	PLUGINS: "admin,tenant-admin,two-factor,passkey",
	CONSOLE: "true",
	AUDIT_FILE: join(folder, "audit.ndjson"),
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let env: Record<string, string>;
let auth: ReturnType<typeof createAuth>;
beforeAll(async () => {
	database = await createTestDatabase((url) => readConfig(serverEnvironment(url, GIVEN)));
	env = serverEnvironment(database.url, GIVEN);
	pool = new pg.Pool({ connectionString: database.url });
	const { logger } = keepLog("silent");
	auth = createAuth({ config: readConfig(env), pool, cache: null, mailer: null, logger });
});
afterAll(async () => {
	await pool.end();
	await database.drop();
	rmSync(folder, { recursive: true, force: true });
});

const call = async (path: string, { cookie = "", body }: { cookie?: string; body?: object } = {}) => {
	const response = await auth.handler(
		new Request(`${ORIGIN}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: { origin: ORIGIN, cookie, ...(body ? { "content-type": "application/json" } : {}) },
			body: body ? JSON.stringify(body) : null,
		}),
	);
	const text = await response.text();
	const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
	return { status: response.status, json: text ? (JSON.parse(text) as Record<string, unknown>) : null, cookies };
};
const signIn = async (email = ADA, password = PASSWORD) => {
	const { status, json, cookies } = await call("/sign-in/email", { body: { email, password } });
	return { status, json, cookie: cookies.join("; ") };
};
const listTenants = async (cookie: string) => (await call("/tenant/list", { cookie })).status;

const operator = (...args: string[]) => runCommand(["operator", ...args, "--json"], { env, stdin: PASSWORD });
/** The id of a new operator. */
const create = async (email = ADA): Promise<string> => {
	const made = await operator("create", email, "--name", email.split("@")[0] ?? "", "--password-stdin");
	return (made.json() as { id: string }).id;
};
const listed = async () => (await operator("list")).lines() as Record<string, unknown>[];
/** The actions in the file and among the console's events, with the user. */
const noted = async () => {
	const file = readFileSync(GIVEN.AUDIT_FILE, "utf8").trim().split("\n");
	const entries = file.map((line) => (JSON.parse(line) as { audit: AuditEntry }).audit);
	const { rows } = await pool.query<{ entry: string }>(`select "entry" from "serviceEvent" order by "at"`);
	const brief = ({ action, userId, actor, outcome }: AuditEntry) => [action, userId, actor.kind, outcome];
	const events = rows.map(({ entry }) => brief(JSON.parse(entry) as AuditEntry));
	expect(events).toEqual(entries.map(brief));
	// noted before there is an id
	return events.filter(([action]) => action !== "operator:create");
};

beforeEach(async () => {
	await pool.query(`truncate "user", "session", "account", "verification", "serviceEvent" cascade`);
	rmSync(GIVEN.AUDIT_FILE, { force: true });
});

it("lists who manages every tenant, and nobody else", { timeout: 60_000 }, async () => {
	await create();
	await create("bob@example.com");
	await pool.query(`update "user" set "role" = 'user, support' where "email" = 'bob@example.com'`);
	await create("former@example.com");
	await pool.query(`update "user" set "role" = 'admins' where "email" = 'former@example.com'`);
	const { id: acme } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const createUser = Reflect.get(auth.api, "createTenantUser") as (input: object) => Promise<{ id: string }>;
	const body = { tenantId: acme, email: "eve@acme.example", name: "Eve", password: PASSWORD };
	const { id: eve } = await createUser({ body });
	// the name of a role that operators have counts on the platform only
	await pool.query(`update "user" set "role" = 'admin' where "id" = $1`, [eve]);
	await signIn();
	const all = await listed();
	expect(all.map(({ email, roles, disabled }) => [email, roles, disabled])).toEqual([
		[ADA, ["admin"], false],
		["bob@example.com", ["user", "support"], false],
	]);
	expect(all.map(({ lastSignInAt }) => lastSignInAt === null)).toEqual([false, true]);
	for (const verb of ["disable", "reset", "remove"]) {
		const options = { disable: [], reset: ["--password-stdin"], remove: ["--yes"] }[verb] ?? [];
		for (const email of ["eve@acme.example", "former@example.com", "nobody@example.com"])
			expect((await operator(verb, email, ...options)).error().code, `${verb} ${email}`).toBe("OPERATOR_NOT_FOUND");
	}
	await auth.api.deleteTenant({ body: { tenantId: acme } });
});

// threat 178
it("disables an operator at once, and lets them in again", { timeout: 60_000 }, async () => {
	const id = await create();
	const { cookie } = await signIn();
	expect(await listTenants(cookie)).toBe(200);
	const disabled = await operator("disable", "Ada@example.com");
	expect(disabled.json()).toMatchObject({ id, disabled: true });
	expect(await listTenants(cookie)).toBe(401);
	expect((await call("/get-session", { cookie })).json).toBeNull();
	expect((await signIn()).status).toBe(403);
	expect((await listed()).map((one) => one.disabled)).toEqual([true]);
	expect((await operator("enable", ADA)).json()).toMatchObject({ id, disabled: false });
	// sessions from before stay dead
	expect(await listTenants(cookie)).toBe(401);
	expect(await listTenants((await signIn()).cookie)).toBe(200);
	expect(await noted()).toEqual(
		["created", "disable", "enable"].map((verb) => [`operator:${verb}`, id, "server", "allowed"]),
	);
});

// threat 178
it("resets an operator who lost password and device: nothing from before is a way in", {
	timeout: 60_000,
}, async () => {
	const id = await create();
	const { cookie } = await signIn();
	const enabled = await call("/two-factor/enable", { cookie, body: { password: PASSWORD } });
	const secret = new URL(String(enabled.json?.totpURI)).searchParams.get("secret") ?? "";
	const code = await createOTP(fromBase32(secret)).totp();
	const verified = await call("/two-factor/verify-totp", { cookie, body: { code, trustDevice: true } });
	expect(verified.status).toBe(200);
	const trusted = verified.cookies.join("; ");
	expect((await signIn()).json).toMatchObject({ twoFactorRedirect: true });
	await pool.query(
		`insert into "passkey" ("id", "tenantId", "userId", "name", "publicKey", "credentialID", "counter", "deviceType", "backedUp")
		values ('key', 'platform', $1, 'Laptop', 'x', 'y', 0, 'singleDevice', false)`,
		[id],
	);
	await pool.query(
		`insert into "verification" ("id", "tenantId", "identifier", "value", "expiresAt")
		values ('link', 'platform', 'reset-password:abc', $1, now() + interval '1 hour')`,
		[id],
	);
	expect((await listed()).map(({ secondFactor }) => secondFactor)).toEqual([true]);

	const reset = await runCommand(["operator", "reset", ADA, "--json"], { env });
	const { password } = reset.json() as { password: string };
	expect(password).toMatch(/^[\w-]{24}$/);
	expect((await signIn()).status).toBe(401);
	for (const before of [cookie, trusted]) expect((await call("/get-session", { cookie: before })).json).toBeNull();
	const now = await signIn(ADA, password);
	expect([now.status, now.json?.twoFactorRedirect]).toEqual([200, undefined]);
	for (const table of ["twoFactor", "passkey"])
		expect((await pool.query(`select 1 from "${table}"`)).rowCount, table).toBe(0);
	// links, trusted devices and challenges
	expect((await pool.query(`select 1 from "verification" where "value" like $1`, [`${id}%`])).rowCount).toBe(0);
	expect((await noted()).at(-1)).toEqual(["operator:reset", id, "server", "allowed"]);
	expect(readFileSync(GIVEN.AUDIT_FILE, "utf8")).not.toContain(password);
});

it("removes an operator with a line in the audit log, after a confirmation", { timeout: 60_000 }, async () => {
	const id = await create();
	const { cookie } = await signIn();
	const asked = await operator("remove", ADA);
	expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining("NOT_CONFIRMED")]);
	expect(await listTenants(cookie)).toBe(200);
	expect((await operator("remove", ADA, "--yes")).json()).toMatchObject({ id, email: ADA });
	expect(await listTenants(cookie)).toBe(401);
	expect((await signIn()).status).toBe(401);
	for (const table of ["user", "session", "account"])
		expect((await pool.query(`select 1 from "${table}"`)).rowCount, table).toBe(0);
	expect((await noted()).at(-1)).toEqual(["operator:remove", id, "server", "allowed"]);
});

// threat 179
it("changes nothing that cannot be noted", { timeout: 60_000 }, async () => {
	await create();
	const { cookie } = await signIn();
	const refused = await runCommand(["operator", "disable", ADA, "--json"], {
		env: { ...env, AUDIT_FILE: folder },
	});
	expect(refused.code).toBe(1);
	expect(await listTenants(cookie)).toBe(200);
});

// threat 179
it("creates nobody who cannot be noted", { timeout: 60_000 }, async () => {
	const refused = await runCommand(["operator", "create", ADA, "--name", "Ada", "--password-stdin", "--json"], {
		env: { ...env, AUDIT_FILE: folder },
		stdin: PASSWORD,
	});
	expect(refused.code).toBe(1);
	expect((await pool.query(`select 1 from "user"`)).rowCount).toBe(0);
});

/** RFC 4648, section 6. */
const fromBase32 = (text: string): string => {
	const bits = [...text.replace(/=+$/, "")].map((letter) =>
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
	);
	const bytes = bits.join("").match(/.{8}/g) ?? [];
	return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString();
};
