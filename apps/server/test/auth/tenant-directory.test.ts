import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTenantDirectory, type FindTenant } from "../../src/tenants/tenant-directory.ts";

const ACME = { id: "1", slug: "acme", name: "Acme" };
const GLOBEX = { id: "2", slug: "globex", name: "Globex" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = (given: { maxAge?: number; maxSize?: number } = {}) => {
	const find = vi.fn<FindTenant>(
		async (named) =>
			[ACME, GLOBEX].find((tenant) => ("id" in named ? tenant.id === named.id : tenant.slug === named.slug)) ?? null,
	);
	const counters = { hit: vi.fn(), miss: vi.fn() };
	return { find, counters, directory: createTenantDirectory({ find, maxAge: 5, counters, ...given }) };
};

it("looks a tenant up once, by slug and by id, until it expires", async () => {
	const { directory, find, counters } = open();
	for (let count = 0; count < 3; count += 1) {
		expect(await directory.bySlug("acme")).toEqual(ACME);
		expect(await directory.byId("2")).toEqual(GLOBEX);
	}
	expect(find).toHaveBeenCalledTimes(2);
	expect([counters.hit, counters.miss].map((counter) => counter.mock.calls.length)).toEqual([4, 2]);
	vi.advanceTimersByTime(5_001);
	await directory.bySlug("acme");
	expect(find).toHaveBeenCalledTimes(3);
});

it("caches unknown slugs as long", async () => {
	const { directory, find } = open();
	expect([await directory.bySlug("nobody"), await directory.bySlug("nobody")]).toEqual([null, null]);
	expect(find).toHaveBeenCalledTimes(1);
});

it("does not confuse one tenant's id with another's slug", async () => {
	const { directory } = open();
	await directory.bySlug("acme");
	expect(await directory.byId("acme")).toBeNull();
});

it("caches a bounded number of tenants, including unknown ones", async () => {
	const { directory, find } = open({ maxSize: 10 });
	await directory.bySlug("acme");
	for (let count = 0; count < 10; count += 1) await directory.bySlug(`made-up-${count}`);
	await directory.bySlug("made-up-9");
	expect(find).toHaveBeenCalledTimes(11);
	await directory.bySlug("acme");
	expect(find).toHaveBeenCalledTimes(12);
});

it("shares one lookup between concurrent callers, and retries after a failure", async () => {
	const { directory, find } = open();
	find.mockRejectedValueOnce(new Error("gone"));
	const asked = await Promise.allSettled([
		directory.bySlug("acme"),
		directory.bySlug("acme"),
		directory.bySlug("acme"),
	]);
	expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
	expect(find).toHaveBeenCalledTimes(1);
	expect(await directory.bySlug("acme")).toEqual(ACME);
});

it("looks up outside of the request's context", async () => {
	const storage = new AsyncLocalStorage<string>();
	const seen: unknown[] = [];
	const find: FindTenant = async () => {
		seen.push(storage.getStore());
		return ACME;
	};
	const directory = createTenantDirectory({ find, maxAge: 5 });
	await storage.run("somebody's transaction", () => directory.bySlug("acme"));
	expect(seen).toEqual([undefined]);
});

it("caches nothing if maxAge is 0", async () => {
	const { directory, find } = open({ maxAge: 0 });
	await directory.bySlug("acme");
	await directory.bySlug("acme");
	expect(find).toHaveBeenCalledTimes(2);
});
