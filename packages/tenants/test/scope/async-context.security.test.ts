import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { createAuthEndpoint } from "@better-auth/core/api";
import { queueAfterTransactionHook, runWithTransaction } from "@better-auth/core/context";
import { createWorld, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { currentTenantId, runWithTenant } from "../../src/index.ts";

const two = async (world: World) => [await world.newTenant(), await world.newTenant()] as const;
const emails = async (world: World, tenantId: string): Promise<string[]> => {
	const { internalAdapter } = await world.auth.$context;
	return (await runWithTenant(tenantId, () => internalAdapter.listUsers(100))).map(({ email }) => email).sort();
};

/** A worker for the whole process. The first request starts it, and its context stays that request's. */
const createQueue = () => {
	const events = new EventEmitter();
	const jobs: (() => void)[] = [];
	let running = false;
	const work = async () => {
		for (;;) {
			const job = jobs.shift();
			if (job) job();
			else await new Promise((resolve) => events.once("job", resolve));
		}
	};
	return <Result>(run: () => Promise<Result>): Promise<Result> =>
		new Promise((resolve, reject) => {
			jobs.push(() => void run().then(resolve, reject));
			if (!running) {
				running = true;
				void work();
			}
			events.emit("job");
		});
};

describe("work in the async context of another tenant's request", () => {
	// threat 53
	it("is rejected if it names its own tenant, and never runs in the other", async () => {
		const own: { world?: World; queue: ReturnType<typeof createQueue> } = { queue: createQueue() };
		const enqueue = createAuthEndpoint("/enqueue", { method: "POST" }, async (ctx) => {
			const tenant = String(ctx.headers?.get("x-tenant-id"));
			const body = { name: "x", email: `${tenant.slice(0, 8)}@example.com`.toLowerCase(), password: PASSWORD };
			const headers = new Headers({ "x-tenant-id": tenant });
			const request = () =>
				new Request(`${ORIGIN}/api/auth/sign-up/email`, {
					method: "POST",
					headers: { "x-tenant-id": tenant, "content-type": "application/json", origin: ORIGIN },
					body: JSON.stringify({ ...body, email: `r-${body.email}` }),
				});
			const outcomes = await Promise.all([
				own
					.queue(async () => own.world?.auth.api.signUpEmail({ body, headers }))
					.then(
						() => "made",
						(error) => error.body?.code,
					),
				own.queue(async () => own.world?.auth.handler(request())).then((response) => response?.status),
				own.queue(() => runWithTenant(tenant, async () => currentTenantId())),
			]);
			return { outcomes, named: outcomes[2] === tenant };
		});
		const world = await createWorld({ plugins: [{ id: "queue", endpoints: { enqueue } }] });
		own.world = world;
		const [a, b] = await two(world);
		expect((await world.call("/enqueue", { tenant: a, body: {} })).json.outcomes).toEqual(["made", 200, a]);
		expect((await world.call("/enqueue", { tenant: b, body: {} })).json.outcomes).toEqual([
			"TENANT_SCOPE_CONFLICT",
			409,
			b,
		]);
		expect(await emails(world, a)).toHaveLength(2);
		expect(await emails(world, b)).toEqual([]);
	});

	// threat 53
	it("runs in its own tenant after awaiting a promise of the other", async () => {
		const shared = new Map<string, Promise<unknown>>();
		const gate = new AsyncLocalStorage<string>();
		const own: { world?: World } = {};
		const coalesce = createAuthEndpoint("/coalesce", { method: "GET" }, async (ctx) => {
			const before = currentTenantId();
			// like a DataLoader: the second caller awaits the first one's promise
			const load = () => new Promise((resolve) => setTimeout(resolve, 50));
			const waiting = shared.get("key") ?? load();
			shared.set("key", waiting);
			await gate.run("x", () => Promise.race([waiting, Promise.any([waiting])]));
			const seen = await ctx.context.internalAdapter.listUsers(10);
			return { before, after: currentTenantId(), emails: seen.map(({ email }) => email) };
		});
		const world = await createWorld({ database: "postgres", plugins: [{ id: "loader", endpoints: { coalesce } }] });
		own.world = world;
		const [a, b] = await two(world);
		await world.signUp(a, "a@example.com");
		await world.signUp(b, "b@example.com");
		const answers = await Promise.all(
			Array.from({ length: 40 }, (_, n) => world.call("/coalesce", { tenant: n % 2 ? b : a })),
		);
		for (const [n, { json }] of answers.entries()) {
			const [tenant, email] = n % 2 ? [b, "b@example.com"] : [a, "a@example.com"];
			expect(json).toEqual({ before: tenant, after: tenant, emails: [email] });
		}
	});
});

describe("one request in two tenants at once", () => {
	// threat 53
	it("reads, writes and defers until commit in each tenant separately", async () => {
		const own: { world?: World; ids?: readonly [string, string] } = {};
		const late: (string | null)[] = [];
		const both = createAuthEndpoint("/both", { method: "GET" }, async (ctx) => {
			const { adapter, internalAdapter } = ctx.context;
			const before = currentTenantId();
			await runWithTransaction(adapter, async () => {
				for (const [index, tenantId] of (own.ids ?? []).entries()) {
					await runWithTenant(tenantId, async () => {
						await internalAdapter.createUser({ name: "x", email: `t${index}@example.com` }, { method: "admin" });
						await queueAfterTransactionHook(async () => void late.push(currentTenantId()));
						// back to the outer tenant, then into another one
						await runWithTenant("platform", () =>
							queueAfterTransactionHook(async () => void late.push(currentTenantId())),
						);
					});
				}
				await queueAfterTransactionHook(async () => void late.push(currentTenantId()));
			});
			const concurrent = await Promise.all(
				(own.ids ?? []).flatMap((tenantId) =>
					Array.from({ length: 10 }, () =>
						runWithTenant(tenantId, async () => {
							await new Promise((resolve) => setImmediate(resolve));
							await new Promise<void>((resolve) => process.nextTick(resolve));
							const users = await internalAdapter.listUsers(10);
							return users.every((user) => (user as { tenantId?: string }).tenantId === tenantId) && users.length === 1;
						}),
					),
				),
			);
			return { before, after: currentTenantId(), isolated: concurrent.every(Boolean) };
		});
		const world = await createWorld({ database: "postgres", plugins: [{ id: "both", endpoints: { both } }] });
		own.world = world;
		const [a, b] = await two(world);
		own.ids = [a, b];
		const outer = await world.newTenant();
		expect((await world.call("/both", { tenant: outer })).json).toEqual({
			before: outer,
			after: outer,
			isolated: true,
		});
		expect(late).toEqual([a, "platform", b, "platform", outer]);
		expect([await emails(world, a), await emails(world, b)]).toEqual([["t0@example.com"], ["t1@example.com"]]);
	});

	it("keeps nothing of either tenant after a rollback", async () => {
		const world = await createWorld({ database: "postgres" });
		const [a, b] = await two(world);
		const { adapter, internalAdapter } = await world.auth.$context;
		const failing = runWithTransaction(adapter, async () => {
			for (const tenantId of [a, b])
				await runWithTenant(tenantId, () =>
					internalAdapter.createUser({ name: "x", email: "x@example.com" }, { method: "admin" }),
				);
			throw new Error("rolled back");
		});
		await expect(failing).rejects.toThrow("rolled back");
		expect([await emails(world, a), await emails(world, b)]).toEqual([[], []]);
	});
});
