import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, type ConsoleWorld, type Person, startConsole } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
	world = await startConsole();
});
afterAll(() => world.close());

type Caller = Person | "key" | null;

/** Every endpoint of the console that names a tenant. */
const ENDPOINTS: [name: string, call: (as: Caller, tenantId: string) => Promise<Answer>][] = [
	["GET branding", (as, tenantId) => world.call(`/tenant/branding?tenantId=${tenantId}`, { as })],
	[
		"POST branding",
		(as, tenantId) => world.call("/tenant/branding", { as, body: { tenantId, branding: { name: "X" } } }),
	],
	["GET sign-ins", (as, tenantId) => world.call(`/tenant/sign-ins?tenantId=${tenantId}`, { as })],
	["GET events", (as, tenantId) => world.call(`/tenant/events?tenantId=${tenantId}`, { as })],
];
const CONSOLE = (as: Caller, tenantId: string) => world.call(`/tenant/console?tenantId=${tenantId}`, { as });

const said = ({ status, code }: Answer) => [status, code];
const NOT_ALLOWED = [403, "TENANT_MANAGEMENT_NOT_ALLOWED"];

describe.each(ENDPOINTS)("%s", (name, call) => {
	// threat 128
	it("refuses another tenant and a missing one alike, for owners and admins", async () => {
		const { acme, globex } = world;
		for (const as of [acme.owner, acme.admin])
			for (const tenantId of [globex.id, "missing", "platform", "not%20an%20id"])
				expect(said(await call(as, tenantId))).toEqual(NOT_ALLOWED);
	});

	it("refuses members, strangers, and users of the platform who are no operators", async () => {
		const { acme, join } = world;
		expect(said(await call(acme.member, acme.id))).toEqual(NOT_ALLOWED);
		expect(said(await call(null, acme.id))).toEqual([401, "TENANT_MANAGEMENT_UNAUTHORIZED"]);
		const visitor = await join(null, `visitor-${name.replace(" ", "-")}`.toLowerCase(), "user");
		expect(said(await call(visitor, acme.id))).toEqual(NOT_ALLOWED);
	});

	it("returns 404 to operators for a tenant that does not exist", async () => {
		if (name !== "GET events")
			for (const as of [world.operator, "key" as const])
				expect(said(await call(as, "missing"))).toEqual([404, "TENANT_NOT_FOUND"]);
		else expect((await call("key", "never-used")).json).toEqual([]);
	});
});

it("lets admins read, and only owners write", async () => {
	const { acme } = world;
	for (const [name, call] of ENDPOINTS) {
		expect((await call(acme.owner, acme.id)).status).toBe(200);
		expect((await call(acme.admin, acme.id)).status).toBe(name.startsWith("GET") ? 200 : 403);
	}
});

// threat 128
it("opens the platform and other tenants for operators only", async () => {
	const { call, acme, globex, operator, join } = world;
	for (const as of [acme.owner, acme.admin, acme.member]) {
		expect(said(await call("/tenant/platform", { as }))).toEqual(NOT_ALLOWED);
		expect(said(await call("/tenant/events", { as }))).toEqual(NOT_ALLOWED);
		for (const tenantId of [globex.id, "missing", "platform"])
			expect(said(await CONSOLE(as, tenantId))).toEqual(NOT_ALLOWED);
		// the header names no other tenant either
		const { json } = await call("/tenant/console", { as, headers: { "x-tenant-id": globex.id } });
		expect((json.tenant as { id: string }).id).toBe(acme.id);
	}
	expect((await call("/tenant/console")).status).toBe(401);
	expect((await call("/tenant/console", { as: "key" })).status).toBe(401);
	expect(said(await call("/tenant/console", { as: await join(null, "guest", "user") }))).toEqual(NOT_ALLOWED);
	expect(said(await CONSOLE(operator, "missing"))).toEqual([404, "TENANT_NOT_FOUND"]);
	// a malformed id is not the same as none
	expect(said(await call("/tenant/events?tenantId=not%20an%20id", { as: operator }))).toEqual([
		400,
		"TENANT_ID_REQUIRED",
	]);
});

