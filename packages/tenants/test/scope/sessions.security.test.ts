import { admin } from "better-auth/plugins/admin";
import { bearer } from "better-auth/plugins/bearer";
import { Browser } from "test-kit/browser";
import { createWorld, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";

const storages: [string, WorldOptions][] = [
	["the database", { database: "postgres" }],
	["Redis alone", { database: "postgres", redis: true }],
	["both", { database: "postgres", redis: true, engine: { session: { storeSessionInDatabase: true } } }],
];

const twoTenants = async (world: World) => {
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	return { a, b, inA: await world.signUp(a, "ada@example.com"), inB: await world.signUp(b, "ada@example.com") };
};
const sessionCookie = (browser: Browser): string =>
	[...browser.cookies].find(([name]) => name.endsWith("session_token"))?.[1] ?? "";

describe.each(storages)("a session in %s", (_name, options) => {
	// threat 40
	it("names its tenant, so the cookie alone is enough", async () => {
		const world = await createWorld(options);
		const { a, inA, inB, b } = await twoTenants(world);
		const platform = await world.signUp(undefined, "ada@example.com");
		for (const [browser, tenantId] of [
			[inA, a],
			[inB, b],
			[platform, "platform"],
		] as const) {
			const seen = (await world.call("/get-session", { browser })).json;
			expect([seen.session.tenantId, seen.user.tenantId]).toEqual([tenantId, tenantId]);
			expect(
				(await world.call("/list-sessions", { browser })).json.map((session: { tenantId: string }) => session.tenantId),
			).toEqual([tenantId]);
		}
	});

	it("works as a bearer token, signed and unsigned, without a hint", async () => {
		const world = await createWorld({ ...options, plugins: [bearer()] });
		const { a, inA } = await twoTenants(world);
		const signed = decodeURIComponent(sessionCookie(inA));
		for (const token of [signed, encodeURIComponent(signed), signed.split(".")[0]]) {
			const seen = await world.call("/get-session", { headers: { authorization: `Bearer ${token}` } });
			expect(seen.json.session.tenantId).toBe(a);
		}
	});

	// threat 30
	it("is rejected with a hint for another tenant, existing or not, in header, query and body", async () => {
		const world = await createWorld(options);
		const { b, inA } = await twoTenants(world);
		for (const other of [b, "no-such-tenant", "platform"]) {
			const answers = [
				await world.call("/list-accounts", { browser: inA.copy(), tenant: other }),
				await world.call("/list-sessions", { browser: inA.copy(), query: { tenantId: other } }),
				await world.call("/update-user", { browser: inA.copy(), body: { name: "moved", tenantId: other } }),
			];
			for (const answer of answers)
				expect([other, answer.status, answer.code]).toEqual([other, 403, "SESSION_TENANT_MISMATCH"]);
		}
		const names = await world.database.query('select distinct "name" from "user"');
		expect(names).toEqual([{ name: "Ada" }]);
	});

	// threat 30
	it("is no session in another tenant: get-session returns null there, as without a cookie", async () => {
		const world = await createWorld({ ...options, plugins: [bearer()] });
		const { a, b, inA } = await twoTenants(world);
		const none = await world.call("/get-session", { tenant: b });
		for (const other of [b, "no-such-tenant", "platform"]) {
			const browser = inA.copy();
			for (const call of [{ tenant: other }, { query: { tenantId: other } }]) {
				const seen = await world.call("/get-session", { browser, ...call });
				expect([other, seen.status, seen.text]).toEqual([other, none.status, none.text]);
			}
			// the cookie stays valid in its own tenant
			expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
			const token = decodeURIComponent(sessionCookie(inA));
			const borne = await world.call("/get-session", { headers: { authorization: `Bearer ${token}` }, tenant: other });
			expect([other, borne.status, borne.text]).toEqual([other, none.status, none.text]);
			const headers = new Headers({ cookie: inA.header(), "x-tenant-id": other });
			expect(await world.auth.api.getSession({ headers })).toBeNull();
		}
		expect(await world.auth.api.getSession({ headers: new Headers({ cookie: inA.header() }) })).not.toBeNull();
	});

	it("is signed out after it ended, whatever the hint", async () => {
		const world = await createWorld(options);
		const { b, inA } = await twoTenants(world);
		const dead = inA.copy();
		await world.call("/sign-out", { browser: inA, body: {} });
		expect((await world.call("/get-session", { browser: dead.copy() })).json).toBeNull();
		expect(await world.call("/get-session", { browser: dead.copy(), tenant: b })).toMatchObject({
			status: 200,
			json: null,
		});
		expect((await world.call("/list-sessions", { browser: dead.copy(), tenant: b })).status).toBe(401);
	});

	it("is replaced by a sign-in to another tenant in the same browser", async () => {
		const world = await createWorld(options);
		const { b, inA } = await twoTenants(world);
		const signedIn = await world.call("/tenant/sign-in/email", {
			browser: inA,
			body: { tenantId: b, email: "ada@example.com", password: "correct horse battery" },
		});
		expect(signedIn.status).toBe(200);
		expect((await world.call("/get-session", { browser: inA })).json.session.tenantId).toBe(b);
	});

	// threats 34 and 51
	it("does not choose the tenant of the next sign-in or sign-up: without a hint that is the platform", async () => {
		const world = await createWorld(options);
		const { inA } = await twoTenants(world);
		await world.signUp(undefined, "ada@example.com", "password of the platform");
		const signIn = (password: string) =>
			world.call("/sign-in/email", { browser: inA.copy(), body: { email: "ada@example.com", password } });
		expect((await signIn("correct horse battery")).status).toBe(401);
		expect((await signIn("password of the platform")).json.user.tenantId).toBe("platform");
		const signUp = await world.call("/sign-up/email", {
			browser: inA.copy(),
			body: { name: "Grace", email: "grace@example.com", password: "correct horse battery" },
		});
		expect(signUp.json.user.tenantId).toBe("platform");
	});

	// threat 30
	it("cannot be tagged, truncated or signed into another tenant", async () => {
		const world = await createWorld({ ...options, plugins: [bearer()] });
		const { a, b, inA } = await twoTenants(world);
		const [token = "", signature = ""] = decodeURIComponent(sessionCookie(inA)).split(".");
		const [random] = token.split("~");
		const tag = (id: string) => btoa(id).replace(/=+$/, "");
		const forged = [
			random,
			`${random}~${tag(b)}`,
			`${random}~${tag(a)}=`,
			`${random}~`,
			`${random}~~${tag(a)}`,
			`${token}~${tag(b)}`,
			`${random}~${tag("platform")}`,
		];
		for (const value of forged) {
			const browser = new Browser();
			browser.cookies.set(
				[...inA.cookies.keys()].find((name) => name.endsWith("session_token")) ?? "",
				encodeURIComponent(`${value}.${signature}`),
			);
			expect([value, (await world.call("/get-session", { browser })).json]).toEqual([value, null]);
			expect([
				value,
				(await world.call("/get-session", { headers: { authorization: `Bearer ${value}` } })).json,
			]).toEqual([value, null]);
		}
	});

	// threat 65
	it("reaches no session or user of another tenant by id or token", async () => {
		const world = await createWorld({ ...options, plugins: [admin({ adminRoles: ["admin"] })] });
		const { inA, inB, a } = await twoTenants(world);
		const victim = (await world.call("/get-session", { browser: inB })).json;
		await world.call("/revoke-session", { browser: inA, body: { token: victim.session.token } });
		expect((await world.call("/get-session", { browser: inB })).json.session.id).toBe(victim.session.id);

		// an admin role applies in its own tenant only
		await world.database.query(`update "user" set "role" = 'admin' where "tenantId" = '${a}'`);
		const boss = new Browser();
		await world.call("/tenant/sign-in/email", {
			browser: boss,
			body: { tenantId: a, email: "ada@example.com", password: "correct horse battery" },
		});
		const users = await world.call("/admin/list-users", { browser: boss });
		expect(users.json.users.map((user: { tenantId: string }) => user.tenantId)).toEqual([a]);
		expect(users.json.total).toBe(1);
		for (const [path, body] of [
			["/admin/set-user-password", { userId: victim.user.id, newPassword: "taken over now" }],
			["/admin/impersonate-user", { userId: victim.user.id }],
			["/admin/ban-user", { userId: victim.user.id }],
			["/admin/remove-user", { userId: victim.user.id }],
			["/admin/set-role", { userId: victim.user.id, role: "admin" }],
			["/admin/revoke-user-sessions", { userId: victim.user.id }],
			["/admin/update-user", { userId: victim.user.id, data: { name: "changed" } }],
		] as const) {
			const before = await world.database.query('select * from "user" order by "id"');
			await world.call(path, { browser: boss.copy(), body });
			expect([path, await world.database.query('select * from "user" order by "id"')]).toEqual([path, before]);
		}
		expect((await world.call("/get-session", { browser: inB })).json.session.id).toBe(victim.session.id);
		const stillMine = await world.call("/tenant/sign-in/email", {
			body: { tenantId: victim.user.tenantId, email: "ada@example.com", password: "correct horse battery" },
		});
		expect(stillMine.status).toBe(200);
	});
});

describe("a user", () => {
	// threat 39
	it("cannot move themselves or their session by writable fields", async () => {
		const world = await createWorld();
		const { a, b, inA } = await twoTenants(world);
		for (const path of ["/update-user", "/update-session"]) {
			const answer = await world.call(path, { browser: inA.copy(), body: { name: "x", tenantId: b } });
			expect([path, answer.status]).toEqual([path, 403]);
			const own = await world.call(path, { browser: inA.copy(), body: { name: "x", tenantId: a } });
			expect([path, own.status]).toEqual([path, 400]);
		}
		const up = await world.call("/sign-up/email", {
			tenant: a,
			body: { name: "x", email: "eve@example.com", password: "correct horse battery", tenantId: b },
		});
		// the body precedes the header: it is one request for one tenant
		expect(up.json.user.tenantId).toBe(b);
		const rows = await world.database.query('select "tenantId" from "session" group by "tenantId"');
		expect(rows.map((row) => row.tenantId).sort()).toEqual([a, b].sort());
	});
});
