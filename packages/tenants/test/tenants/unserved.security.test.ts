import { runWithTransaction } from "@better-auth/core/context";
import { betterAuth } from "better-auth";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runWithTenant, tenantAuth as tenantPlugin } from "../../src/index.ts";
import { rowsOf } from "./rows-of.ts";

const GRACE = 9;

/** Skips every drain time, and counts them. It recognizes the timer by its length. */
const countGracePeriods = () => {
	let count = 0;
	const original = globalThis.setTimeout;
	const skipped = (callback: () => void, ms = 0, ...given: unknown[]) => {
		const isGrace = ms > (GRACE - 4) * 1000 && ms <= GRACE * 1000;
		if (isGrace) count += 1;
		return original(callback, isGrace ? 0 : ms, ...given);
	};
	const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(skipped as never);
	onTestFinished(() => spy.mockRestore());
	return () => count;
};

const tenantAuth = {
	management: { keys: [MANAGEMENT_KEY] },
	tenantCache: { maxAge: 2 },
	deletion: { drainTime: GRACE },
};
const remove = async (world: World, tenantId: string): Promise<void> => {
	const removed = await world.call("/tenant/delete", { operator: true, body: { tenantId } });
	expect(removed.json).toEqual({ success: true });
	expect(await rowsOf(world, tenantId)).toBe(0);
};
const markOf = async (world: World, tenantId: string): Promise<unknown> =>
	(await world.database.query(`select "unserved" from "tenant" where "id" = '${tenantId}'`))[0]?.unserved;

/** A second process, which is held after it first reads a tenant. */
const startSlowly = async ({ options }: World) => {
	let arrive = () => {};
	const arrived = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	onTestFinished(() => release());
	const plugin = tenantPlugin(tenantAuth);
	const slow: typeof plugin = {
		...plugin,
		init: (context) => {
			// the engine replaces the adapter of the context later
			const { adapter } = context;
			const findOne: typeof adapter.findOne = async (query) => {
				const row = await adapter.findOne(query);
				if (query.model !== "tenant") return row as never;
				arrive();
				await released;
				return row as never;
			};
			return plugin.init({ ...context, adapter: { ...adapter, findOne } });
		},
	};
	const second = betterAuth({ ...options, plugins: [slow] });
	await second.$context;
	const signUp = (tenantId: string, body: object) =>
		second.handler(
			new Request(`${ORIGIN}/api/auth/sign-up/email`, {
				method: "POST",
				headers: { origin: ORIGIN, "content-type": "application/json", "x-tenant-id": tenantId },
				body: JSON.stringify(body),
			}),
		);
	return { arrived, release: () => release(), signUp };
};

const databases: [string, WorldOptions][] = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
];

describe.each(databases)("deleting a tenant on %s", (_name, options) => {
	// threat 44
	it("waits if this process has served the tenant, and not if no process has", async () => {
		const world = await createWorld({ ...options, tenantAuth });
		const [unused, used, stays] = [await world.newTenant(), await world.newTenant(), await world.newTenant()];
		await world.signUp(used, "ada@example.com");
		const browser = await world.signUp(stays, "ada@example.com");
		const waited = countGracePeriods();
		// management does not serve the tenant
		await world.call("/tenant/get", { operator: true, query: { id: unused } });
		await world.call("/tenant/update", { operator: true, body: { tenantId: unused, name: "Renamed" } });
		await world.call("/tenant/list", { operator: true });
		await remove(world, unused);
		expect(waited()).toBe(0);
		await remove(world, used);
		expect(waited()).toBe(1);
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(stays);
	});
});

describe("deleting a tenant", () => {
	// threat 44
	it("waits if another process has served the tenant", async () => {
		const world = await createWorld({ database: "postgres", tenantAuth });
		const [tenant, neighbor] = [await world.newTenant(), await world.newTenant()];
		const second = betterAuth(world.options);
		const headers = { origin: ORIGIN, "x-tenant-id": tenant };
		const seen = await second.handler(new Request(`${ORIGIN}/api/auth/get-session`, { headers }));
		expect(await seen.json()).toBeNull();
		const waited = countGracePeriods();
		await remove(world, tenant);
		expect(waited()).toBe(1);
		await remove(world, neighbor);
		expect(waited()).toBe(1);
	});

	// threat 44
	it("waits if it is not known whether the tenant was served", async () => {
		const world = await createWorld({
			tenantAuth: { ...tenantAuth, management: { ...tenantAuth.management, transfer: true } },
		});
		const neighbor = await world.newTenant();
		const imported = { id: "from-elsewhere", name: "x", slug: "from-elsewhere" };
		expect((await world.call("/tenant/import", { operator: true, body: imported })).status).toBe(200);
		const waited = countGracePeriods();
		await remove(world, imported.id);
		expect(waited()).toBe(1);
		await remove(world, neighbor);
		expect(waited()).toBe(1);
	});

	// threat 44
	it("waits after an import of users", async () => {
		const world = await createWorld({
			tenantAuth: { ...tenantAuth, management: { ...tenantAuth.management, transfer: true } },
		});
		const [tenantId, neighbor] = [await world.newTenant(), await world.newTenant()];
		const users = [{ name: "Ada", email: "ada@example.com" }];
		expect((await world.call("/tenant/import-users", { operator: true, body: { tenantId, users } })).status).toBe(200);
		const waited = countGracePeriods();
		await remove(world, tenantId);
		expect(waited()).toBe(1);
		await remove(world, neighbor);
		expect(waited()).toBe(1);
	});

	// threat 44
	it.each(["sqlite", "postgres", "mysql"] as const)(
		"rejects a request that found the tenant open before it was closed, on %s",
		async (database) => {
			const world = await createWorld({ database, tenantAuth });
			const [tenantId, neighbor] = [await world.newTenant(), await world.newTenant()];
			const slow = await startSlowly(world);
			const body = { name: "Ada", email: "ada@example.com", password: PASSWORD };
			const late = slow.signUp(tenantId, body);
			await slow.arrived;
			const waited = countGracePeriods();
			await remove(world, tenantId);
			expect(waited()).toBe(0);
			slow.release();
			expect([(await late).status, await rowsOf(world, tenantId)]).toEqual([404, 0]);
			expect((await slow.signUp(neighbor, body)).status).toBe(200);
		},
	);

	// threat 44
	it("marks the tenant again after a transaction that is rolled back", async () => {
		const world = await createWorld({ database: "postgres", tenantAuth });
		const [tenantId, neighbor] = [await world.newTenant(), await world.newTenant()];
		const { adapter } = await world.auth.$context;
		const body = { name: "Ada", email: "ada@example.com", password: PASSWORD };
		const rolledBack = runWithTransaction(adapter, async () => {
			await runWithTenant(tenantId, () => world.auth.api.signUpEmail({ body }));
			throw new Error("rolled back");
		});
		await expect(rolledBack).rejects.toThrow("rolled back");
		expect(await markOf(world, tenantId)).toBe(true);
		// within tenantCache.maxAge
		expect((await world.call("/get-session", { tenant: tenantId })).json).toBeNull();
		expect([await markOf(world, tenantId), await markOf(world, neighbor)]).toEqual([false, true]);
	});
});
