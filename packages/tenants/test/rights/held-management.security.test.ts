import { admin } from "better-auth/plugins/admin";
import type { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import { type Answer, createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";
import { createGate } from "../admin/support/gate.ts";

/** Two tenants whose admins manage the tenant itself, because the application allows it. The audit can take as long as it likes. */
const createManaged = async (database: DatabaseKind) => {
	let held: { reached: () => void; released: Promise<void> } | null = null;
	const world = await createWorld({
		database,
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					authorize: ({ tenantId, session }) =>
						session?.session.tenantId === tenantId && session?.user.role === "admin",
					audit: async ({ actor }) => {
						if (actor.kind !== "session" || !held) return;
						const { reached, released } = held;
						held = null;
						reached();
						await released;
					},
					impersonation: {},
				},
				deletion: { drainTime: 0 },
			},
			[admin({ ...tenantRoles }), tenantAdmin()],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const join = async (tenantId: string, name: string, role = "member") => {
		const browser = await world.signUp(tenantId, `${name}@example.com`);
		const { user } = (await world.call("/get-session", { browser })).json;
		const body = { tenantId, userId: user.id, role };
		expect((await world.call("/tenant/user/set-role", { operator: true, body })).status).toBe(200);
		return { id: String(user.id), browser };
	};
	const side = async (tenant: string) => {
		await world.call("/tenant/oauth-config/register", { operator: true, body: configOf(tenant, "before") });
		return { tenant, admin: await join(tenant, "admin", "admin"), member: await join(tenant, "member") };
	};
	const [inA, inB] = [await side(a), await side(b)];
	/** Sends a request that waits at its audit, runs something else meanwhile, and returns its answer. */
	const holdWhile = async (send: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> => {
		const [reached, released] = [createGate(), createGate()];
		held = { reached: reached.open, released: released.opened };
		const sending = send();
		await Promise.race([reached.opened, sending]);
		await meanwhile().finally(released.open);
		return sending;
	};
	const operate = async (path: string, { tenant, admin: { id } }: Side, more = {}): Promise<void> => {
		const body = { tenantId: tenant, userId: id, ...more };
		expect((await world.call(`/tenant/user/${path}`, { operator: true, body })).status).toBe(200);
	};
	/** What the tenant is, and who signs its users in. */
	const stateOf = async ({ tenant: tenantId, member }: Side) => {
		const { json } = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } });
		const { name } = (await world.call("/tenant/get", { operator: true, query: { id: tenantId } })).json;
		const sessions = await world.database.query(`select "userId" from "session" where "operatorId" is not null`);
		return { configs: json, name, impersonated: sessions.some(({ userId }) => userId === member.id) };
	};
	return { ...world, inA, inB, holdWhile, operate, stateOf };
};
type Managed = Awaited<ReturnType<typeof createManaged>>;
type Side = { tenant: string; admin: { id: string; browser: Browser }; member: { id: string } };

const configOf = (tenantId: string, clientId: string) => ({
	tenantId,
	providerId: "github",
	clientId,
	clientSecret: "secret",
});

const ENDS: [string, (managed: Managed, side: Side) => Promise<void>][] = [
	["banned", ({ operate }, side) => operate("ban", side)],
	["demoted", ({ operate }, side) => operate("set-role", side, { role: "member" })],
	["signed out everywhere", ({ operate }, side) => operate("end-sessions", side)],
	["removed", ({ operate }, side) => operate("remove", side)],
];

const REQUESTS: [string, string, (side: Side) => object][] = [
	["registers no identity provider", "/tenant/oauth-config/register", ({ tenant }) => configOf(tenant, "after")],
	[
		"deletes no identity provider",
		"/tenant/oauth-config/delete",
		({ tenant }) => ({ tenantId: tenant, providerId: "github" }),
	],
	["renames no tenant", "/tenant/update", ({ tenant }) => ({ tenantId: tenant, name: "after" })],
	["deletes no tenant", "/tenant/delete", ({ tenant }) => ({ tenantId: tenant })],
	[
		"impersonates nobody",
		"/tenant/impersonate",
		({ tenant, member }) => ({ tenantId: tenant, userId: member.id, reason: "why" }),
	],
];

describe.each(["sqlite", "postgres", "mysql"] as const)("an admin whose request waits on %s", (database) => {
	// threat 174
	it.each(REQUESTS)("%s once their rights ended", async (_, path, bodyOf) => {
		const managed = await createManaged(database);
		const { call, inA, inB, holdWhile, stateOf } = managed;
		const [before, neighbor] = [await stateOf(inA), await stateOf(inB)];
		const { browser } = inA.admin;
		const send = () => call(path, { browser: browser.copy(), body: bodyOf(inA) });
		const refused = await holdWhile(send, () => managed.operate("set-role", inA, { role: "member" }));
		expect([refused.status, refused.code]).toEqual([401, "SESSION_EXPIRED"]);
		expect(await stateOf(inA)).toEqual(before);
		// the rights of the other tenant's admin stay
		const answer = await holdWhile(
			() => call(path, { browser: inB.admin.browser.copy(), body: bodyOf(inB) }),
			async () => undefined,
		);
		expect(answer.status).toBe(200);
		if (path !== "/tenant/delete") expect(await stateOf(inB)).not.toEqual(neighbor);
	});
});

// threat 174
it.each(ENDS)("an admin who is %s meanwhile registers no identity provider", async (_, end) => {
	const managed = await createManaged("sqlite");
	const { call, inA, holdWhile, stateOf } = managed;
	const before = await stateOf(inA);
	const send = () =>
		call("/tenant/oauth-config/register", { browser: inA.admin.browser, body: configOf(inA.tenant, "after") });
	expect((await holdWhile(send, () => end(managed, inA))).status).toBe(401);
	expect(await stateOf(inA)).toEqual(before);
});

// threat 174
it("an admin whose tenant is deleted meanwhile is told that there is none", async () => {
	const { call, inA, inB, holdWhile, stateOf } = await createManaged("postgres");
	const neighbor = await stateOf(inB);
	const { browser } = inA.admin;
	const answer = await holdWhile(
		() => call("/tenant/oauth-config/register", { browser, body: configOf(inA.tenant, "after") }),
		() => call("/tenant/delete", { operator: true, body: { tenantId: inA.tenant } }),
	);
	expect([answer.status, answer.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	expect(await stateOf(inB)).toEqual(neighbor);
});

it("an admin who takes a slug of another tenant is told so", async () => {
	const { call, inA, inB } = await createManaged("postgres");
	const body = { tenantId: inA.tenant, slug: "globex" };
	const answer = await call("/tenant/update", { browser: inA.admin.browser, body });
	expect([answer.status, answer.code]).toEqual([409, "TENANT_SLUG_TAKEN"]);
	const other = { browser: inB.admin.browser, body: { tenantId: inB.tenant, slug: "globex" } };
	expect((await call("/tenant/update", other)).status).toBe(200);
});
