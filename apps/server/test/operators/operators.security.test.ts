import type { BetterAuthPlugin } from "better-auth";
import type { AuditEntry } from "better-auth-tenants";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { endImpersonatedBy } from "../../src/database/end-sessions.ts";
import type { LetterRequest } from "../../src/mail/letter-request.ts";
import type { Engine } from "../../src/operators/find-operators.ts";
import { createOperators } from "../../src/operators/operators.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { createTestDatabase } from "../support/database.ts";
import { keepLog } from "../support/log.ts";

const ORIGIN = "http://auth.example.test";
const PASSWORD = "correct horse battery";
const [ADA, BOB, EVE] = ["ada@example.com", "bob@example.com", "eve@example.com"];
const GIVEN = {
	MANAGEMENT_ROLES: "admin,support",
	PLUGINS:
		"admin,tenant-admin,two-factor,bearer,multi-session,magic-link,email-otp,device-authorization,api-key,phone-number",
	DEVICE_CLIENT_IDS: "cli",
	DEVICE_VERIFICATION_URL: "https://app.example.com/device",
	SMS_WEBHOOK_URL: "https://sms.example.com/send",
	SMS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
	SMTP_URL: "smtp://127.0.0.1:9",
	MAIL_FROM: "auth@example.com",
	MANAGEMENT_IMPERSONATION: "900",
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let audited: AuditEntry[] = [];
let mailed: LetterRequest[] = [];
let auth: ReturnType<typeof openAuth>;
const openAuth = (more: Record<string, string> = {}) => {
	const config = readConfig(serverEnvironment(database.url, { ...GIVEN, ...more }));
	const { logger } = keepLog("silent");
	const audit = async (entry: AuditEntry) => void audited.push(entry);
	const mailer = { send: async ({ request }: { request: LetterRequest }) => void mailed.push(request) };
	return createAuth({ config, pool, cache: null, mailer, logger, audit });
};
beforeAll(async () => {
	database = await createTestDatabase((url) => readConfig(serverEnvironment(url, GIVEN)));
	pool = new pg.Pool({ connectionString: database.url });
	auth = openAuth();
});
afterAll(async () => {
	await pool.end();
	await database.drop();
});

type Sent = { headers?: Record<string, string>; body?: object; from?: ReturnType<typeof openAuth> };
const call = async (path: string, { headers = {}, body, from = auth }: Sent = {}) => {
	const response = await from.handler(
		new Request(path.startsWith("http") ? path : `${ORIGIN}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: { origin: ORIGIN, ...(body ? { "content-type": "application/json" } : {}), ...headers },
			body: body ? JSON.stringify(body) : null,
		}),
	);
	const text = await response.text();
	const cookie = response.headers
		.getSetCookie()
		.map((line) => line.split(";", 1)[0] ?? "")
		.filter((pair) => !pair.endsWith("="))
		.join("; ");
	const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : null;
	return { status: response.status, json, cookie, headers: response.headers };
};
const signIn = (email: string, password = PASSWORD, from = auth) =>
	call("/sign-in/email", { body: { email, password }, from });
const manages = async (cookie: string) => (await call("/tenant/list", { headers: { cookie } })).status === 200;

/** A user of the platform; the id. */
const create = async (email: string, role = "admin"): Promise<string> => {
	const createUser = Reflect.get(auth.api, "createUser") as (input: object) => Promise<{ user: { id: string } }>;
	const body = { email, name: email, password: PASSWORD, role, data: { emailVerified: true } };
	return (await createUser({ body })).user.id;
};
const open = async (settle: () => Promise<unknown> = async () => {}, from = auth, userIds: string[] = []) =>
	createOperators({
		engine: from.$context as Promise<unknown> as Promise<Engine>,
		management: { roles: userIds.length > 0 ? [] : ["admin", "support"], userIds },
		note: async () => {},
		endImpersonated: (userId) => endImpersonatedBy(pool, userId),
		settle,
	});
const count = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rowCount;

beforeEach(async () => {
	await pool.query(
		`truncate "user", "session", "account", "verification", "apikey", "deviceCode", "tenant", "serviceProcess" cascade`,
	);
	[audited, mailed] = [[], []];
});

const linkOf = (kind: string): string => {
	const found = mailed.findLast((one) => one.kind === kind);
	return found && "url" in found ? found.url : "";
};
const codeOf = (): string => {
	const found = mailed.findLast((one) => one.kind === "oneTimeCode");
	return found && "code" in found ? found.code : "";
};

// threat 178
it("leaves no way in from before a reset: links, codes, keys, devices, phones and linked accounts", async () => {
	const id = await create(ADA);
	const { cookie } = await signIn(ADA);
	const headers = { cookie };
	await call("/sign-in/magic-link", { body: { email: ADA } });
	await call("/email-otp/send-verification-otp", { body: { email: ADA, type: "sign-in" } });
	const signInCode = codeOf();
	await call("/email-otp/send-verification-otp", { body: { email: ADA, type: "forget-password" } });
	const resetCode = codeOf();
	await call("/change-email", { headers, body: { newEmail: "mallory@evil.example" } });
	await call(linkOf("emailChange"), { headers });
	const [second] = mailed.slice(-1);
	const changeLink = second && "url" in second && second.kind !== "emailChange" ? second.url : "";
	expect([linkOf("magicLink"), signInCode, resetCode, changeLink].every((one) => one !== "")).toBe(true);
	await pool.query(
		`insert into "account" ("id", "tenantId", "userId", "accountId", "providerId", "createdAt", "updatedAt")
		values ('github', 'platform', $1, '1', 'github', now(), now())`,
		[id],
	);
	await pool.query(`update "user" set "phoneNumber" = '+15550100', "phoneNumberVerified" = true where "id" = $1`, [id]);
	const createApiKey = Reflect.get(auth.api, "createApiKey") as (input: object) => Promise<unknown>;
	await createApiKey({ body: { userId: id, name: "script" } });

	const reset = await (await open()).reset(ADA, "a long new password");
	expect(reset).toMatchObject({ id, email: ADA });
	expect((await signIn(ADA)).status).toBe(401);
	expect(await manages(cookie)).toBe(false);
	for (const link of [linkOf("magicLink"), changeLink]) {
		const opened = await call(link);
		expect(await manages(opened.cookie), link).toBe(false);
	}
	expect(await count(`select 1 from "user" where "email" = $1`, [ADA])).toBe(1);
	expect((await call("/sign-in/email-otp", { body: { email: ADA, otp: signInCode } })).status).not.toBe(200);
	const password = "the password of mallory";
	await call("/email-otp/reset-password", { body: { email: ADA, otp: resetCode, password } });
	expect((await signIn(ADA, password)).status).toBe(401);
	for (const table of ["apikey", "deviceCode"]) expect(await count(`select 1 from "${table}"`), table).toBe(0);
	expect(await count(`select 1 from "account" where "providerId" <> 'credential'`)).toBe(0);
	expect(await count(`select 1 from "user" where "phoneNumber" is not null`)).toBe(0);
	expect((await signIn(ADA, "a long new password")).status).toBe(200);
});

// threat 178
it("ends the sessions that an operator opened as others, and one that a sign-in stores late", async () => {
	const id = await create(ADA);
	const bob = await create(BOB);
	const { id: acme } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const person = { tenantId: acme, name: "Eve", email: EVE, password: PASSWORD };
	const signedUp = await call("/tenant/sign-up/email", { body: person });
	const { id: user } = Object(signedUp.json).user as { id: string };
	await pool.query(`delete from "session"`);
	for (const verb of ["disable", "reset", "remove"] as const) {
		const store = (token: string, tenantId: string, userId: string, column: string, value: string | null) =>
			pool.query(
				`insert into "session" ("id", "token", "tenantId", "userId", "expiresAt", "createdAt", "updatedAt", "${column}")
				values ($1, $1, $2, $3, now() + interval '1 hour', now(), now(), $4)`,
				[`${verb}-${token}`, tenantId, userId, value],
			);
		await store("in-a-tenant", acme, user, "operatorId", `user:${id}`);
		await store("on-the-platform", "platform", bob, "impersonatedBy", id);
		await store("of-another", acme, user, "operatorId", `user:${bob}`);
		// as a sign-in does that had checked the password before; without the user, the database refuses it
		const late = () => store("late", "platform", id, "impersonatedBy", null);
		const operators = await open(verb === "remove" ? undefined : late);
		await (verb === "reset" ? operators.reset(ADA, PASSWORD) : operators[verb](ADA));
		const { rows } = await pool.query<{ token: string }>(`select "token" from "session" order by "token"`);
		expect(rows.map(({ token }) => token)).toEqual([`${verb}-of-another`]);
		await pool.query(`delete from "session"`);
	}
	expect(await count(`select 1 from "user" where "id" = $1`, [id])).toBe(0);
});

it("does not say that somebody is disabled whom nothing disables", async () => {
	const id = await create(ADA);
	const without = openAuth({ PLUGINS: "two-factor", MANAGEMENT_ROLES: "", MANAGEMENT_USER_IDS: id });
	const operators = await open(undefined, without, [id]);
	await expect(operators.disable(ADA)).rejects.toThrow("nobody is disabled");
});

const brief = () => audited.map(({ action, outcome, userId, actor }) => [action, outcome, userId, actor]);
const by = (userId: string) => ({ kind: "session", userId, tenantId: "platform" });

// threat 179
it("audits every endpoint of the admin plugin, whatever the session came with", async () => {
	const ada = await create(ADA);
	const bob = await create(BOB);
	const { cookie, headers: signedIn } = await signIn(ADA);
	const token = signedIn.get("set-auth-token") ?? "";
	expect(token).not.toBe("");
	const eve = await create(EVE, "user");
	const eves = (await signIn(EVE)).cookie;
	const bodies: Record<string, object> = {
		"set-role": { userId: bob, role: "admin" },
		"create-user": { email: "new@example.com", name: "New", password: PASSWORD },
		"update-user": { userId: bob, data: { name: "Bob" } },
		"list-user-sessions": { userId: bob },
		"ban-user": { userId: bob },
		"unban-user": { userId: bob },
		"impersonate-user": { userId: eve },
		"revoke-user-session": { sessionToken: "x" },
		"revoke-user-sessions": { userId: bob },
		"set-user-password": { userId: bob, newPassword: PASSWORD },
		"has-permission": { permissions: { user: ["list"] } },
		"remove-user": { userId: bob },
	};
	const plugins: BetterAuthPlugin[] = auth.options.plugins;
	const plugin = plugins.find(({ id }) => id === "admin");
	const paths = Object.values(plugin?.endpoints ?? {}).flatMap(({ path }) => path?.slice("/admin/".length) ?? []);
	expect(paths.sort()).toEqual([...Object.keys(bodies), "get-user", "list-users", "stop-impersonating"].sort());
	const ways = {
		bearer: { authorization: `Bearer ${token}` },
		both: { authorization: `Bearer ${token}`, cookie: eves },
	};
	for (const [way, headers] of Object.entries({ cookie: { cookie }, ...ways }))
		for (const path of paths.filter((one) => one !== "remove-user" && one !== "stop-impersonating")) {
			audited = [];
			const body = bodies[path];
			const query = path === "get-user" ? `?id=${bob}` : "";
			await call(`/admin/${path}${query}`, { headers, ...(body ? { body } : {}) });
			expect(
				brief().map(([, outcome, , actor]) => [outcome, actor]),
				`${way} ${path}`,
			).toEqual([["allowed", by(ada)]]);
			await pool.query(`delete from "user" where "email" = 'new@example.com'`);
		}
	audited = [];
	// as the endpoint reads it
	expect((await call("/admin/ban-user", { headers: { cookie }, body: { userId: [bob] } })).status).toBe(200);
	const again = (await signIn(EVE)).cookie;
	await call("/admin/set-role", { headers: { cookie: again }, body: { userId: `${"x".repeat(99)}😀`, role: "admin" } });
	await call("/admin/remove-user", { headers: { cookie }, body: { userId: bob } });
	expect(brief()).toEqual([
		["operator:ban-user", "allowed", bob, by(ada)],
		["operator:set-role", "refused", `${"x".repeat(99)}\uFFFD`, by(eve)],
		["operator:remove-user", "allowed", bob, by(ada)],
	]);
});

// threat 179
it("audits by the stored session, not by the cookie cache, and names who impersonates", async () => {
	const cached = openAuth({ COOKIE_CACHE_MAX_AGE: "300" });
	const eve = await create(EVE, "user");
	const bob = await create(BOB, "user");
	const ada = await create(ADA);
	const { cookie } = await signIn(EVE, PASSWORD, cached);
	await pool.query(`update "user" set "role" = 'admin' where "id" = $1`, [eve]);
	expect((await call("/admin/ban-user", { headers: { cookie }, body: { userId: bob }, from: cached })).status).toBe(
		200,
	);
	expect(brief()).toEqual([["operator:ban-user", "allowed", bob, by(eve)]]);
	await pool.query(`delete from "session"`);
	audited = [];
	expect((await call("/admin/unban-user", { headers: { cookie }, body: { userId: bob }, from: cached })).status).toBe(
		401,
	);
	expect(brief()).toEqual([]);

	await pool.query(`update "user" set "banned" = false, "role" = 'user' where "id" = any ($1)`, [[bob, eve]]);
	const adas = (await signIn(ADA)).cookie;
	const opened = await call("/admin/impersonate-user", { headers: { cookie: adas }, body: { userId: bob } });
	expect(opened.status).toBe(200);
	audited = [];
	await call("/admin/remove-user", { headers: { cookie: opened.cookie }, body: { userId: ada } });
	expect(brief()).toEqual([["operator:remove-user", "refused", ada, { ...by(bob), operatorId: `user:${ada}` }]]);
});

it("audits the admin plugin in tenants, where it is open without tenant-admin", async () => {
	const open = openAuth({ PLUGINS: "admin", MANAGEMENT_IMPERSONATION: "0" });
	const { id: acme } = await open.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const person = { tenantId: acme, name: "Ada", email: ADA, password: PASSWORD };
	const [first, second] = await Promise.all(
		[ADA, BOB].map((email) => call("/tenant/sign-up/email", { body: { ...person, email }, from: open })),
	);
	const idOf = (json: unknown): string => (json as { user: { id: string } }).user.id;
	await pool.query(`update "user" set "role" = 'admin' where "id" = $1`, [idOf(first?.json)]);
	audited = [];
	const body = { userId: idOf(second?.json) };
	await call("/admin/ban-user", { headers: { cookie: first?.cookie ?? "" }, body, from: open });
	expect(audited.map(({ action, tenantId, userId }) => [action, tenantId, userId])).toEqual([
		["user:ban-user", acme, body.userId],
	]);
});
