import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { TENANT_AUTH_ERROR_CODES } from "../../src/errors/error-codes.ts";

describe("managing tenants", () => {
	it("creates, gets, updates, lists and deletes", async () => {
		const world = await createWorld();
		const made = await world.call("/tenant/create", {
			operator: true,
			body: { name: "Acme", slug: "acme", metadata: { plan: "gold" } },
		});
		expect(made.json).toEqual({
			id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
			name: "Acme",
			slug: "acme",
			metadata: { plan: "gold" },
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
		const { id } = made.json;
		const get = (query: Record<string, string>) => world.call("/tenant/get", { operator: true, query });
		expect((await get({ id })).json).toEqual(made.json);
		expect((await get({ slug: "acme" })).json).toEqual(made.json);
		expect((await get({ tenantId: id })).json).toEqual(made.json);
		expect(await world.auth.api.getTenant({ query: { tenantId: id } })).toMatchObject({ id });
		expect(await get({})).toMatchObject({ status: 400, code: "TENANT_ID_OR_SLUG_REQUIRED" });
		expect(await get({ id, slug: "acme" })).toMatchObject({ status: 400, code: "TENANT_ID_OR_SLUG_REQUIRED" });
		const several: Record<string, string>[] = [
			{ id, tenantId: id },
			{ tenantId: id, slug: "acme" },
			{ id, tenantId: id, slug: "acme" },
		];
		for (const both of several)
			expect(await get(both)).toMatchObject({ status: 400, code: "TENANT_ID_OR_SLUG_REQUIRED" });
		const missing: Record<string, string>[] = [
			{ id: "nobody" },
			{ tenantId: "nobody" },
			{ tenantId: "a:b" },
			{ tenantId: "platform" },
		];
		for (const nobody of missing) expect(await get(nobody)).toMatchObject({ status: 404, code: "TENANT_NOT_FOUND" });

		const updated = await world.call("/tenant/update", { operator: true, body: { tenantId: id, name: "Acme Inc." } });
		expect(updated.json).toMatchObject({ id, name: "Acme Inc.", slug: "acme", metadata: { plan: "gold" } });
		const removed = await world.call("/tenant/delete", { operator: true, body: { tenantId: id } });
		expect(removed.json).toEqual({ success: true });
		expect((await get({ id })).status).toBe(404);
		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: id } })).status).toBe(404);
	});

	it("refuses a taken slug on create and on update, and keeps both tenants", async () => {
		const world = await createWorld();
		const a = await world.newTenant("acme");
		await world.newTenant("globex");
		expect(await world.call("/tenant/create", { operator: true, body: { name: "x", slug: "acme" } })).toMatchObject({
			status: 409,
			code: "TENANT_SLUG_TAKEN",
		});
		expect(await world.call("/tenant/update", { operator: true, body: { tenantId: a, slug: "globex" } })).toMatchObject(
			{
				status: 409,
				code: "TENANT_SLUG_TAKEN",
			},
		);
		expect((await world.call("/tenant/update", { operator: true, body: { tenantId: a, slug: "acme" } })).status).toBe(
			200,
		);
	});

	// threat 35
	it("accepts only a lower-case DNS label as slug", async () => {
		const world = await createWorld({ tenantAuth: { reservedSlugs: ["Ours"] } });
		const refused = [
			"",
			"a",
			"Acme",
			"-acme",
			"acme-",
			"ac me",
			"аdmin",
			"acme.",
			"..",
			"%2e",
			"a/b",
			"xn--80ak6aa92e",
			"ab--cd",
			"www",
			"admin",
			"platform",
			"ours",
			"a".repeat(64),
			"acme\n",
			"ａcme",
		];
		for (const slug of refused) {
			const answer = await world.call("/tenant/create", { operator: true, body: { name: "x", slug } });
			expect([slug, answer.status, answer.code]).toEqual([slug, 400, "INVALID_SLUG"]);
		}
		for (const slug of ["ab", "a1", "1a", "a-b", "a--b", "a".repeat(63)]) {
			expect([
				slug,
				(await world.call("/tenant/create", { operator: true, body: { name: "x", slug } })).status,
			]).toEqual([slug, 200]);
		}
	});

	it("says which rule a slug breaks", async () => {
		const world = await createWorld({ tenantAuth: { reservedSlugs: ["Ours"] } });
		const tenantId = await world.newTenant();
		const rules: [string, RegExp][] = [
			["a", /2 to 63 characters/],
			["a".repeat(64), /2 to 63 characters/],
			["Acme", /only a-z, 0-9 and '-', in lower case/],
			["ac_me", /only a-z/],
			["-acme", /start and end with a letter or a digit/],
			["acme-", /start and end/],
			["xn--80ak6aa92e", /'--' as its third and fourth characters/],
			["admin", /reserved. Choose another/],
			["ours", /reserved/],
		];
		for (const [slug, rule] of rules)
			for (const [path, fields] of [
				["/tenant/create", { name: "x" }],
				["/tenant/update", { tenantId }],
			] as const) {
				const answer = await world.call(path, { operator: true, body: { ...fields, slug } });
				expect([slug, answer.status, answer.code]).toEqual([slug, 400, "INVALID_SLUG"]);
				expect(answer.json.message).toMatch(rule);
			}
	});

	// threats 59 and 60
	it("bounds metadata and takes no prototype from it", async () => {
		const world = await createWorld();
		const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
		const bodies = [
			JSON.stringify({ name: "x", slug: "meta", metadata: { big: "x".repeat(20_000) } }),
			JSON.stringify({ name: "x", slug: "meta", metadata: { many: Array.from({ length: 9000 }, () => 1) } }),
			JSON.stringify({ name: "x", slug: "meta", metadata: deep(33) }),
			// JSON.stringify would overflow the stack
			`{"name":"x","slug":"meta","metadata":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
			JSON.stringify({ name: "x", slug: "meta", metadata: ["not", "an", "object"] }),
		];
		for (const body of bodies)
			expect([body.slice(0, 60), (await world.call("/tenant/create", { operator: true, body })).status]).toEqual([
				body.slice(0, 60),
				400,
			]);
		const { id: tenantId } = (await world.call("/tenant/create", { operator: true, body: { name: "y", slug: "y1" } }))
			.json;
		for (const metadata of [`{"__proto__":{"polluted":true},"kept":1}`, `{"a":[{"__proto__":1}]}`, `{"__proto__":1}`])
			for (const [path, fields] of [
				["/tenant/create", '"name":"x","slug":"proto"'],
				["/tenant/update", `"tenantId":"${tenantId}"`],
			] as const) {
				const refused = await world.call(path, { operator: true, body: `{${fields},"metadata":${metadata}}` });
				expect([metadata, path, refused.status, refused.code]).toEqual([metadata, path, 400, "INVALID_METADATA"]);
				expect(refused.json.message).toContain('"__proto__"');
			}
		expect((await world.call("/tenant/get", { operator: true, query: { id: tenantId } })).json.metadata).toBeNull();
		expect((await world.call("/tenant/get", { operator: true, query: { slug: "proto" } })).status).toBe(404);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
		expect(
			(await world.call("/tenant/create", { operator: true, body: { name: "x", slug: "meta", metadata: deep(32) } }))
				.status,
		).toBe(200);
	});

	// threat 59
	it("stores every other key of metadata and any number of them, and changes no prototype", async () => {
		const world = await createWorld();
		const kept = {
			constructor: { prototype: { polluted: true } },
			prototype: { polluted: true },
			toString: "text",
			hasOwnProperty: null,
			toJSON: "text",
			valueOf: 7,
			"": "empty",
			'żółć.$ "key"': [],
			keys: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n])),
			nested: [{ constructor: [{ prototype: 1 }] }],
		};
		for (const slug of ["acme", "globex"]) {
			const metadata = { ...kept, slug };
			const created = await world.call("/tenant/create", { operator: true, body: { name: slug, slug } });
			const { id: tenantId } = created.json;
			const updated = await world.call("/tenant/update", { operator: true, body: { tenantId, metadata } });
			expect(updated.status).toBe(200);
			const read = await world.call("/tenant/get", { operator: true, query: { slug } });
			for (const answer of [updated, read]) expect(JSON.parse(answer.text).metadata).toEqual(metadata);
			const more = { name: "x", slug: `${slug}-2`, metadata };
			expect((await world.call("/tenant/create", { operator: true, body: more })).json.metadata).toEqual(metadata);
		}
		const listed = await world.call("/tenant/list", { operator: true });
		const slugs = JSON.parse(listed.text).map(({ metadata }: { metadata: { slug: string } }) => metadata.slug);
		expect(slugs.toSorted()).toEqual(["acme", "acme", "globex", "globex"]);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it("says which limit metadata exceeds", async () => {
		const world = await createWorld();
		const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });
		const cases: [object, string][] = [
			[{ big: "x".repeat(20_000) }, "16 kB"],
			[{ many: Array.from({ length: 9000 }, () => 1) }, "16 kB"],
			[nested(33), "32 levels"],
		];
		for (const [metadata, limit] of cases) {
			const body = { name: "x", slug: "meta", metadata };
			const answer = await world.call("/tenant/create", { operator: true, body });
			expect([limit, answer.code]).toEqual([limit, "INVALID_METADATA"]);
			expect(answer.json.message).toContain(limit);
		}
	});

	it("names in the codes what metadata may not have, and where a redirect URI may lead", () => {
		const { INVALID_METADATA, INVALID_REDIRECT_URI } = TENANT_AUTH_ERROR_CODES;
		expect(INVALID_METADATA.message).toMatch(/16 kB.*32 levels.*__proto__/);
		expect(INVALID_REDIRECT_URI.message).toContain("trustedOrigins");
	});

	it("rejects unknown fields, names them, and changes nothing", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		const before = await world.database.query('select * from "tenant" order by "id"');
		const bodies: [string, object, string][] = [
			["/tenant/update", { tenantId: a, name: "x", status: "suspended" }, '"status"'],
			["/tenant/update", { tenantId: a, Name: "x" }, '"Name"'],
			["/tenant/update", { tenantId: a, id: b, name: "x" }, '"id"'],
			["/tenant/create", { name: "x", slug: "new", plan: "gold" }, '"plan"'],
			["/tenant/create", { name: "x", slug: "new", id: a, createdAt: "2001-02-03T04:05:06Z" }, '"id", "createdAt"'],
		];
		for (const [path, body, named] of bodies) {
			const answer = await world.call(path, { operator: true, body });
			expect([path, answer.status, answer.code]).toEqual([path, 400, "UNKNOWN_FIELD"]);
			expect(answer.json.message).toContain(`Unknown field ${named}. Use only`);
		}
		// callers who may not manage learn nothing of the fields
		for (const [path, body] of bodies)
			expect(await world.call(path, { body })).toMatchObject({ status: 401, code: "TENANT_MANAGEMENT_UNAUTHORIZED" });
		// the message stays short, whatever is sent
		const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`.repeat(200), 1]));
		const answer = await world.call("/tenant/create", { operator: true, body: { name: "x", slug: "new", ...many } });
		expect([answer.status, answer.text.length < 300]).toEqual([400, true]);
		expect(await world.database.query('select * from "tenant" order by "id"')).toEqual(before);
	});

	it("accepts the metadata that it returned, null included", async () => {
		const world = await createWorld();
		await world.newTenant();
		const create = (slug: string, metadata: unknown) =>
			world.call("/tenant/create", { operator: true, body: { name: "x", slug, metadata } });
		const bare = (await world.call("/tenant/create", { operator: true, body: { name: "x", slug: "bare" } })).json;
		expect(bare.metadata).toBeNull();
		expect((await create("copy", bare.metadata)).json.metadata).toBeNull();
		const full = (await create("full", { plan: "gold", seats: null })).json;
		const update = (metadata: unknown) =>
			world.call("/tenant/update", { operator: true, body: { tenantId: full.id, metadata } });
		expect((await update(full.metadata)).json.metadata).toEqual({ plan: "gold", seats: null });
		expect((await update(bare.metadata)).json.metadata).toBeNull();
		expect((await update(undefined)).json.metadata).toBeNull();
		for (const wrong of ["text", 7, true, [1]]) expect((await update(wrong)).status).toBe(400);
	});

	// threat 60
	it.each([
		["a megabyte", 413, `{"big":"${"x".repeat(1_000_000)}"}`],
		["10,000 levels", 400, `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
		["10,000 lists in one another", 400, `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
		["100,000 keys", 413, `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`],
	])("rejects metadata of %s before any query", async (_, status, metadata) => {
		const world = await createWorld();
		const body = `{"name":"x","slug":"meta","metadata":${metadata}}`;
		await world.call("/tenant/list", { operator: true });
		world.database.statements.length = 0;
		expect((await world.call("/tenant/create", { operator: true, body })).status).toBe(status);
		expect(world.database.statements).toEqual([]);
		expect((await world.call("/tenant/list", { operator: true })).json).toEqual([]);
	});

	// threat 61
	it("lists pages, with the next one in the Link header", async () => {
		const world = await createWorld();
		const ids = new Set<string>();
		for (let n = 0; n < 7; n += 1) ids.add(await world.newTenant());
		const seen: string[] = [];
		let next: string | undefined = "/tenant/list?limit=3";
		let pages = 0;
		while (next) {
			const page = await world.call(next, { operator: true });
			expect(Array.isArray(page.json)).toBe(true);
			seen.push(...page.json.map((tenant: { id: string }) => tenant.id));
			next = page.headers.get("link")?.match(/^<([^>]+)>; rel="next"$/)?.[1];
			pages += 1;
		}
		expect(pages).toBe(3);
		expect(seen.length).toBe(7);
		expect(new Set(seen)).toEqual(ids);
		expect(await world.call("/tenant/list?cursor=%00", { operator: true })).toMatchObject({
			status: 400,
			code: "INVALID_CURSOR",
		});
		expect((await world.call("/tenant/list?limit=1001", { operator: true })).status).toBe(400);
		expect((await world.call("/tenant/list?limit=0", { operator: true })).status).toBe(400);
	});

	// threat 38
	it("sets no-store on management responses", async () => {
		const world = await createWorld();
		expect((await world.call("/tenant/list", { operator: true })).headers.get("cache-control")).toBe("no-store");
	});
});

describe.each(["postgres", "mysql"] as const)("concurrent creations on %s", (database) => {
	// threat 48
	it("create one tenant from 100 requests with one slug", async () => {
		const world = await createWorld({ database });
		const answers = await Promise.all(
			Array.from({ length: 100 }, () =>
				world.call("/tenant/create", { operator: true, body: { name: "Acme", slug: "acme" } }),
			),
		);
		expect(answers.filter(({ status }) => status === 200).length).toBe(1);
		expect(answers.filter(({ status, code }) => status === 409 && code === "TENANT_SLUG_TAKEN").length).toBe(99);
		expect((await world.call("/tenant/list", { operator: true })).json.length).toBe(1);
	});
});
