import { createWorld, PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantActivity } from "../../src/index.ts";

it("counts the password hashes that run and the requests that wait for one", async () => {
	let finish = (): void => {};
	const held = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const hash = async () => {
		await held;
		return "hash";
	};
	const world = await createWorld({
		tenantAuth: { hashing: { concurrency: 1 } },
		engine: { emailAndPassword: { enabled: true, password: { hash } } },
	});
	const tenantId = await world.newTenant();
	// the engine hashes a password for unknown users too
	const signIns = ["a", "b", "c"].map((name) =>
		world.call("/tenant/sign-in/email", { body: { tenantId, email: `${name}@example.com`, password: PASSWORD } }),
	);
	await expect.poll(async () => (await tenantActivity(world.auth)).hashing).toEqual({ running: 1, waiting: 2 });
	finish();
	await Promise.all(signIns);
	expect((await tenantActivity(world.auth)).hashing).toEqual({ running: 0, waiting: 0 });
});

it("counts deletions that run, completed and failed", async () => {
	const world = await createWorld({ tenantAuth: { deletion: { drainTime: 0 } } });
	const [first, second] = [await world.newTenant(), await world.newTenant()];
	const counts = async () => (await tenantActivity(world.auth)).deletions;
	const deleting = world.auth.api.deleteTenant({ body: { tenantId: first } });
	await expect.poll(async () => (await counts()).running + (await counts()).completed).toBe(1);
	await deleting;
	expect(await counts()).toEqual({ running: 0, completed: 1, failed: 0 });
	await world.database.query(`alter table "verification" rename to "moved"`);
	await expect(world.auth.api.deleteTenant({ body: { tenantId: second } })).rejects.toThrow();
	expect(await counts()).toEqual({ running: 0, completed: 1, failed: 1 });
});