describe("a session that may not manage", () => {
	const everywhere = async (as: Person): Promise<unknown[]> => {
		const answers = [await world.call("/tenant/console", { as })];
		for (const [, call] of ENDPOINTS) answers.push(await call(as, world.acme.id));
		return [...new Set(answers.map((answer) => said(answer).join(" ")))];
	};
	let owner: Person;
	let number = 0;
	beforeEach(async () => {
		number += 1;
		owner = await world.join(world.acme.id, `second-owner-${number}`, "owner");
		expect((await world.call("/tenant/console", { as: owner })).json.role).toBe("owner");
	});

	// threat 128
	it("is one that an operator or an admin impersonates", async () => {
		await world.pool.query(`update "session" set "operatorId" = 'key:0123' where "userId" = $1`, [owner.id]);
		expect(await everywhere(owner)).toEqual(["403 IMPERSONATION_NOT_ALLOWED"]);
		await world.pool.query(`update "session" set "operatorId" = null, "impersonatedBy" = 'x' where "userId" = $1`, [
			owner.id,
		]);
		expect(await everywhere(owner)).toEqual([NOT_ALLOWED.join(" ")]);
	});

	it("is one of a banned owner, while the ban lasts", async () => {
		await world.pool.query(`update "user" set "banned" = true where "id" = $1`, [owner.id]);
		expect(await everywhere(owner)).toEqual([NOT_ALLOWED.join(" ")]);
		await world.pool.query(`update "user" set "banExpires" = now() - interval '1 hour' where "id" = $1`, [owner.id]);
		expect((await world.call("/tenant/console", { as: owner })).json.role).toBe("owner");
	});

	it("is one of an owner who is none any more", async () => {
		await world.pool.query(`update "user" set "role" = 'member' where "id" = $1`, [owner.id]);
		for (const [, call] of ENDPOINTS) expect(said(await call(owner, world.acme.id))).toEqual(NOT_ALLOWED);
		expect((await world.call("/tenant/console", { as: owner })).json.role).toBe("member");
	});

	it("is one that lacks a second factor", async () => {
		const { call, acme } = world;
		await call("/tenant/policy/update", {
			as: "key",
			body: { tenantId: acme.id, policy: { secondFactor: "required" } },
		});
		expect(await everywhere(owner)).toEqual(["401 SECOND_FACTOR_REQUIRED"]);
		await call("/tenant/policy/update", { as: "key", body: { tenantId: acme.id, policy: { secondFactor: null } } });
		expect((await call("/tenant/console", { as: owner })).status).toBe(200);
	});

	it("is one of a suspended tenant, which operators can still read", async () => {
		const { call, acme, globex, operator } = world;
		await call("/tenant/suspend", { as: "key", body: { tenantId: acme.id, reason: "unpaid" } });
		expect(await everywhere(owner)).toEqual(["401 TENANT_MANAGEMENT_UNAUTHORIZED"]);
		for (const [name, ask] of ENDPOINTS) {
			const answer = await ask(operator, acme.id);
			expect([name, ...said(answer)]).toEqual(
				name.startsWith("GET") ? [name, 200, undefined] : [name, 403, "TENANT_SUSPENDED"],
			);
			expect((await ask(globex.owner, globex.id)).status).toBe(200);
		}
		expect((await CONSOLE(operator, acme.id)).json.tenant).toMatchObject({ status: "suspended" });
		await call("/tenant/restore", { as: "key", body: { tenantId: acme.id } });
		expect((await call("/tenant/console", { as: owner })).status).toBe(200);
	});
});

// threat 128
it("refuses an operator who is banned, and one whom another user impersonates", async () => {
	const { call, pool, acme, join } = world;
	const operator = await join(null, "second-operator", "admin");
	const everywhere = async () => {
		const paths = ["/tenant/console", "/tenant/platform", `/tenant/branding?tenantId=${acme.id}`];
		return Promise.all(paths.map(async (path) => (await call(path, { as: operator })).status));
	};
	expect(await everywhere()).toEqual([200, 200, 200]);
	await pool.query(`update "user" set "banned" = true where "id" = $1`, [operator.id]);
	expect(await everywhere()).toEqual([403, 403, 403]);
	await pool.query(`update "user" set "banExpires" = now() - interval '1 hour' where "id" = $1`, [operator.id]);
	expect(await everywhere()).toEqual([200, 200, 200]);
	await pool.query(`update "session" set "impersonatedBy" = 'x' where "userId" = $1`, [operator.id]);
	expect(await everywhere()).toEqual([403, 403, 403]);
});

