import { createWorld, MANAGEMENT_KEY, type World } from "test-kit/world";
import { expect, it } from "vitest";
import type { AuditEntry } from "../../src/index.ts";

it("audits what background work manages after the sink started it", async () => {
	const entries: AuditEntry[] = [];
	let world: World | undefined;
	const jobs: (() => Promise<unknown>)[] = [];
	let done: Promise<unknown> | undefined;
	// a worker that the first entry starts
	const startWorker = () => {
		done ??= new Promise((resolve) => {
			const timer = setInterval(async () => {
				const job = jobs.shift();
				if (!job) return;
				clearInterval(timer);
				resolve(await job());
			}, 20);
		});
	};
	world = await createWorld({
		tenantAuth: {
			management: {
				keys: [MANAGEMENT_KEY],
				audit: (entry) => {
					entries.push(entry);
					startWorker();
				},
			},
		},
	});
	const tenant = await world.newTenant("acme");
	entries.length = 0;
	// long after the sink returned, the worker deletes a tenant
	jobs.push(() => world.auth.api.deleteTenant({ body: { tenantId: tenant } } as never));
	await done;
	expect(await world.database.query(`select "id" from "tenant" where "id" = '${tenant}'`)).toEqual([]);
	expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([["tenant:delete", "allowed"]]);
});

it("audits an attempt for which authorize threw", async () => {
	const entries: AuditEntry[] = [];
	const world = await createWorld({
		tenantAuth: {
			management: {
				keys: [MANAGEMENT_KEY],
				audit: (entry) => void entries.push(entry),
				authorize: () => {
					throw new Error("the directory is down");
				},
			},
		},
	});
	await world.call("/tenant/create", { body: { name: "Acme", slug: "acme" } });
	expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([["tenant:create", "refused"]]);
});
