import { createAuthClient } from "better-auth/client";
import { createWorld, MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuthClient } from "../../src/client.ts";
import { listTenantPage, type PageQuery } from "../../src/index.ts";
import { type LifecycleWorld, lifecycleWorld } from "../lifecycle/support/lifecycle-world.ts";

const NAMES = ["Ada", "Ada", "Ada", "Ada B", "Ada-C", "Ada😀", "Adaé", "Bob", "Zoë", "Z%_"];

const createNamed = async ({ auth }: LifecycleWorld): Promise<void> => {
	for (const [index, name] of NAMES.entries()) await auth.api.createTenant({ body: { name, slug: `person-${index}` } });
};

describe.each([
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const)("searching tenants on %s", (_name, options) => {
	/** Reads all pages of two tenants each. */
	const all = async (world: LifecycleWorld, query: PageQuery) => {
		const found: { name: string; slug: string; id: string }[] = [];
		for (let cursor: string | null | undefined; cursor !== null; ) {
			const page = await listTenantPage(world.auth, { limit: 2, ...query, cursor: cursor ?? undefined });
			expect(page.tenants.length).toBeLessThanOrEqual(2);
			found.push(...page.tenants);
			cursor = page.nextCursor;
		}
		expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
		return found;
	};

	it("finds tenants by the beginning of the slug or the name, page by page", async () => {
		const world = await lifecycleWorld([], options);
		await createNamed(world);
		expect((await all(world, { slug: "Person-" })).map(({ slug }) => slug)).toEqual(
			NAMES.map((_, index) => `person-${index}`),
		);
		expect((await all(world, { slug: "person-7" })).map(({ name }) => name)).toEqual(["Bob"]);
		expect(await all(world, { slug: "nobody" })).toEqual([]);
		const byName = async (name: string) => (await all(world, { name })).map((found) => found.name).sort();
		expect(await byName("Ada")).toEqual(NAMES.filter((name) => name.startsWith("Ada")).sort());
		expect(await byName("Ada ")).toEqual(["Ada B"]);
		expect(await byName("Zo")).toEqual(["Zoë"]);
		// wildcards of LIKE are text
		expect(await byName("Z%")).toEqual(["Z%_"]);
		expect(await byName("%")).toEqual([]);
	});

	it("finds tenants of one status, with and without a search", async () => {
		const world = await lifecycleWorld([], options);
		await createNamed(world);
		const [first, second, third] = await all(world, { slug: "person-" });
		for (const tenant of [first, second]) await world.suspend(tenant?.id ?? "");
		await world.archive(third?.id ?? "");
		const ids = async (query: PageQuery) => (await all(world, query)).map(({ id }) => id);
		expect((await ids({ status: "suspended" })).sort()).toEqual([first?.id, second?.id].sort());
		expect(await ids({ status: "archived" })).toEqual([third?.id]);
		expect(await ids({ status: "archived", name: "Ada" })).toEqual([third?.id]);
		expect(await ids({ status: "suspended", slug: "person-1" })).toEqual([second?.id]);
		expect(await ids({ status: "active", slug: "person-" })).toHaveLength(NAMES.length - 3);
		expect(await ids({})).toHaveLength(NAMES.length + 2);
		// a tenant that is being deleted is in no list
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${first?.id}'`);
		expect(await ids({ slug: "person-0" })).toEqual([]);
		expect(await ids({ status: "suspended" })).toEqual([second?.id]);
	});
});

it("rejects a search by slug and name, an unknown status, and a cursor of another list", async () => {
	const world = await lifecycleWorld();
	const list = (query: Record<string, string>) => world.call("/tenant/list", { operator: true, query });
	expect((await list({ slug: "a", name: "a" })).status).toBe(400);
	expect((await list({ status: "deleting" })).status).toBe(400);
	expect((await list({ slug: "" })).status).toBe(400);
	const { nextCursor } = await listTenantPage(world.auth, { limit: 1 });
	expect((await list({ slug: "a", cursor: nextCursor ?? "" })).code).toBe("INVALID_CURSOR");
	const searched = await listTenantPage(world.auth, { limit: 1, slug: "a" });
	expect(searched.nextCursor).toBeNull();
	expect((await list({ cursor: btoa('["acme","x"]') })).code).toBe("INVALID_CURSOR");
});

it("knows no status without tenantLifecycle()", async () => {
	const world = await createWorld();
	await world.newTenant();
	const found = await world.call("/tenant/list", { operator: true, query: { status: "suspended" } });
	expect([found.status, found.code]).toEqual([400, "UNKNOWN_FIELD"]);
});

// threat 128
it("searches for operators only: an admin of a tenant and a stranger are refused alike, whatever they search for", async () => {
	const world = await lifecycleWorld();
	const browser = await world.signUp(world.a, "ada@example.com");
	for (const slug of ["acme", "globex", "nobody"]) {
		const refused = await world.call("/tenant/list", { browser, query: { slug } });
		expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		const stranger = await world.call("/tenant/list", { query: { slug, status: "active" } });
		expect([stranger.status, stranger.code]).toEqual([401, "TENANT_MANAGEMENT_UNAUTHORIZED"]);
	}
});

it("searches with the typed client, and one statement per page", async () => {
	const { auth, database } = await lifecycleWorld([], { database: "sqlite" });
	const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, origin: ORIGIN };
	const client = createAuthClient({
		baseURL: ORIGIN,
		plugins: [tenantAuthClient()],
		fetchOptions: { headers, customFetchImpl: async (url, init) => auth.handler(new Request(url, init)) },
	});
	const page = await client.tenant.listPage({ slug: "acm", status: "active" });
	expect(page.data?.tenants.map(({ slug }) => slug)).toEqual(["acme"]);
	const { data } = await client.tenant.list({ query: { slug: "glob" } });
	expect(data?.map(({ slug }) => slug)).toEqual(["globex"]);
	for (const query of [{}, { status: "active" }, { slug: "acme" }, { name: "acme", status: "active" }] as PageQuery[]) {
		database.statements.length = 0;
		await listTenantPage(auth, query);
		expect([query, database.statements.length]).toEqual([query, 1]);
	}
});
