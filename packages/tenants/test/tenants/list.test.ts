import { memoryAdapter } from "better-auth/adapters/memory";
import { passTime } from "test-kit/pass-time";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { listTenantPage, nextCursor, tenantAuth } from "../../src/index.ts";
import { readTenantPages } from "../../src/scope/tenants/tenant-pages.ts";

/** Reads all pages, and checks that none is longer than the limit. */
const listAll = async (world: World, limit: number): Promise<string[][]> => {
	const pages: string[][] = [];
	let next: string | undefined = `/tenant/list?limit=${limit}`;
	while (next) {
		const page = await world.call(next, { operator: true });
		expect(page.status, page.text).toBe(200);
		pages.push(page.json.map((tenant: { id: string }) => tenant.id));
		next = page.headers.get("link")?.match(/^<([^>]+)>; rel="next"$/)?.[1];
	}
	for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
	return pages;
};

describe.each([
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const)("listing tenants on %s", (_name, options) => {
	/** The text that this database stores for a time. */
	const stored = (time: string): string =>
		options.database === "mysql" ? time.replace("T", " ").replace("Z", "") : time;

	const createAt = async (world: World, times: string[]): Promise<string[]> => {
		const ids: string[] = [];
		for (const time of times) {
			const id = await world.newTenant();
			await world.database.query(`update "tenant" set "createdAt" = '${stored(time)}' where "id" = '${id}'`);
			ids.push(id);
		}
		return ids;
	};

	it("starts with the newest", async () => {
		const world = await createWorld(options);
		const ids = await createAt(world, [
			"2026-01-02T00:00:00.001Z",
			"2026-01-02T00:00:00.000Z",
			"2026-01-03T00:00:00.000Z",
			"2026-01-01T23:59:59.999Z",
			"2026-01-02T00:00:00.999Z",
		]);
		const newestFirst = [ids[2], ids[4], ids[0], ids[1], ids[3]];
		for (const limit of [1, 2, 3, 5, 9]) expect((await listAll(world, limit)).flat()).toEqual(newestFirst);
		expect((await listAll(world, 5)).length).toBe(1);
		const created = await world.newTenant();
		expect((await listAll(world, 2))[0]?.[0]).toBe(created);
	});

	// threat 61
	it("neither skips nor repeats tenants of the same time, whatever the size of a page", async () => {
		const world = await createWorld(options);
		const [same, other] = ["2026-01-02T00:00:00.123Z", "2026-01-01T00:00:00.000Z"];
		const ids = await createAt(world, [
			"2026-02-01T00:00:00.000Z",
			...Array<string>(5).fill(same),
			"2026-01-01T12:00:00.000Z",
			...Array<string>(4).fill(other),
		]);
		for (let limit = 1; limit <= 12; limit += 1) {
			const pages = await listAll(world, limit);
			expect([limit, pages.flat().toSorted()]).toEqual([limit, ids.toSorted()]);
			expect([limit, pages.length]).toEqual([limit, Math.ceil(11 / limit)]);
			expect(pages.flat()[0]).toBe(ids[0]);
			expect(pages.flat()[6]).toBe(ids[6]);
		}
	});

	it("keeps its place while tenants are created and deleted", async () => {
		const world = await createWorld(options);
		const ids = await createAt(world, Array<string>(6).fill("2026-01-02T00:00:00.123Z"));
		const first = await listTenantPage(world.auth, { limit: 2 });
		const shown = first.tenants.map(({ id }) => id);
		await world.newTenant();
		await world.call("/tenant/delete", { operator: true, body: { tenantId: shown[1] } });
		const rest = await listTenantPage(world.auth, { limit: 10, cursor: first.nextCursor ?? "" });
		expect([...shown, ...rest.tenants.map(({ id }) => id)].toSorted()).toEqual(ids.toSorted());
		expect(rest.nextCursor).toBeNull();
	});

	it("rejects a cursor that it did not issue", async () => {
		const world = await createWorld(options);
		await world.newTenant();
		const id = await world.newTenant();
		const forged = [id, `.${id}`, `1e9.${id}`, `-1.${id}`, `999999999999999.${id}`, "1.", "1.a b", `1${id}`, "%00"];
		for (const text of forged) {
			const answer = await world.call("/tenant/list", { operator: true, query: { cursor: btoa(text) } });
			expect([text, answer.status, answer.code]).toEqual([text, 400, "INVALID_CURSOR"]);
		}
		// dates that the column cannot store are no failure
		for (const time of [0, Date.UTC(2040), Date.UTC(9999, 11, 31, 23, 59, 59, 999)])
			for (const mark of [".", "+"]) {
				const query = { cursor: btoa(`${time}${mark}${id}`) };
				expect((await world.call("/tenant/list", { operator: true, query })).status).toBe(200);
			}
	});
});

// threat 61
it("neither skips nor repeats tenants that were inserted with microseconds", async () => {
	const world = await createWorld({ database: "postgres" });
	const times = ["00.123", "00.123001", "00.123999", "00.123001", "00.123", "00.123456", "00.122999", "00.124"];
	const ids: string[] = [];
	for (const time of times) {
		const id = await world.newTenant();
		await world.database.query(`update "tenant" set "createdAt" = '2026-01-01T00:00:${time}Z' where "id" = '${id}'`);
		ids.push(id);
	}
	for (let limit = 1; limit <= 9; limit += 1) {
		const listed = (await listAll(world, limit)).flat();
		expect([limit, listed.toSorted()]).toEqual([limit, ids.toSorted()]);
		expect([listed[0], listed.at(-1)]).toEqual([ids[7], ids[6]]);
	}
});

describe("the next cursor", () => {
	it("is returned by listTenantPage, and is in the headers of auth.api", async () => {
		const world = await createWorld();
		const ids: string[] = [];
		for (let n = 0; n < 3; n += 1) {
			passTime(1);
			ids.unshift(await world.newTenant());
		}
		const seen: string[] = [];
		let cursor: string | undefined;
		for (let page = 0; page < 2; page += 1) {
			const { tenants, nextCursor: next } = await listTenantPage(world.auth, {
				limit: 2,
				...(cursor ? { cursor } : {}),
			});
			seen.push(...tenants.map(({ id }) => id));
			cursor = next ?? undefined;
		}
		expect(cursor).toBeUndefined();
		expect(seen).toEqual(ids);
		const { response, headers } = await world.auth.api.listTenants({ query: { limit: 2 }, returnHeaders: true });
		expect(response.length).toBe(2);
		const query = { limit: 2, cursor: nextCursor(headers ?? new Headers()) ?? "" };
		expect((await world.auth.api.listTenants({ query })).map(({ id }) => id)).toEqual([ids[2]]);
	});

	it("is null without a next page", () => {
		expect(nextCursor(new Headers())).toBeNull();
		expect(nextCursor(new Headers({ link: `<${ORIGIN}/x?cursor=1>; rel="prev"` }))).toBeNull();
		expect(nextCursor(new Headers({ link: '<not a url>; rel="next"' }))).toBeNull();
		expect(nextCursor(new Headers({ link: `<${ORIGIN}/x?limit=2&cursor=YWI%3D>; rel="next"` }))).toBe("YWI=");
	});
});

describe("a page of tenants of the same time", () => {
	it("is not the last one because a tenant is deleted while it is read", async () => {
		const [at, before] = [new Date("2026-01-02T00:00:00.123Z"), new Date("2026-01-01T00:00:00.000Z")];
		const newTenant = (id: string, createdAt: Date) => ({ id, name: id, slug: id, status: "active", createdAt });
		const tables = { tenant: [newTenant("a", before), newTenant("b", at), newTenant("c", at)] };
		const adapter = memoryAdapter(tables)({ plugins: [tenantAuth()] });
		let reads = 0;
		const findMany: typeof adapter.findMany = async (query) => {
			reads += 1;
			// the first read finds both tenants of that time, the next ones read them again in their own order
			if (reads === 2) tables.tenant = tables.tenant.filter(({ id }) => id !== "b");
			return adapter.findMany(query);
		};
		const page = await readTenantPages({ ...adapter, findMany }, undefined)(1, null);
		expect(page.rows.map(({ id }) => id)).toEqual(["c"]);
		expect(page.end?.id).toBe("c");
	});
});
