import { apiKey } from "@better-auth/api-key";
import { bearer, deviceAuthorization, jwt, multiSession, oneTimeToken, organization } from "better-auth/plugins";
import { admin } from "better-auth/plugins/admin";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Browser } from "test-kit/browser";
import { type CallOptions, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type InvitationMail, tenantAdmin, tenantInvitations, tenantRoles } from "../../src/admin.ts";
import { tenantPolicy } from "../../src/policy.ts";
import { lifecycleWorld } from "../lifecycle/support/lifecycle-world.ts";

const STORES = [
	["sqlite", { database: "sqlite" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const;

type Holder = { id: string; browser: Browser; ways: Record<string, CallOptions> };

describe.each(STORES)("all companions together, on %s", (_name, where) => {
	const createComposed = async () => {
		const sent: InvitationMail[] = [];
		const world = await lifecycleWorld(
			[
				admin({ ...tenantRoles }),
				twoFactor(),
				organization(),
				bearer(),
				multiSession(),
				oneTimeToken(),
				jwt(),
				deviceAuthorization({ verificationUri: "/device" }),
				apiKey({ enableSessionForAPIKeys: true }),
				tenantAdmin(),
				tenantInvitations({
					acceptURL: "https://app.example.com/invitation",
					sendInvitation: async (mail) => void sent.push(mail),
				}),
				tenantPolicy(),
			],
			{ ...where, engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } } },
		);
		const invite = async (tenantId: string, email: string, role: string): Promise<string> => {
			const body = { tenantId, email, role };
			const answer = await world.call("/tenant/invitation/create", { operator: true, body });
			if (answer.status !== 200) throw new Error(answer.text);
			return sent.at(-1)?.token ?? "";
		};
		/** A user with a role, and every way to show who they are. */
		const holder = async (tenantId: string, role: string): Promise<Holder> => {
			const token = await invite(tenantId, `${role}@example.com`, role);
			const browser = new Browser();
			const body = { token, name: "Ada", password: PASSWORD };
			const { json } = await world.call("/tenant/invitation/accept", { browser, body });
			const key = await world.call("/api-key/create", { browser, body: { name: "ci" } });
			const ways = {
				cookie: { browser: browser.copy() },
				bearer: { headers: { authorization: `Bearer ${json.token}` } },
				"api key": { headers: { "x-api-key": String(key.json.key) } },
			};
			return { id: String(json.user.id), browser, ways };
		};
		const operate = (path: string, body: object) => world.call(path, { operator: true, body });
		const usersOf = async (tenantId: string) =>
			(await world.database.query(`select "email", "role", "banned", "tenantId" from "user" order by "email"`)).filter(
				(row) => row.tenantId === tenantId,
			);
		return { world, sent, invite, holder, operate, usersOf };
	};

	/** What an owner or admin can do, as requests. */
	const managing = (tenantId: string, userId: string): [path: string, call: CallOptions][] => [
		["/tenant/user/list", { query: { tenantId } }],
		["/tenant/user/get", { query: { tenantId, userId } }],
		["/tenant/user/export", { query: { tenantId, userId } }],
		["/tenant/user/set-role", { body: { tenantId, userId, role: "admin" } }],
		["/tenant/user/ban", { body: { tenantId, userId } }],
		["/tenant/user/end-sessions", { body: { tenantId, userId } }],
		["/tenant/user/reset-second-factor", { body: { tenantId, userId } }],
		["/tenant/user/create", { body: { tenantId, email: "eve@example.com", name: "Eve" } }],
		["/tenant/user/erase", { body: { tenantId, userId } }],
		["/tenant/invitation/list", { query: { tenantId } }],
		["/tenant/invitation/create", { body: { tenantId, email: "eve@example.com" } }],
		["/tenant/policy/get", { query: { tenantId } }],
		["/tenant/policy/update", { body: { tenantId, policy: {} } }],
		["/tenant/get", { query: { id: tenantId } }],
	];

	// threats 107, 109
	it("lets no owner manage a suspended tenant, join it or restore it, in any way", async () => {
		const { world, invite, holder, usersOf } = await createComposed();
		const { a, b } = world;
		const [owner, member, neighbor] = [await holder(a, "owner"), await holder(a, "member"), await holder(b, "owner")];
		const token = await invite(a, "late@example.com", "admin");
		const code = await world.call("/device/code", { tenant: a, body: { client_id: "tv" } });
		const before = await usersOf(a);
		await world.suspend(a);
		const attempts = [
			...managing(a, member.id),
			["/tenant/restore", { body: { tenantId: a, reason: "mine" } }],
			["/tenant/invitation/get", { query: { token } }],
			["/tenant/invitation/accept", { body: { token, name: "Eve", password: PASSWORD } }],
			["/device/approve", { body: { userCode: String(code.json.user_code) } }],
		] satisfies [string, CallOptions][];
		for (const [path, call] of attempts)
			for (const [way, credential] of Object.entries({ ...owner.ways, "the neighbor's": neighbor.ways.bearer })) {
				const answer = await world.call(path, { ...credential, ...call });
				expect([path, way, answer.status >= 400]).toEqual([path, way, true]);
				expect(answer.text).not.toContain("member@example.com");
			}
		expect([await usersOf(a), await world.statusOf(a)]).toEqual([before, "suspended"]);
		await world.restore(a);
		// it was the suspension that refused them
		expect((await world.call("/tenant/user/list", { ...owner.ways.bearer, query: { tenantId: a } })).status).toBe(200);
		const body = { token, name: "Late", password: PASSWORD };
		expect((await world.call("/tenant/invitation/accept", { body })).status).toBe(200);
	});

	// threats 109, 111
	it.each(["demoted", "banned"])("refuses an admin who was %s, with everything from before", async (fate) => {
		const { world, holder, operate, usersOf } = await createComposed();
		const { a, b } = world;
		const [, fallen, member] = [await holder(a, "owner"), await holder(a, "admin"), await holder(a, "member")];
		const neighbor = await holder(b, "admin");
		const once = await world.call("/one-time-token/generate", { browser: fallen.browser });
		for (const way of ["cookie", "bearer"]) {
			const answer = await world.call("/tenant/user/list", { ...fallen.ways[way], query: { tenantId: a } });
			expect([way, answer.status]).toEqual([way, 200]);
		}
		const about = { tenantId: a, userId: fallen.id };
		if (fate === "banned") await operate("/tenant/user/ban", about);
		else await operate("/tenant/user/set-role", { ...about, role: "member" });
		const again = new Browser();
		await world.call("/one-time-token/verify", {
			tenant: a,
			browser: again,
			body: { token: String(once.json.token) },
		});
		const before = await usersOf(a);
		for (const [path, call] of managing(a, member.id))
			for (const [way, credential] of Object.entries({ ...fallen.ways, "one-time token": { browser: again } })) {
				const answer = await world.call(path, { ...credential, ...call });
				expect([path, way, [401, 403].includes(answer.status)]).toEqual([path, way, true]);
			}
		expect(await usersOf(a)).toEqual(before);
		// the neighbor's admin is none here, and still one there
		const there = neighbor.ways.bearer;
		expect((await world.call("/tenant/user/list", { ...there, query: { tenantId: a } })).status).toBe(403);
		expect((await world.call("/tenant/user/list", { ...there, query: { tenantId: b } })).status).toBe(200);
	});

	// threats 109, 117
	it("gives no authority to an admin whose second factor is missing", async () => {
		const { world, invite, holder, operate, usersOf } = await createComposed();
		const { a, b } = world;
		const [owner, member, neighbor] = [await holder(a, "owner"), await holder(a, "member"), await holder(b, "owner")];
		const token = await invite(a, "owner@example.com", "owner");
		const rules = { secondFactor: "required", secondFactorGrace: false };
		const required = await operate("/tenant/policy/update", { tenantId: a, policy: rules, force: true });
		expect([required.status, required.text]).toEqual([200, expect.stringContaining("required")]);
		const before = await usersOf(a);
		const fresh = new Browser();
		const body = { email: "owner@example.com", password: PASSWORD };
		await world.call("/sign-in/email", { tenant: a, browser: fresh, body });
		for (const [path, call] of [
			...managing(a, member.id),
			["/tenant/invitation/accept", { body: { token } }] as [string, CallOptions],
		])
			for (const [way, credential] of Object.entries({
				cookie: owner.ways.cookie,
				bearer: owner.ways.bearer,
				"new session": { browser: fresh },
			})) {
				const answer = await world.call(path, { ...credential, ...call });
				expect([path, way, [401, 403].includes(answer.status)]).toEqual([path, way, true]);
			}
		expect(await usersOf(a)).toEqual(before);
		expect((await world.call("/tenant/user/list", { ...neighbor.ways.cookie, query: { tenantId: b } })).status).toBe(
			200,
		);
	});
});
