import { randomBytes } from "node:crypto";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { verifyErasure } from "better-auth-tenants/admin";
import { Browser } from "test-kit/browser";
import { linkIn, startSmtp } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { createPool } from "../../src/database/pool.ts";
import { createRedis } from "../../src/redis/client.ts";
import { AUTH_URL, MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld, type World } from "../support/world.ts";

const PASSWORD = "correct horse battery";
const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let world: World;
let url: string;
beforeAll(async () => {
	smtp = await startSmtp();
	world = await createWorld({
		environment: {
			PLUGINS: "admin,tenant-admin,tenant-invitations,two-factor",
			TENANT_POLICY: "true",
			TENANT_LIFECYCLE: "true",
			TENANT_INVITATION_URL: "https://:tenant.example.com/invitation",
			SMTP_URL: smtp.url,
			MAIL_FROM: "Test <test@example.com>",
			REDIS_URL,
			REDIS_KEY_PREFIX: `test-${randomBytes(6).toString("hex")}:`,
			TENANT_CACHE_MAX_AGE: "0",
		},
	});
	({ url } = await world.start());
}, 120_000);
afterAll(async () => {
	const redis = world.config.redis && createRedis(world.config.redis, world.log.logger);
	const keys = (await redis?.keys(`${world.config.redis?.keyPrefix}*`)) ?? [];
	if (keys.length > 0) await redis?.del(...keys);
	redis?.disconnect();
	await world.close();
	await smtp.close();
});

type Call = { by?: Browser | "operator"; query?: Record<string, string>; body?: object };