// threat 120
it("refuses a logo on a host with a wildcard, which would allow images of all hosts", async () => {
	const { call, acme, globex } = world;
	for (const { id, owner } of [acme, globex])
		for (const logo of ["https://*/logo.png", "https://*.example.com/logo.png", "https://\uff0a/logo.png"]) {
			const answer = await call("/tenant/branding", { as: owner, body: { tenantId: id, branding: { logo } } });
			expect(said(answer)).toEqual([400, "TENANT_BRANDING_INVALID"]);
		}
});

describe("the events of a tenant", () => {
	// threat 129
	it("do not say who of the operators acted, from where and why, to users of the tenant", async () => {
		const { call, pool, acme, operator } = world;
		await pool.query(`delete from "serviceEvent"`);
		await call("/tenant/update", { as: operator, body: { tenantId: acme.id, name: "Renamed" } });
		await call("/tenant/suspend", { as: "key", body: { tenantId: acme.id, reason: "a secret reason" } });
		await call("/tenant/restore", { as: "key", body: { tenantId: acme.id } });
		await call("/tenant/user/ban", { as: acme.owner, body: { tenantId: acme.id, userId: acme.member.id } });
		await call("/tenant/user/unban", { as: acme.owner, body: { tenantId: acme.id, userId: acme.member.id } });
		const own = (await call(`/tenant/events?tenantId=${acme.id}`, { as: acme.admin })).json as unknown as object[];
		expect(own.map((event) => [Reflect.get(event, "action"), Reflect.get(event, "actor")])).toEqual([
			["user:unban", { kind: "session", userId: acme.owner.id, tenantId: acme.id }],
			["user:ban", { kind: "session", userId: acme.owner.id, tenantId: acme.id }],
			["tenant:restore", { kind: "operator" }],
			["tenant:suspend", { kind: "operator" }],
			["tenant:update", { kind: "operator" }],
		]);
		expect(own.map((event) => "ip" in event)).toEqual([true, true, false, false, false]);
		expect(JSON.stringify(own)).not.toContain("a secret reason");
		expect(JSON.stringify(own)).not.toContain(operator.id);
		const all = await call(`/tenant/events?tenantId=${acme.id}`, { as: operator });
		expect(JSON.stringify(all.json)).toContain("a secret reason");
		expect(JSON.stringify(all.json)).toContain(operator.id);
	});

	// threat 129
	it("are not filled by a user who names tenants that do not exist", async () => {
		const { acme, globex, call, operator } = world;
		const attempt = (tenantId: string) =>
			call("/tenant/delete", { as: globex.member, body: { tenantId } }).then(({ status }) => status);
		const attempts = [acme.id, ...Array.from({ length: 20 }, (_, at) => `invented-${at}`), globex.id, globex.id];
		for (const tenantId of attempts) expect(await attempt(tenantId)).toBe(403);
		const all = (await call("/tenant/events?limit=200", { as: operator })).json as unknown as Record<string, unknown>[];
		const kept = all.filter(({ action, outcome }) => action === "tenant:delete" && outcome === "refused");
		expect(kept.map(({ tenantId }) => tenantId)).toEqual([globex.id, acme.id]);
	});

	// threat 129
	it("do not name an operator who impersonates a user and is refused", async () => {
		const { call, pool, acme, join, operator } = world;
		await pool.query(`delete from "serviceEvent"`);
		const owner = await join(acme.id, "impersonated-owner", "owner");
		await pool.query(`update "session" set "operatorId" = $2 where "userId" = $1`, [owner.id, `user:${operator.id}`]);
		const body = { tenantId: acme.id, branding: { name: "Mine" } };
		expect(said(await call("/tenant/branding", { as: owner, body }))).toEqual([403, "IMPERSONATION_NOT_ALLOWED"]);
		const [event] = (await call(`/tenant/events?tenantId=${acme.id}`, { as: acme.admin })).json as unknown as object[];
		expect(event).toMatchObject({ action: "branding:update", outcome: "refused", actor: { kind: "operator" } });
		expect(JSON.stringify(event)).not.toMatch(new RegExp(`${operator.id}|${owner.id}|"ip"`));
		const all = await call(`/tenant/events?tenantId=${acme.id}`, { as: operator });
		expect(JSON.stringify(all.json)).toContain(operator.id);
	});

	// threat 129
	it("do not show what users of another tenant and strangers tried", async () => {
		const { call, pool, acme, globex, operator } = world;
		await pool.query(`delete from "serviceEvent"`);
		const body = { tenantId: globex.id, branding: { name: "Mine" } };
		for (const as of [acme.owner, globex.member, null]) await call("/tenant/branding", { as, body });
		const own = await call(`/tenant/events?tenantId=${globex.id}`, { as: globex.owner });
		expect(own.json).toMatchObject([{ outcome: "refused", actor: { userId: globex.member.id } }]);
		const all = (await call(`/tenant/events?tenantId=${globex.id}`, { as: operator })).json as unknown as {
			actor: { userId: string };
		}[];
		expect(all.map(({ actor }) => actor.userId)).toEqual([globex.member.id, acme.owner.id]);
	});

	// threat 129
	it("are not pushed off the list by refusals of a member", async () => {
		const { call, pool, acme, globex, join } = world;
		const [loud, other] = [await join(acme.id, "loud", "member"), await join(acme.id, "another-member", "member")];
		await pool.query(`delete from "serviceEvent"`);
		const rename = (as: Person, { id: tenantId }: { id: string }, name: string) =>
			call("/tenant/branding", { as, body: { tenantId, branding: { name } } });
		await rename(acme.owner, acme, "Mine");
		for (let tries = 0; tries < 5; tries += 1) await rename(loud, acme, "Yours");
		await rename(other, acme, "Yours");
		await rename(globex.member, globex, "Yours");
		const outcomes = async (as: Person, { id }: { id: string }) =>
			((await call(`/tenant/events?tenantId=${id}`, { as })).json as unknown as { outcome: string }[]).map(
				({ outcome }) => outcome,
			);
		expect(await outcomes(acme.owner, acme)).toEqual(["refused", "refused", "allowed"]);
		expect(await outcomes(globex.owner, globex)).toEqual(["refused"]);
		// the next one is kept when the hour is over
		await pool.query(`update "serviceEvent" set "at" = "at" - interval '61 minutes'`);
		await rename(loud, acme, "Yours");
		expect(await outcomes(acme.owner, acme)).toEqual(["refused", "refused", "refused", "allowed"]);
	});

	// threat 129
	it("begin again if the id of a deleted tenant is used again", async () => {
		const { call, pool, acme, operator } = world;
		await pool.query(`delete from "serviceEvent"`);
		const entry = (action: string, age: number) =>
			pool.query(
				`insert into "serviceEvent" ("at", "tenantId", "action", "outcome", "entry") values (now() - make_interval(mins => $2), $1, $3, 'allowed', $4)`,
				[acme.id, age, action, JSON.stringify({ action, tenantId: acme.id, actor: { kind: "server" } })],
			);
		await entry("user:ban", 3);
		await entry("tenant:delete", 2);
		await entry("tenant:import", 1);
		const actions = async (as: Person) =>
			((await call(`/tenant/events?tenantId=${acme.id}`, { as })).json as unknown as { action: string }[]).map(
				({ action }) => action,
			);
		expect(await actions(acme.owner)).toEqual(["tenant:import"]);
		expect(await actions(operator)).toEqual(["tenant:import", "tenant:delete", "user:ban"]);
	});
});

// threat 130
it("does not run an action whose event cannot be kept", async () => {
	const { call, pool, globex } = world;
	const before = (await call(`/tenant/branding?tenantId=${globex.id}`, { as: "key" })).json;
	await pool.query(`alter table "serviceEvent" rename to "elsewhere"`);
	try {
		const answer = await call("/tenant/branding", {
			as: globex.owner,
			body: { tenantId: globex.id, branding: { name: "Unseen" } },
		});
		expect(said(answer)).toEqual([503, "AUDIT_UNAVAILABLE"]);
	} finally {
		await pool.query(`alter table "elsewhere" rename to "serviceEvent"`);
	}
	expect((await call(`/tenant/branding?tenantId=${globex.id}`, { as: "key" })).json).toEqual(before);
});
