import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, type Person, startConsole } from "./console-world.ts";

let world: ConsoleWorld;
let tenants: { acme: string; globex: string };
let nobody: Person;
beforeAll(async () => {
	world = await startConsole({ MANAGEMENT_IMPERSONATION: "600" });
	nobody = await world.join(null, "nobody", "user");
	tenants = { acme: world.acme.id, globex: world.globex.id };
});
afterAll(() => world.close());

/** Every call that the pages of operators make. */
const CALLS: Record<string, (tenantId: string, userId: string) => { path: string; body?: object }> = {
	"the overview": () => ({ path: "/tenant/platform" }),
	"all events": () => ({ path: "/tenant/events" }),
	"all tenants": () => ({ path: "/tenant/list?limit=25" }),
	"a search": () => ({ path: "/tenant/list?slug=glo" }),
	"a filter": () => ({ path: "/tenant/list?status=suspended" }),
	"the check of a slug": () => ({ path: "/tenant/get?slug=globex" }),
	"a tenant": (tenantId) => ({ path: `/tenant/get?tenantId=${tenantId}` }),
	"the console of a tenant": (tenantId) => ({ path: `/tenant/console?tenantId=${tenantId}` }),
	"the events of a tenant": (tenantId) => ({ path: `/tenant/events?tenantId=${tenantId}` }),
	"the creation of a tenant": () => ({ path: "/tenant/create", body: { name: "Mine", slug: "mine" } }),
	"a suspension": (tenantId) => ({ path: "/tenant/suspend", body: { tenantId, reason: "none" } }),
	"an archiving": (tenantId) => ({ path: "/tenant/archive", body: { tenantId, reason: "none" } }),
	"a restoration": (tenantId) => ({ path: "/tenant/restore", body: { tenantId } }),
	"a deletion": (tenantId) => ({ path: "/tenant/delete", body: { tenantId } }),
	"an impersonation": (tenantId, userId) => ({
		path: "/tenant/impersonate",
		body: { tenantId, userId, reason: "none" },
	}),
};

/** What the owner and the admin of a tenant may read of their own, and nobody of another. */
const OWN = ["a tenant", "the console of a tenant", "the events of a tenant"];

// threat 133
describe.each(Object.entries(CALLS))("%s", { timeout: 60_000 }, (name, make) => {
	it.each(["owner", "admin", "member"] as const)(
		"is refused to the %s of another tenant, as for a missing one",
		async (role) => {
			const { path, body } = make(tenants.globex, world.globex.member.id);
			const refused = await world.call(path, { as: world.acme[role], ...(body ? { body } : {}) });
			expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
			const missing = make("a-tenant-that-is-missing", world.globex.member.id);
			const alike = await world.call(missing.path, {
				as: world.acme[role],
				...(missing.body ? { body: missing.body } : {}),
			});
			expect([alike.status, alike.code]).toEqual([refused.status, refused.code]);
		},
	);

	it("is refused to owners for their own tenant, to platform users without a role, and to strangers", async () => {
		const { path, body } = make(tenants.acme, world.acme.member.id);
		const call = { ...(body ? { body } : {}) };
		if (!OWN.includes(name)) expect((await world.call(path, { as: world.acme.owner, ...call })).status).toBe(403);
		expect((await world.call(path, { as: nobody, ...call })).status).toBe(403);
		expect((await world.call(path, call)).status).toBe(401);
	});
});

// threat 133
it("changes nothing for those who were refused, and works for the operator", { timeout: 60_000 }, async () => {
	const listed = await world.call("/tenant/list", { as: world.operator });
	expect(listed.status).toBe(200);
	const found = Object.values(listed.json) as { slug: string; lifecycle: { status: string } }[];
	expect(found.map(({ slug, lifecycle }) => [slug, lifecycle.status]).sort()).toEqual([
		["acme", "active"],
		["globex", "active"],
	]);
	expect((await world.call("/tenant/platform", { as: world.operator })).status).toBe(200);
	expect((await world.call(`/tenant/console?tenantId=${tenants.globex}`, { as: world.operator })).status).toBe(200);
});
