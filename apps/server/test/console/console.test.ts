import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleWorld, startConsole } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
	world = await startConsole();
});
afterAll(() => world.close());

it("says who is signed in, and what the console can show them", async () => {
	const { call, acme, globex, operator } = world;
	const own = await call("/tenant/console", { as: acme.owner });
	expect(own.json).toMatchObject({
		place: "tenant",
		tenant: { id: acme.id, name: "ACME", slug: "acme", status: "active" },
		user: { id: acme.owner.id, name: "owner", email: "owner@example.com", image: null },
		role: "owner",
		features: { lifecycle: true, policy: true, invitations: false, pages: true, twoFactor: true, sso: false },
		callbackURLs: { own: [expect.stringContaining(`/tenant/callback/{providerId}/${acme.id}`)] },
		version: null,
	});
	expect(own.json.socialProviders).toContain("google");
	expect(own.headers.get("cache-control")).toBe("no-store");
	for (const role of ["admin", "member"] as const)
		expect((await call("/tenant/console", { as: globex[role] })).json).toMatchObject({
			role,
			tenant: { id: globex.id },
		});
	const platform = await call("/tenant/console", { as: operator });
	expect(platform.json).toMatchObject({ place: "platform", tenant: null, role: "operator" });
	expect(platform.json.version).toMatch(/^\d+\.\d+\.\d+/);
	const opened = await call(`/tenant/console?tenantId=${globex.id}`, { as: operator });
	expect(opened.json).toMatchObject({ place: "tenant", tenant: { slug: "globex" }, role: "operator" });
});

it("reads and writes the branding, and leaves the rest of the metadata as it is", async () => {
	const { call, acme, globex, operator } = world;
	const metadata = { plan: "gold", nested: { list: [1, { a: null }] } };
	await call("/tenant/update", { as: "key", body: { tenantId: acme.id, metadata } });
	const branding = { name: "Acme", primaryColor: "#0057B8", logo: "https://acme.com/logo.svg" };
	const shown = { ...branding, primaryColor: "#0057b8" };
	for (const as of [acme.owner, operator, "key" as const]) {
		const written = await call("/tenant/branding", { as, body: { tenantId: acme.id, branding } });
		expect([written.status, written.json]).toEqual([200, { branding: shown }]);
	}
	for (const as of [acme.owner, acme.admin, operator, "key" as const])
		expect((await call(`/tenant/branding?tenantId=${acme.id}`, { as })).json).toEqual({ branding: shown });
	const stored = await call(`/tenant/get?id=${acme.id}`, { as: "key" });
	expect(stored.json.metadata).toEqual({ ...metadata, branding });
	const invalid = await call("/tenant/branding", {
		as: acme.owner,
		body: { tenantId: acme.id, branding: { primaryColor: "#ffffff" } },
	});
	expect([invalid.status, invalid.code]).toEqual([400, "TENANT_BRANDING_INVALID"]);
	expect(invalid.json.message).toContain("metadata.branding.primaryColor");
	await call("/tenant/branding", { as: acme.owner, body: { tenantId: acme.id, branding: null } });
	expect((await call(`/tenant/get?id=${acme.id}`, { as: "key" })).json.metadata).toEqual(metadata);
	expect((await call(`/tenant/get?id=${globex.id}`, { as: "key" })).json.metadata).toBeNull();
});