const call = async (path: string, { by, query = {}, body }: Call = {}) => {
	const response = await fetch(`${url}/api/auth${path}?${new URLSearchParams(query)}`, {
		method: body ? "POST" : "GET",
		headers: {
			origin: AUTH_URL,
			...(body ? { "content-type": "application/json" } : {}),
			...(by === "operator" ? { authorization: `Bearer ${MANAGEMENT_KEY}` } : by ? { cookie: by.header() } : {}),
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	if (by instanceof Browser) by.take(response);
	const text = await response.text();
	return { status: response.status, text, json: text ? JSON.parse(text) : null, headers: response.headers };
};

const done = async (path: string, options: Call) => {
	const answer = await call(path, options);
	expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
	return answer.json;
};

const outcome = async (path: string, options: Call): Promise<[number, string | undefined]> => {
	const { status, json } = await call(path, options);
	return [status, json?.code];
};

type Person = { id: string; email: string; browser: Browser };

const tokenFor = async (slug: string, email: string): Promise<string> => {
	const link = new URL(linkIn(await smtp.mailTo(email)));
	expect(link.origin + link.pathname).toBe(`https://${slug}.example.com/invitation`);
	return link.searchParams.get("token") ?? "";
};

/** Invites, reads the mail, and accepts as a new user. */
const join = async (by: Browser | "operator", tenant: Tenant, name: string, role: string): Promise<Person> => {
	const email = `${name}@${tenant.slug}.example`;
	await done("/tenant/invitation/create", { by, body: { tenantId: tenant.id, email, role } });
	const token = await tokenFor(tenant.slug, email);
	const shown = await done("/tenant/invitation/get", { query: { token } });
	expect(shown).toMatchObject({ email, role, tenant: { id: tenant.id } });
	const browser = new Browser();
	const accept = { by: browser, body: { token, name, password: PASSWORD } };
	const { user } = await done("/tenant/invitation/accept", accept);
	expect(user).toMatchObject({ email, role, emailVerified: true });
	expect(await outcome("/tenant/invitation/accept", accept)).toEqual([404, "INVITATION_NOT_FOUND"]);
	return { id: user.id, email, browser };
};

type Tenant = { id: string; slug: string };
const createTenant = (slug: string): Promise<Tenant> =>
	done("/tenant/create", { by: "operator", body: { name: slug, slug } });

const signIn = (tenant: Tenant, { email }: Person, by = new Browser()) =>
	call("/tenant/sign-in/email", { by, body: { tenantId: tenant.id, email, password: PASSWORD } });
const isSignedIn = async ({ browser }: Person): Promise<boolean> =>
	(await call("/get-session", { by: browser })).json?.user !== undefined;

/** Sets up an authenticator app. Returns what creates its codes. */
const enroll = async (by: Browser) => {
	const { totpURI } = await done("/two-factor/enable", { by, body: { password: PASSWORD } });
	const secret = base32.decode(new URL(totpURI).searchParams.get("secret") ?? "");
	const code = (): Promise<string> => createOTP(new TextDecoder().decode(secret)).totp();
	await done("/two-factor/verify-totp", { by, body: { code: await code() } });
	return code;
};

/** The rows of a tenant in all tables that have tenants. What only says that something changed has no ids. */
const rowsOf = async ({ id }: Tenant): Promise<Record<string, unknown[]>> => {
	const pool = createPool(world.config.database, world.log.logger);
	try {
		const tables = await pool.query(
			"select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenantId' and table_name <> 'tenant_session_change' order by 1",
		);
		const rows: Record<string, unknown[]> = {};
		for (const { name } of tables.rows)
			rows[name] = (await pool.query(`select * from "${name}" where "tenantId" = $1 order by id`, [id])).rows;
		return rows;
	} finally {
		await pool.end();
	}
};

// threats 107, 109 to 118: all that is turned on by variables, together
it("lets a tenant's admins do their week, and its neighbor notices nothing", { timeout: 180_000 }, async () => {
	const [acme, globex] = [await createTenant("acme"), await createTenant("globex")];
	const [owner, neighbor] = [
		await join("operator", acme, "olivia", "owner"),
		await join("operator", globex, "nora", "owner"),
	];
	const neighborsMember = await join(neighbor.browser, globex, "mia", "member");
	const before = await rowsOf(globex);
	expect([before.user?.length, before.session?.length]).toEqual([2, 2]);

	/** The neighbor's owner and member, and a visitor, are refused. The owner or the operator is not. */
	const only = async (by: Browser | "operator", path: string, given: Omit<Call, "by">) => {
		expect([path, await outcome(path, { by: neighbor.browser, ...given })]).toEqual([
			path,
			[403, "TENANT_MANAGEMENT_NOT_ALLOWED"],
		]);
		expect([path, (await outcome(path, { by: neighborsMember.browser, ...given }))[0]]).toEqual([path, 403]);
		expect([path, (await outcome(path, given))[0]]).toEqual([path, 401]);
		return done(path, { by, ...given });
	};
	const tenantId = acme.id;

	// Monday: people
	const admin = await join(owner.browser, acme, "adam", "admin");
	const member = await join(admin.browser, acme, "mia", "member");
	await only(owner.browser, "/tenant/invitation/create", { body: { tenantId, email: "late@acme.example" } });
	const [open] = await only(owner.browser, "/tenant/invitation/list", { query: { tenantId } });
	expect(open.email).toBe("late@acme.example");
	const late = await tokenFor("acme", "late@acme.example");
	await only(owner.browser, "/tenant/invitation/revoke", { body: { tenantId, id: open.id } });
	const accept = { body: { token: late, name: "late", password: PASSWORD } };
	expect(await outcome("/tenant/invitation/accept", accept)).toEqual([404, "INVITATION_NOT_FOUND"]);
	const promote = { body: { tenantId, userId: member.id, role: "admin" } };
	expect((await only(owner.browser, "/tenant/user/set-role", promote)).role).toBe("admin");
	const overOwner = { by: admin.browser, body: { tenantId, userId: owner.id } };
	expect(await outcome("/tenant/user/ban", overOwner)).toEqual([403, "OWNER_REQUIRED"]);
	const lastOwner = { by: "operator" as const, body: { tenantId, userId: owner.id } };
	expect(await outcome("/tenant/user/remove", lastOwner)).toEqual([409, "LAST_OWNER"]);
	// a neighbor's user is as missing as nobody
	const foreign = { by: owner.browser, body: { tenantId, userId: neighborsMember.id } };
	const nobody = { by: owner.browser, body: { tenantId, userId: "nobody" } };
	expect((await call("/tenant/user/ban", foreign)).text).toBe((await call("/tenant/user/ban", nobody)).text);

	// Tuesday: search and ban
	const found = await only(owner.browser, "/tenant/user/list", { query: { tenantId, email: "mia@" } });
	expect(found.map(({ id }: { id: string }) => id)).toEqual([member.id]);
	const details = await only(owner.browser, "/tenant/user/get", { query: { tenantId, userId: member.id } });
	expect([details.sessions.length, details.secondFactors]).toEqual([1, []]);
	await only(owner.browser, "/tenant/user/ban", { body: { tenantId, userId: member.id, reason: "left" } });
	expect([await isSignedIn(member), (await signIn(acme, member)).status]).toEqual([false, 403]);
	await only(owner.browser, "/tenant/user/unban", { body: { tenantId, userId: member.id } });
	expect((await signIn(acme, member, member.browser)).status).toBe(200);

	// Wednesday: rules
	const policy = { methods: ["password"], minPasswordLength: 20 };
	await only(owner.browser, "/tenant/policy/update", { body: { tenantId, policy } });
	expect((await only(owner.browser, "/tenant/policy/get", { query: { tenantId } })).own).toEqual(policy);
	const weaker = { by: admin.browser, body: { tenantId, policy: { minPasswordLength: 1 } } };
	expect(await outcome("/tenant/policy/update", weaker)).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	const lockout = { by: owner.browser, body: { tenantId, policy: { methods: ["passkey"] } } };
	expect(await outcome("/tenant/policy/update", lockout)).toEqual([409, "POLICY_LOCKS_YOU_OUT"]);
	const change = { currentPassword: PASSWORD, newPassword: "nineteen characters" };
	expect(await outcome("/change-password", { by: admin.browser, body: change })).toEqual([
		400,
		"POLICY_PASSWORD_TOO_SHORT",
	]);

	// Thursday: second factors
	const required = { body: { tenantId, policy: { secondFactor: "required" } } };
	await only(owner.browser, "/tenant/policy/update", required);
	for (const person of [owner, admin, member]) expect(await isSignedIn(person)).toBe(false);
	expect(await outcome("/tenant/user/list", { by: owner.browser, query: { tenantId } })).toEqual([
		401,
		"SECOND_FACTOR_REQUIRED",
	]);
	const ownersCode = await enroll(owner.browser);
	await enroll(member.browser);
	expect([await isSignedIn(owner), await isSignedIn(admin), await isSignedIn(member)]).toEqual([true, false, true]);
	await only(owner.browser, "/tenant/user/reset-second-factor", { body: { tenantId, userId: member.id } });
	expect((await signIn(acme, member, member.browser)).json.secondFactor).toBe("enroll");
	await enroll(member.browser);

	// Friday: suspended and restored
	const suspend = { body: { tenantId, reason: "unpaid invoice" } };
	expect((await outcome("/tenant/suspend", { by: owner.browser, ...suspend }))[0]).toBe(403);
	await done("/tenant/suspend", { by: "operator", ...suspend });
	expect(await outcome("/get-session", { by: owner.browser })).toEqual([403, "TENANT_SUSPENDED"]);
	expect((await signIn(acme, owner)).json.code).toBe("TENANT_SUSPENDED");
	expect((await signIn(globex, neighbor)).status).toBe(200);
	const restore = { body: { tenantId, reason: "paid", endSessions: true } };
	for (const by of [neighbor.browser, neighborsMember.browser])
		for (const [path, given] of [["/tenant/suspend", suspend] as const, ["/tenant/restore", restore] as const])
			expect([path, (await outcome(path, { by, ...given }))[0]]).toEqual([path, 403]);
	await done("/tenant/restore", { by: "operator", ...restore });
	for (const person of [owner, member]) expect(await isSignedIn(person)).toBe(false);
	expect((await signIn(acme, owner, owner.browser)).json.secondFactor).toBe("verify");
	await done("/two-factor/verify-totp", { by: owner.browser, body: { code: await ownersCode() } });
	expect(await isSignedIn(owner)).toBe(true);

	// Saturday: a person is forgotten
	const erase = { body: { tenantId, userId: member.id } };
	const { erasure, record } = await only(owner.browser, "/tenant/user/erase", erase);
	expect(erasure).toMatchObject({ tenantId, userId: member.id, rows: { user: 1, account: 1, twoFactor: 1 } });
	expect(JSON.stringify(await rowsOf(acme))).not.toContain(member.id);
	expect((await signIn(acme, member)).json.code).toBe("INVALID_EMAIL_OR_PASSWORD");
	const pool = createPool(world.config.database, world.log.logger);
	const { config, log } = world;
	const auth = createAuth({ config, pool, cache: null, mailer: { send: async () => {} }, logger: log.logger });
	expect(await verifyErasure(auth, record)).toEqual(erasure);
	expect(await verifyErasure(auth, `${record.slice(0, -4)}AAAA`)).toBeNull();
	await pool.end();

	// the neighbor: the one sign-in from Friday, and nothing else
	const after = await rowsOf(globex);
	const { session: sessions = [], ...others } = after;
	const { session: sessionsBefore = [], ...othersBefore } = before;
	expect(others).toEqual(othersBefore);
	expect(sessions).toHaveLength(sessionsBefore.length + 1);
	expect(sessions).toEqual(expect.arrayContaining(sessionsBefore));
	expect([await isSignedIn(neighbor), await isSignedIn(neighborsMember)]).toEqual([true, true]);
});
