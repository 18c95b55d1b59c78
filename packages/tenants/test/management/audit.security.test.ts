import { createHash } from "node:crypto";
import { canarySecret } from "test-kit/canary";
import { type CallOptions, createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/index.ts";
import { createImpersonable, REASON } from "./impersonating.ts";

const github = { providerId: "github", clientId: "client", clientSecret: canarySecret("audit") };

/** Every action, ordered so that each can succeed. */
const actions = (tenantId: string, userId: string): [AuditEntry["action"], unknown, string, CallOptions][] => [
	["tenant:list", null, "/tenant/list", {}],
	["tenant:create", expect.any(String), "/tenant/create", { body: { name: "New", slug: "new-tenant" } }],
	["tenant:get", tenantId, "/tenant/get", { query: { id: tenantId } }],
	["tenant:get", tenantId, "/tenant/get", { query: { slug: "acme" } }],
	["tenant:get", null, "/tenant/get", { query: { slug: "nobody" } }],
	["tenant:update", tenantId, "/tenant/update", { body: { tenantId, name: "Renamed" } }],
	["oauth-config:register", tenantId, "/tenant/oauth-config/register", { body: { tenantId, ...github } }],
	["oauth-config:list", tenantId, "/tenant/oauth-config/list", { query: { tenantId } }],
	[
		"oauth-config:test",
		tenantId,
		"/tenant/oauth-config/test",
		{ body: { tenantId, providerId: "github", callbackURL: "/admin" } },
	],
	["oauth-config:delete", tenantId, "/tenant/oauth-config/delete", { body: { tenantId, providerId: "github" } }],
	["tenant:impersonate", tenantId, "/tenant/impersonate", { body: { tenantId, userId, reason: REASON } }],
	["tenant:delete", tenantId, "/tenant/delete", { body: { tenantId } }],
];

const slugIn = ({ body, query }: CallOptions): { slug?: unknown } => {
	const { slug } = { ...(body as object | undefined), ...query } as { slug?: unknown };
	return slug === undefined ? {} : { slug };
};

const tables = ["tenant", "tenantOauthConfig", "user", "session"];

describe("the audit", () => {
	// threats 49 and 55
	it("receives every action with its actor and tenant, and no key, token or secret", async () => {
		const { world, a, adaId, operator, operatorId, entries } = await createImpersonable();
		const name = createHash("sha256").update(MANAGEMENT_KEY).digest("hex").slice(0, 12);
		const secrets = [MANAGEMENT_KEY, github.clientSecret];
		const steps = actions(a, adaId);
		for (const [action, tenantId, path, call] of steps) {
			for (const [caller, actor] of [
				[{ operator: true }, { kind: "key", name }],
				[{ browser: operator.copy() }, { kind: "session", userId: operatorId, tenantId: "platform" }],
			] as const) {
				// the second time, nothing is left to delete and the slug is taken
				entries.length = 0;
				const ip = "203.0.113.7";
				const answer = await world.call(path, { ...call, ...caller, headers: { "x-forwarded-for": ip } });
				if (action === "tenant:impersonate") secrets.push(answer.json.token);
				expect([path, answer.status >= 500]).toEqual([path, false]);
				const impersonating = action === "tenant:impersonate" ? { userId: adaId, reason: REASON } : {};
				const slug = slugIn(call);
				expect(entries).toEqual([
					{ at: expect.any(Date), action, tenantId, actor, outcome: "allowed", ip, ...impersonating, ...slug },
				]);
				if (action === "tenant:create" && answer.status === 200) expect(entries[0]?.tenantId).toBe(answer.json.id);
				const told = JSON.stringify(entries);
				for (const secret of [...secrets, operator.header()]) expect(told).not.toContain(secret);
			}
		}
		expect(steps).toHaveLength(12);
	});

	it.each(["serial", "uuid", () => "chosen-by-the-application"] as const)(
		"names the tenant that is created, with generateId: %s",
		async (generateId) => {
			const entries: AuditEntry[] = [];
			const world = await createWorld({
				engine: { advanced: { database: { generateId } } },
				tenantAuth: { management: { keys: [MANAGEMENT_KEY], audit: (entry) => void entries.push(entry) } },
			});
			const body = { name: "New", slug: "new-tenant" };
			const { json, status } = await world.call("/tenant/create", { operator: true, body });
			expect(status).toBe(200);
			// null where the database chooses
			const known = generateId === "serial" ? null : json.id;
			expect(entries).toMatchObject([{ action: "tenant:create", tenantId: known, slug: "new-tenant" }]);
		},
	);

	// threat 49
	it("stops every action it fails to record, logs the failure, and keeps rejections unchanged", async () => {
		const failing = { now: false };
		const { world, a, adaId, operator } = await createImpersonable({
			management: {
				audit: async () => {
					if (failing.now) throw new Error("the disk is full");
				},
			},
		});
		await world.call("/tenant/oauth-config/register", { operator: true, body: { tenantId: a, ...github } });
		const stored = () => Promise.all(tables.map((table) => world.database.query(`select * from "${table}"`)));
		const before = await stored();
		failing.now = true;
		for (const [, , path, call] of actions(a, adaId)) {
			for (const caller of [{ operator: true }, { browser: operator.copy() }]) {
				const answer = await world.call(path, { ...call, ...caller });
				expect([path, answer.status, answer.code]).toEqual([path, 503, "AUDIT_UNAVAILABLE"]);
				expect(answer.text).not.toContain("disk");
				expect(answer.headers.getSetCookie()).toEqual([]);
			}
			expect((await world.call(path, call)).status).toBe(401);
		}
		const gone = { tenantId: a, userId: "nobody", reason: REASON };
		expect((await world.call("/tenant/impersonate", { operator: true, body: gone })).status).toBe(404);
		await expect(world.auth.api.deleteTenant({ body: { tenantId: a } })).rejects.toMatchObject({
			body: { code: "AUDIT_UNAVAILABLE" },
		});
		expect(await stored()).toEqual(before);
		expect(world.logs.join("\n")).toMatch(/management\.audit threw on tenant:delete.*Fix the sink.*disk is full/s);
		failing.now = false;
		expect((await world.call("/tenant/list", { operator: true })).status).toBe(200);
	});

	it("may look up tenants itself, which is not audited", async () => {
		const seen: string[] = [];
		const lookUp: { tenants?: () => Promise<unknown[]> } = {};
		const world = await createWorld({
			tenantAuth: {
				management: {
					keys: [MANAGEMENT_KEY],
					audit: async ({ action }) => void seen.push(`${action} ${(await lookUp.tenants?.())?.length}`),
				},
			},
		});
		lookUp.tenants = () => world.auth.api.listTenants();
		const tenant = await world.newTenant();
		await world.call("/tenant/get", { operator: true, query: { id: tenant } });
		expect(seen).toEqual(["tenant:create 0", "tenant:get 1"]);
	});
});