// threat 130
it("waits for a change of other metadata that is under way, and keeps it", async () => {
	const { call, pool, acme } = world;
	await pool.query(`update "tenant" set "metadata" = '{"plan":0}' where "id" = $1`, [acme.id]);
	const other = await pool.connect();
	await other.query("begin");
	await other.query(`update "tenant" set "metadata" = '{"plan":1}' where "id" = $1`, [acme.id]);
	const written = call("/tenant/branding", { as: "key", body: { tenantId: acme.id, branding: { name: "Acme" } } });
	const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
	while ((await pool.query(isWaiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
	await other.query("commit");
	other.release();
	expect((await written).status).toBe(200);
	const { json } = await call(`/tenant/get?id=${acme.id}`, { as: "key" });
	expect(json.metadata).toEqual({ plan: 1, branding: { name: "Acme" } });
});

it("keeps metadata within the limits of /tenant/update", async () => {
	const { call, acme } = world;
	const kept = { constructor: { prototype: 1 }, prototype: 2 };
	await call("/tenant/update", { as: "key", body: { tenantId: acme.id, metadata: kept } });
	const small = await call("/tenant/branding", {
		as: acme.owner,
		body: { tenantId: acme.id, branding: { name: "A" } },
	});
	expect(small.status).toBe(200);
	const { json } = await call(`/tenant/get?id=${acme.id}`, { as: "key" });
	expect(json.metadata).toEqual({ ...kept, branding: { name: "A" } });
	const metadata = { text: "x".repeat(16_350) };
	expect((await call("/tenant/update", { as: "key", body: { tenantId: acme.id, metadata } })).status).toBe(200);
	const full = await call("/tenant/branding", { as: acme.owner, body: { tenantId: acme.id, branding: { name: "A" } } });
	expect([full.status, full.code]).toEqual([400, "INVALID_METADATA"]);
	await call("/tenant/update", { as: "key", body: { tenantId: acme.id, metadata: null } });
});

it("lists events of a tenant, newest first, page by page, without reads", async () => {
	const { call, pool, acme, globex, operator } = world;
	await pool.query(`delete from "serviceEvent"`);
	await call(`/tenant/get?id=${acme.id}`, { as: "key" });
	for (const name of ["One", "Two", "Three"])
		await call("/tenant/update", { as: operator, body: { tenantId: acme.id, name } });
	await call("/tenant/update", { as: "key", body: { tenantId: globex.id, name: "GLOBEX" } });
	const read = async (query: string, as = acme.admin) => {
		const found: { action: string; id: string; tenantId: string }[] = [];
		for (let next: string | null | undefined = `/tenant/events?limit=2${query}`; next; ) {
			const page = await call(next, { as });
			expect(page.status).toBe(200);
			found.push(...(page.json as unknown as typeof found));
			const link: URL | null = URL.parse(/<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1] ?? "");
			next = link && `${link.pathname.replace("/api/auth", "")}${link.search}`;
		}
		return found;
	};
	const own = await read(`&tenantId=${acme.id}`);
	expect(own.map(({ action, tenantId }) => [action, tenantId])).toEqual(
		Array.from({ length: 3 }, () => ["tenant:update", acme.id]),
	);
	expect(new Set(own.map(({ id }) => id)).size).toBe(3);
	expect((await read("", operator)).map(({ tenantId }) => tenantId)).toEqual([globex.id, acme.id, acme.id, acme.id]);
	const odd = await call(`/tenant/events?tenantId=${acme.id}&cursor=abc`, { as: acme.admin });
	expect([odd.status, odd.code]).toEqual([400, "INVALID_CURSOR"]);
});

it("gives operators an overview of the service", async () => {
	const { call, pool, acme, operator, service } = world;
	await service.signIn(acme.id, "owner@example.com");
	await service.signIn(acme.id, "owner@example.com", "wrong horse battery");
	await pool.query(
		`insert into "tenant" ("id", "name", "slug", "status", "createdAt", "updatedAt") values ('gone', 'Gone', 'gone', 'deleting', now(), now())`,
	);
	const { status, json } = await call("/tenant/platform", { as: operator });
	expect(status).toBe(200);
	expect(json).toMatchObject({
		version: expect.any(String),
		process: {
			startedAt: expect.any(String),
			signIns: {
				methods: [
					{ method: "email", succeeded: expect.any(Number), refused: expect.any(Number), pending: 0, failed: 0 },
				],
				milliseconds: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
			},
		},
		processes: [{ host: expect.any(String), schema: expect.any(String), secondsAgo: expect.any(Number) }],
		jobs: [],
		tenantsEstimate: 3,
		deletions: [{ tenantId: "gone", slug: "gone", name: "Gone", startedAt: expect.any(String), rowsLeft: 0 }],
	});
	await pool.query(`delete from "tenant" where "id" = 'gone'`);
	expect((await call("/tenant/platform", { as: "key" })).status).toBe(200);
});

it("lets owners register and delete OAuth configs of their own tenant", async () => {
	const { call, acme, globex } = world;
	const body = { providerId: "github", clientId: "id", clientSecret: "secret" };
	const registered = await call("/tenant/oauth-config/register", {
		as: acme.owner,
		body: { tenantId: acme.id, ...body },
	});
	expect([registered.status, registered.json.providerId]).toEqual([200, "github"]);
	for (const [as, tenantId] of [
		[acme.admin, acme.id],
		[acme.member, acme.id],
		[acme.owner, globex.id],
		[acme.owner, "missing"],
	] as const) {
		const refused = await call("/tenant/oauth-config/register", { as, body: { tenantId, ...body } });
		expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		const deleted = await call("/tenant/oauth-config/delete", { as, body: { tenantId, providerId: "github" } });
		expect([deleted.status, deleted.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
	}
	expect(
		(await call("/tenant/oauth-config/delete", { as: acme.owner, body: { tenantId: acme.id, providerId: "github" } }))
			.status,
	).toBe(200);
});
