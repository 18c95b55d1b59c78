import { bearer, multiSession } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { type CallOptions, MANAGEMENT_KEY, ORIGIN, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { bearing, createImpersonable, EMAIL, REASON } from "./impersonating.ts";

const SESSION_COOKIE = "better-auth.session_token";

const sessionsOf = async (world: World): Promise<string[]> =>
	(await world.database.query('select "id" from "session" order by "id"')).map(({ id }) => String(id));

describe("impersonating a user", () => {
	// threat 49
	it("rejects and audits strangers, wrong keys, and users of the tenant, another tenant and the platform", async () => {
		const { world, a, ada, neighbor, adaId, neighborId, entries, impersonate } = await createImpersonable({
			// a tenant admin may do everything in their own tenant except impersonate
			management: {
				authorize: ({ action, tenantId, session }) =>
					action !== "tenant:impersonate" && tenantId !== null && session?.session.tenantId === tenantId,
			},
		});
		const platformUser = await world.signUp(undefined, EMAIL);
		const platformUserId = (await world.call("/get-session", { browser: platformUser })).json.user.id;
		const before = await sessionsOf(world);
		const b = (await world.call("/get-session", { browser: neighbor })).json.session.tenantId;
		const key = (authorization: string) => ({ headers: { authorization } });
		const unknown = { kind: "unknown" };
		const callers: [CallOptions, number, unknown][] = [
			[{}, 401, unknown],
			[key("Bearer wrong-key-0123456789-0123456789-0123"), 403, unknown],
			[key(`Bearer ${MANAGEMENT_KEY}x`), 403, unknown],
			[key(`Basic ${btoa(MANAGEMENT_KEY)}`), 403, unknown],
			[{ browser: ada }, 403, { kind: "session", userId: adaId, tenantId: a }],
			[{ browser: neighbor }, 403, { kind: "session", userId: neighborId, tenantId: b }],
			[{ browser: neighbor, tenant: a }, 403, { kind: "session", userId: neighborId, tenantId: b }],
			[{ browser: platformUser }, 403, { kind: "session", userId: platformUserId, tenantId: "platform" }],
		];
		for (const [call, status, actor] of callers) {
			entries.length = 0;
			const answer = await impersonate(call);
			const code = status === 401 ? "TENANT_MANAGEMENT_UNAUTHORIZED" : "TENANT_MANAGEMENT_NOT_ALLOWED";
			expect([call, answer.status, answer.code]).toEqual([call, status, code]);
			// the reason is not recorded for a rejected caller
			const entry = {
				at: expect.any(Date),
				action: "tenant:impersonate",
				tenantId: a,
				actor,
				outcome: "refused",
				code,
				ip: "127.0.0.1",
			};
			expect(entries).toEqual([entry]);
		}
		expect(await sessionsOf(world)).toEqual(before);
	});

	// threat 49
	it.each<[string, WorldOptions]>([
		["SQLite", {}],
		[
			"PostgreSQL with UUIDs, which the database normalizes",
			{ database: "postgres", engine: { advanced: { disableOriginCheck: false, database: { generateId: "uuid" } } } },
		],
	])("returns the same 404 for every missing tenant or user, and for the platform (%s)", async (_name, options) => {
		const { world, a, b, adaId, neighborId, operatorId, entries, impersonate } = await createImpersonable(options);
		const gone = await world.newTenant("gone");
		const dead = await world.signUp(gone, EMAIL);
		const deadId = (await world.call("/get-session", { browser: dead })).json.user.id;
		await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
		// its deletion was interrupted, so its rows still exist
		const closing = await world.newTenant("closing");
		const late = await world.signUp(closing, EMAIL);
		const lateId = (await world.call("/get-session", { browser: late })).json.user.id;
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${closing}'`);
		const before = await sessionsOf(world);
		entries.length = 0;
		const targets = [
			[a, "nobody"],
			[a, neighborId],
			[a, operatorId],
			[b, adaId],
			["Zz".repeat(16), adaId],
			["platform", operatorId],
			["not a tenant id", adaId],
			["", adaId],
			[gone, deadId],
			[closing, lateId],
			[a, `${adaId} `],
			[a, adaId.toUpperCase()],
		];
		const answers = new Set<string>();
		for (const [tenantId, userId] of targets) {
			const { status, text } = await impersonate(undefined, { tenantId, userId });
			answers.add(`${status} ${text}`);
		}
		expect(answers.size).toBe(1);
		expect([...answers][0]).toMatch(/^404 .*"IMPERSONATION_TARGET_NOT_FOUND"/);
		expect(entries.map(({ outcome, code, reason }) => [outcome, code, reason])).toEqual(
			targets.map(() => ["refused", "IMPERSONATION_TARGET_NOT_FOUND", REASON]),
		);
		expect(entries[1]).toMatchObject({ tenantId: a, userId: neighborId });
		expect(await sessionsOf(world)).toEqual(before);
	});

	// threat 50
	it("rejects cross-site requests with an operator's cookie", async () => {
		const { world, a, adaId, operator, impersonate } = await createImpersonable();
		const before = await sessionsOf(world);
		const body = JSON.stringify({ tenantId: a, userId: adaId, reason: REASON });
		const json = "application/json";
		const attempts: [Record<string, string>, number][] = [
			[{ "content-type": json }, 403],
			[{ "content-type": json, origin: "null" }, 403],
			[{ "content-type": json, origin: "https://evil.example" }, 403],
			[{ "content-type": "text/plain", origin: ORIGIN }, 415],
			[{ "content-type": "application/x-www-form-urlencoded", origin: ORIGIN }, 415],
		];
		for (const [headers, status] of attempts) {
			const init = { method: "POST", headers: { cookie: operator.header(), ...headers }, body };
			const response = await world.auth.handler(new Request(`${ORIGIN}/api/auth/tenant/impersonate`, init));
			expect([headers, response.status, response.headers.getSetCookie()]).toEqual([headers, status, []]);
		}
		expect(await sessionsOf(world)).toEqual(before);
		expect((await impersonate({ browser: operator })).status).toBe(200);
	});

	// threat 42
	it("rejects an operator who signed out, even if the cookie cache still holds their session", async () => {
		const { world, operator, impersonate } = await createImpersonable({
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		const stolen = operator.copy();
		await world.call("/sign-out", { browser: operator, body: {} });
		expect((await impersonate({ browser: stolen })).status).toBe(401);
	});

	// threat 62
	it("allows 20 impersonations per minute from one address", async () => {
		const { impersonate } = await createImpersonable({ engine: { rateLimit: { enabled: true } } });
		const statuses = [];
		for (let time = 0; time < 25; time += 1) statuses.push((await impersonate()).status);
		expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
	});
});

describe("an impersonated session", () => {
	// threat 49
	it("cannot manage or impersonate, even if its user may manage the tenant; with a management key it can", async () => {
		const { world, a, b, ada, adaId, neighborId, operator, operatorId, entries, impersonate } =
			await createImpersonable({
				plugins: [bearer()],
				// Ada manages her own tenant
				management: {
					authorize: ({ tenantId, session }) => tenantId !== null && session?.session.tenantId === tenantId,
				},
			});
		const impersonated = operator.copy();
		const { token } = (await impersonate({ browser: impersonated })).json;
		const tables = () =>
			Promise.all(["tenant", "session", "user"].map((name) => world.database.query(`select * from "${name}"`)));
		const before = await tables();
		const attempts: [string, CallOptions][] = [
			["/tenant/get", { query: { id: a } }],
			["/tenant/list", {}],
			["/tenant/create", { body: { name: "x", slug: "planted" } }],
			["/tenant/update", { body: { tenantId: a, name: "taken" } }],
			["/tenant/delete", { body: { tenantId: a } }],
			["/tenant/oauth-config/list", { query: { tenantId: a } }],
			[
				"/tenant/oauth-config/register",
				{ body: { tenantId: a, providerId: "github", clientId: "c", clientSecret: "s" } },
			],
			["/tenant/oauth-config/delete", { body: { tenantId: a, providerId: "github" } }],
			["/tenant/oauth-config/test", { body: { tenantId: a, providerId: "github", callbackURL: "/admin" } }],
			["/tenant/impersonate", { body: { tenantId: a, userId: adaId, reason: REASON } }],
			["/tenant/impersonate", { body: { tenantId: b, userId: neighborId, reason: REASON } }],
		];
		for (const [path, call] of attempts) {
			for (const caller of [{ browser: impersonated }, bearing(token)]) {
				entries.length = 0;
				const answer = await world.call(path, { ...call, ...caller });
				expect([path, answer.status, answer.code]).toEqual([path, 403, "IMPERSONATION_NOT_ALLOWED"]);
				const actor = { kind: "session", userId: adaId, tenantId: a, operatorId: `user:${operatorId}` };
				expect(entries).toMatchObject([{ outcome: "refused", code: "IMPERSONATION_NOT_ALLOWED", actor }]);
			}
		}
		expect(await tables()).toEqual(before);
		expect((await world.call("/tenant/get", { browser: ada, query: { id: a } })).status).toBe(200);
		expect((await world.call("/tenant/get", { browser: impersonated, operator: true, query: { id: a } })).status).toBe(
			200,
		);
	});

	// threat 30
	it("stays in its tenant, whichever tenant the request names", async () => {
		const { world, a, b, impersonate } = await createImpersonable({ plugins: [bearer()] });
		const impersonated = bearing((await impersonate()).json.token);
		expect((await world.call("/get-session", { ...impersonated, tenant: a })).status).toBe(200);
		for (const tenant of [b, "platform"]) {
			const answer = await world.call("/get-session", { ...impersonated, tenant });
			expect([answer.status, answer.json]).toEqual([200, null]);
			const listed = await world.call("/list-sessions", { ...impersonated, tenant });
			expect([listed.status, listed.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
		}
	});

	// threats 39 and 65
	it("cannot pass as a signed-in session, nor the reverse", async () => {
		const { world, a, ada, operator, impersonate } = await createImpersonable({ plugins: [bearer(), multiSession()] });
		const browser = operator.copy();
		const { token } = (await impersonate({ browser })).json as { token: string };
		const signed = browser.cookies.get(SESSION_COOKIE) ?? "";
		const rename = { method: "POST" as const, body: { name: "Mallory" } };
		const refused = [403, "IMPERSONATION_NOT_ALLOWED"];
		const signedOut = [401, "UNAUTHORIZED"];
		const cookie = (value: string): CallOptions => {
			const held = new Browser();
			held.cookies.set(SESSION_COOKIE, value);
			return { browser: held };
		};
		const bare = token.slice("impersonated-".length);
		const adasToken = (await world.call("/get-session", { browser: ada })).json.session.token as string;
		const dead = `${"x".repeat(32)}${token.slice(token.indexOf("~"))}`;
		const tricks: [CallOptions, unknown[]][] = [
			[cookie(signed), refused],
			[bearing(token), refused],
			[bearing(decodeURIComponent(signed)), refused],
			[bearing(signed), refused],
			[bearing(token.replace("e", "%65")), refused],
			[cookie(signed.replace("e", "%65")), refused],
			// an invalid token in the header, which hides the cookie
			[{ ...cookie(signed), ...bearing(dead) }, refused],
			[{ ...cookie(signed), ...bearing(`${dead}.AAAA`) }, refused],
			[{ ...cookie(signed), ...bearing(`${adasToken}.AAAA`) }, refused],
			[{ ...cookie(signed), tenant: a }, refused],
			// a header where an application's plugin may look for a token
			[{ ...cookie("x"), headers: { "x-session-token": token } }, refused],
			// without its prefix it is a different token
			[bearing(bare), signedOut],
			[cookie(signed.replace("impersonated-", "")), signedOut],
		];
		for (const [call, expected] of tricks) {
			const answer = await world.call("/update-user", { ...rename, ...call });
			expect([call, answer.status, answer.code]).toEqual([call, ...expected]);
		}
		const names = await world.database.query('select distinct "name" from "user"');
		expect(names).toEqual([{ name: "Ada" }]);

		// no caller can set the column
		const planted = await world.call("/update-session", { browser: ada, body: { operatorId: "key:planted" } });
		expect(planted.status).toBe(400);
		await world.call("/tenant/sign-up/email", {
			body: { tenantId: a, name: "x", email: "x@example.com", password: PASSWORD, operatorId: "key:planted" },
		});
		const marked = await world.database.query('select "token" from "session" where "operatorId" is not null');
		expect(marked).toEqual([{ token }]);
		const { internalAdapter } = await world.auth.$context;
		const forged = internalAdapter.createSession("anybody", false, { operatorId: "key:planted" }, true);
		await expect(forged).rejects.toThrow("/tenant/impersonate only");
	});

	// threat 42
	it("is rejected after it ends, even if the cookie cache still holds it", async () => {
		const { world, operator, impersonate } = await createImpersonable({
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		const browser = operator.copy();
		await impersonate({ browser });
		await world.call("/get-session", { browser });
		const kept = browser.copy();
		await world.call("/sign-out", { browser, body: {} });
		const answer = await world.call("/update-user", { browser: kept, body: { name: "Mallory" } });
		expect([answer.status, answer.code]).toEqual([403, "IMPERSONATION_NOT_ALLOWED"]);
	});

	// threats 41 and 43
	it.each([false, true])("ends when its tenant is deleted (Redis: %s)", async (redis) => {
		const { world, a, impersonate } = await createImpersonable({ plugins: [bearer()], redis });
		const impersonated = bearing((await impersonate()).json.token);
		expect((await world.call("/get-session", impersonated)).status).toBe(200);
		await world.call("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect((await world.call("/get-session", impersonated)).json).toBeNull();
		expect((await world.redisKeys()).filter((key) => key.includes(a))).toEqual([]);
	});

	// threat 51
	it("must end by sign-out before its browser can sign in", async () => {
		const { world, b, operator, neighborId, impersonate } = await createImpersonable();
		const browser = operator.copy();
		await impersonate({ browser });
		const body = { tenantId: b, email: EMAIL, password: PASSWORD };
		const beside = await world.call("/tenant/sign-in/email", { browser, body });
		expect([beside.status, beside.code]).toEqual([403, "IMPERSONATION_NOT_ALLOWED"]);
		expect((await world.call("/sign-out", { browser, body: {} })).status).toBe(200);
		expect((await world.call("/tenant/sign-in/email", { browser, body })).status).toBe(200);
		const seen = (await world.call("/get-session", { browser })).json;
		expect([seen.user.id, seen.session.operatorId ?? null]).toEqual([neighborId, null]);
	});
});
