import { untilClosed } from "test-kit/until-closed";
import { type CallOptions, createWorld } from "test-kit/world";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { rowsOf } from "./rows-of.ts";

/**
 * Holds a deletion in its drain time until the test ends it, so the test does not depend on speed. It recognizes the
 * timer by its length; the driver's own timers are shorter or longer.
 */
const holdGracePeriod = (seconds: number) => {
	let begin = () => {};
	const began = new Promise<void>((resolve) => {
		begin = resolve;
	});
	const original = globalThis.setTimeout;
	let end = () => {};
	const held = (callback: () => void, ms = 0, ...given: unknown[]) => {
		if (ms <= (seconds - 4) * 1000 || ms > seconds * 1000) return original(callback, ms, ...given);
		end = callback;
		begin();
		return original(() => {}, 0);
	};
	const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(held as never);
	onTestFinished(() => spy.mockRestore());
	return { began, end: () => end() };
};

describe("deleting a tenant", () => {
	// threat 44
	it("resumes after an interruption, and keeps the half-deleted tenant closed", async () => {
		const world = await createWorld({ tenantAuth: { tenantCache: { maxAge: 0 } } });
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${tenantId}'`);
		expect((await world.call("/tenant/get", { operator: true, query: { id: tenantId } })).status).toBe(404);
		expect((await world.call("/tenant/list", { operator: true })).json).toEqual([]);
		expect((await world.call("/get-session", { browser: browser.copy() })).json).toBeNull();
		expect(await rowsOf(world, tenantId)).toBeGreaterThan(0);
		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId } })).json).toEqual({
			success: true,
		});
		expect(await rowsOf(world, tenantId)).toBe(0);
	});

	// threat 44
	it("tells callers who may manage that it runs, and nobody else", async () => {
		const world = await createWorld({ tenantAuth: { tenantCache: { maxAge: 0 } } });
		const [tenantId, neighbor] = [await world.newTenant("acme"), await world.newTenant("globex")];
		const browser = await world.signUp(neighbor, "ada@example.com");
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${tenantId}'`);
		const calls = (id: string, slug: string, by: CallOptions) =>
			Promise.all([
				world.call("/tenant/get", { ...by, query: { id } }),
				world.call("/tenant/get", { ...by, query: { slug } }),
				world.call("/tenant/update", { ...by, body: { tenantId: id, name: "x" } }),
				world.call("/tenant/create", { ...by, body: { name: "x", slug: slug === "missing" ? "acme" : slug } }),
				world.call("/tenant/update", { ...by, body: { tenantId: neighbor, slug: "acme" } }),
			]);
		const shown = async (...call: Parameters<typeof calls>) =>
			(await calls(...call)).map(({ status, code }) => `${status} ${code}`);
		const [gone, inUse] = ["404 TENANT_BEING_DELETED", "409 TENANT_BEING_DELETED"];
		expect(await shown(tenantId, "acme", { operator: true })).toEqual([gone, gone, gone, inUse, inUse]);
		for (const by of [{ browser }, {}]) {
			const responses = await calls(tenantId, "acme", by);
			const missing = await calls("nobody", "missing", by);
			expect(responses.map(({ text }) => text)).toEqual(missing.map(({ text }) => text));
			for (const { status, text } of responses) {
				expect([401, 403]).toContain(status);
				expect(text).not.toContain("DELETED");
			}
		}
		// users see a missing tenant
		const signIn = { email: "ada@example.com", password: "correct horse battery" };
		const late = await world.call("/tenant/sign-in/email", { body: { ...signIn, tenantId } });
		const missing = await world.call("/tenant/sign-in/email", { body: { ...signIn, tenantId: "nobody" } });
		expect([late.status, late.text]).toEqual([missing.status, missing.text]);
	});

	// threat 44
	it("waits for a sign-up in progress and deletes what it wrote", async () => {
		let arrive = () => {};
		const arrived = new Promise<void>((resolve) => {
			arrive = resolve;
		});
		let release = () => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		const slow = async (password: string) => {
			arrive();
			await released;
			return password;
		};
		const world = await createWorld({
			database: "postgres",
			tenantAuth: { tenantCache: { maxAge: 0.5 }, deletion: { drainTime: 9 } },
			engine: { emailAndPassword: { enabled: true, password: { hash: slow, verify: async () => true } } },
		});
		const tenantId = await world.newTenant();
		const underWay = world.call("/sign-up/email", {
			tenant: tenantId,
			body: { name: "Ada", email: "late@example.com", password: "correct horse battery" },
		});
		await arrived;
		onTestFinished(() => release());
		const grace = holdGracePeriod(9);
		const deleted = world.call("/tenant/delete", { operator: true, body: { tenantId } });
		expect(await Promise.race([grace.began.then(() => "waits"), deleted.then(() => "deleted")])).toBe("waits");
		release();
		// it started before the tenant closed, and completes before it is deleted
		expect((await underWay).status).toBe(200);
		expect(await rowsOf(world, tenantId)).toBeGreaterThan(0);
		grace.end();
		expect((await deleted).status).toBe(200);
		expect(await rowsOf(world, tenantId)).toBe(0);
	});

	// threat 44
	it("closes the tenant first: while it waits for requests in progress, new ones are rejected", async () => {
		const world = await createWorld({
			database: "postgres",
			tenantAuth: { tenantCache: { maxAge: 0.1 }, deletion: { drainTime: 3 } },
		});
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		const deleted = world.call("/tenant/delete", { operator: true, body: { tenantId } });
		await untilClosed(world, tenantId);
		// until the cache expires
		await new Promise((resolve) => setTimeout(resolve, 150));
		const late = { name: "Ada", email: "late@example.com", password: "correct horse battery" };
		expect((await world.call("/sign-up/email", { tenant: tenantId, body: late })).code).toBe("TENANT_NOT_FOUND");
		expect((await world.call("/get-session", { browser })).json).toBeNull();
		expect((await deleted).status).toBe(200);
		expect(await rowsOf(world, tenantId)).toBe(0);
	});
});
