import { createAuthEndpoint } from "better-auth/api";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { expect, it } from "vitest";
import * as z from "zod";
import {
	type AuditEntry,
	currentTenantId,
	guardManagement,
	type ManagementAttempt,
	withTenants,
} from "../../src/index.ts";

const tenant = z.object({ tenantId: z.string().optional() });

/** An application's own management endpoints. */
const plugin = {
	id: "own-endpoints",
	endpoints: {
		create: createAuthEndpoint(
			"/tenant/scim-connection/create",
			{ method: "POST", body: tenant, use: [guardManagement({ action: "scim-connection:create" })] },
			async (ctx) => ctx.json({ tenantId: ctx.context.tenantId, actor: ctx.context.actor, scope: currentTenantId() }),
		),
		list: createAuthEndpoint(
			"/tenant/scim-connection/list",
			{
				method: "GET",
				query: tenant,
				use: [guardManagement({ action: "scim-connection:list", target: "query" })],
			},
			async (ctx) => ctx.json({ tenantId: ctx.context.tenantId }),
		),
		events: createAuthEndpoint(
			"/tenant/events",
			{ method: "GET", query: tenant, use: [guardManagement({ action: "event:list", target: "query-or-none" })] },
			async (ctx) => ctx.json({ tenantId: ctx.context.tenantId }),
		),
		platform: createAuthEndpoint(
			"/tenant/platform",
			{ method: "GET", use: [guardManagement({ action: "platform:get", target: "none", operatorsOnly: true })] },
			async (ctx) => ctx.json({ tenantId: ctx.context.tenantId }),
		),
	},
};

// threat 101
it("guards an application's own endpoints like those of the plugin, and audits every attempt", async () => {
	const audited: AuditEntry[] = [];
	const management = { keys: [MANAGEMENT_KEY], audit: (entry: AuditEntry) => void audited.push(entry) };
	const world = await createWorld({ allPlugins: withTenants({ management }, [plugin]) });
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const [inA, inB] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
	audited.length = 0;
	const calls = (options: object) => [
		world.call("/tenant/scim-connection/create", { ...options, body: { tenantId: a } }),
		world.call("/tenant/scim-connection/list", { ...options, query: { tenantId: a } }),
	];
	for (const { status, code } of await Promise.all(calls({})))
		expect([status, code]).toEqual([401, "TENANT_MANAGEMENT_UNAUTHORIZED"]);
	for (const browser of [inA, inB])
		for (const { status, code } of await Promise.all(calls({ browser })))
			expect([status, code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	expect(audited.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "refused"));

	audited.length = 0;
	const [made, listed] = await Promise.all(calls({ operator: true }));
	// the target does not change the scope of the caller
	expect(made?.json).toMatchObject({ tenantId: a, actor: { kind: "key" }, scope: "platform" });
	expect(listed?.json).toEqual({ tenantId: a });
	expect(audited.map(({ action, tenantId, outcome }) => [action, tenantId, outcome]).sort()).toEqual([
		["scim-connection:create", a, "allowed"],
		["scim-connection:list", a, "allowed"],
	]);
	const nobody = await world.call("/tenant/scim-connection/create", { operator: true, body: {} });
	expect([nobody.status, nobody.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
});

// threat 128
it("guards an action about all tenants, and takes a malformed tenant id for none of them", async () => {
	const asked: [action: string, tenantId: string | null][] = [];
	const management = {
		keys: [MANAGEMENT_KEY],
		// an application that allows too much in one tenant
		authorize: ({ action, tenantId }: ManagementAttempt) => {
			asked.push([action, tenantId]);
			return tenantId !== null || action === "platform:get";
		},
	};
	const world = await createWorld({ allPlugins: withTenants({ management }, [plugin]) });
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const browser = await world.signUp(a, "ada@example.com");
	for (const tenantId of [a, b])
		expect((await world.call("/tenant/events", { operator: true, query: { tenantId } })).json).toEqual({ tenantId });
	expect((await world.call("/tenant/events", { operator: true, query: {} })).json).toEqual({ tenantId: null });
	expect((await world.call("/tenant/events", { browser, query: { tenantId: a } })).json).toEqual({ tenantId: a });
	for (const query of [{}, { tenantId: "not an id" }] as Record<string, string>[]) {
		const refused = await world.call("/tenant/events", { browser, query });
		expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	}
	const malformed = await world.call("/tenant/events", { operator: true, query: { tenantId: "not an id" } });
	expect([malformed.status, malformed.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
	// authorize would allow it
	const platform = await world.call("/tenant/platform", { browser, query: {} });
	expect([platform.status, platform.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	expect(asked.map(([action]) => action)).not.toContain("platform:get");
	expect((await world.call("/tenant/platform", { operator: true, query: {} })).json).toEqual({ tenantId: null });
});
