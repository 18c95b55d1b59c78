import { Browser } from "test-kit/browser";
import { createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { ManagementAttempt } from "../../src/index.ts";

const ENDPOINTS = [
	["POST", "/tenant/create"],
	["GET", "/tenant/get"],
	["GET", "/tenant/list"],
	["POST", "/tenant/update"],
	["POST", "/tenant/import"],
	["GET", "/tenant/export-users"],
	["POST", "/tenant/import-users"],
	["POST", "/tenant/delete"],
	["POST", "/tenant/oauth-config/register"],
	["GET", "/tenant/oauth-config/list"],
	["POST", "/tenant/oauth-config/delete"],
	["POST", "/tenant/oauth-config/test"],
] as const;

const inputs = (tenantId: string) => ({
	body: {
		tenantId,
		id: tenantId,
		name: "x",
		slug: "some-slug",
		providerId: "github",
		clientId: "x",
		clientSecret: "x",
		callbackURL: "/admin",
		users: [{ name: "x", email: "planted@example.com" }],
	},
	query: { id: tenantId, tenantId },
});

/** The responses of all management endpoints to one caller. */
const tryAll = async (
	world: World,
	tenantId: string,
	caller: { browser?: Browser; headers?: Record<string, string>; tenant?: string },
) => {
	const answers = [];
	for (const [method, path] of ENDPOINTS) {
		const { body, query } = inputs(tenantId);
		const answer = await world.call(path, {
			method,
			...caller,
			...(method === "POST"
				? { body }
				: path === "/tenant/list"
					? {}
					: { query: path === "/tenant/get" ? { id: query.id } : { tenantId } }),
		});
		answers.push([path, answer.status, answer.code]);
	}
	return answers;
};
const all = (status: number, code: string) => ENDPOINTS.map(([, path]) => [path, status, code]);

describe("management authorization", () => {
	// threat 49
	it("rejects strangers, users of tenants and of the platform, and any key without options", async () => {
		const world = await createWorld({ tenantAuth: { management: {} } });
		const tenant = await world.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const platform = await world.signUp(undefined, "ada@example.com");
		const member = await world.signUp(tenant.id, "ada@example.com");
		expect(await tryAll(world, tenant.id, {})).toEqual(all(401, "TENANT_MANAGEMENT_UNAUTHORIZED"));
		expect(await tryAll(world, tenant.id, { browser: platform })).toEqual(all(403, "TENANT_MANAGEMENT_NOT_ALLOWED"));
		expect(await tryAll(world, tenant.id, { browser: member })).toEqual(all(403, "TENANT_MANAGEMENT_NOT_ALLOWED"));
		for (const authorization of ["Bearer x", "Bearer ", "Bearer undefined", "Basic eDp4"]) {
			expect(await tryAll(world, tenant.id, { headers: { authorization } })).toEqual(
				all(403, "TENANT_MANAGEMENT_NOT_ALLOWED"),
			);
		}
		expect((await world.auth.api.listTenants()).length).toBe(1);
	});

	// threat 49
	it("admits listed platform users and platform users with a role, and no tenant's user of the same id or role", async () => {
		const listed: string[] = [];
		const world = await createWorld({ tenantAuth: { management: { userIds: listed } } });
		const tenant = await world.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const operator = await world.signUp(undefined, "ada@example.com");
		const member = await world.signUp(tenant.id, "ada@example.com");
		for (const browser of [operator, member]) listed.push((await world.call("/get-session", { browser })).json.user.id);
		expect((await world.call("/tenant/list", { browser: operator })).status).toBe(200);
		expect((await world.call("/tenant/list", { browser: member })).status).toBe(403);
	});

	it("accepts any configured key, and no part of one", async () => {
		const keys = ["first-key-0123456789-0123456789-0123", "second-key-0123456789-0123456789-012"];
		const world = await createWorld({ tenantAuth: { management: { keys } } });
		const list = (key: string) => world.call("/tenant/list", { headers: { authorization: `Bearer ${key}` } });
		for (const key of keys) expect((await list(key)).status).toBe(200);
		for (const key of ["", keys[0]?.slice(1), `${keys[0]}x`, keys.join(",")])
			expect((await list(key ?? "")).status).toBe(403);
	});

	// threat 49
	it("passes the target tenant to authorize, so a tenant admin manages their own tenant only", async () => {
		const attempts: ManagementAttempt[] = [];
		const world = await createWorld({
			tenantAuth: {
				management: {
					authorize: (attempt) => {
						attempts.push(attempt);
						return attempt.tenantId !== null && attempt.session?.session.tenantId === attempt.tenantId;
					},
				},
				// a resolver that returns the admin's own tenant must not hide another one in the body
				resolveTenantId: ({ headers }) => headers?.get("x-resolved"),
			},
		});
		const [a, b] = await Promise.all(
			["acme", "globex"].map(async (slug) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id),
		);
		const admin = await world.signUp(a, "ada@example.com");
		const own = await tryAll(world, a ?? "", { browser: admin });
		expect(own.filter(([, status]) => status === 403).map(([path]) => path)).toEqual([
			"/tenant/create",
			"/tenant/list",
			// for keys only
			"/tenant/import",
			"/tenant/export-users",
			"/tenant/import-users",
		]);
		const again = await world.auth.api.createTenant({ body: { name: "again", slug: "again" } });
		const adminOfAgain = await world.signUp(again.id, "ada@example.com");
		const hints: Record<string, string>[] = [{}, { "x-resolved": again.id }, { "x-tenant-id": again.id }];
		for (const headers of hints) {
			for (const path of ["/tenant/update", "/tenant/delete"]) {
				const answer = await world.call(path, { browser: adminOfAgain, headers, body: { tenantId: b, name: "taken" } });
				expect([path, answer.status]).toEqual([path, 403]);
			}
		}
		expect((await world.auth.api.getTenant({ query: { id: b } })).name).toBe("globex");
		expect(attempts.at(-1)).toMatchObject({ action: "tenant:delete", tenantId: b });
	});

	// threat 50
	it("tells a caller with a wrong key how to send one, and nothing about the keys that exist", async () => {
		const messages = new Set<string>();
		for (const management of [{}, { keys: ["k".repeat(40), "l".repeat(40)] }, { userIds: ["nobody"] }]) {
			const world = await createWorld({ tenantAuth: { management } });
			for (const authorization of ["Bearer wrong", `Bearer ${"k".repeat(39)}`, "Basic a2V5", "k".repeat(40)]) {
				const answer = await world.call("/tenant/list", { headers: { authorization } });
				expect([answer.status, answer.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
				messages.add(answer.text);
			}
		}
		expect(messages.size).toBe(1);
		expect([...messages][0]).toContain("Authorization: Bearer KEY");
	});

	// threat 50
	it("rejects a cross-site request with an operator's cookie", async () => {
		const listed: string[] = [];
		const world = await createWorld({ tenantAuth: { management: { userIds: listed } } });
		const operator = await world.signUp(undefined, "ada@example.com");
		listed.push((await world.call("/get-session", { browser: operator })).json.user.id);
		const body = { name: "x", slug: "planted" };
		const attempt = (headers: Record<string, string>, sent: unknown = body) =>
			world.call("/tenant/create", { browser: operator, headers, body: sent });
		expect((await attempt({ origin: "https://evil.example" })).status).toBe(403);
		expect((await attempt({ origin: "null" })).status).toBe(403);
		expect((await attempt({ "content-type": "text/plain" }, JSON.stringify(body))).status).toBe(415);
		expect((await attempt({ "content-type": "application/x-www-form-urlencoded" }, "name=x&slug=planted")).status).toBe(
			415,
		);
		expect(await world.auth.api.listTenants()).toEqual([]);
		expect((await attempt({})).status).toBe(200);
	});

	// threat 42
	it("rejects a revoked session that is still in the cookie cache", async () => {
		const listed: string[] = [];
		const world = await createWorld({
			tenantAuth: { management: { userIds: listed } },
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		const operator = await world.signUp(undefined, "ada@example.com");
		listed.push((await world.call("/get-session", { browser: operator })).json.user.id);
		const stolen = operator.copy();
		expect((await world.call("/tenant/list", { browser: stolen })).status).toBe(200);
		await world.call("/sign-out", { browser: operator, body: {} });
		expect((await world.call("/tenant/list", { browser: stolen })).status).toBe(401);
		expect((await world.call("/tenant/list", { browser: new Browser() })).status).toBe(401);
	});
});
