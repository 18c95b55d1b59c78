import { describe, expect, it } from "vitest";
import { createTenantHandler } from "../../src/index.ts";
import { createCountingPlugin } from "./support/counting-plugin.ts";
import { createServedPair, request } from "./support/served-pair.ts";

describe("the first requests", () => {
	it("build one router, however many come before the instance is ready", async () => {
		const { counted, plugin } = createCountingPlugin();
		const { auth } = await createServedPair({ plugins: [plugin] });
		let start = (_context: object): void => undefined;
		const ready = new Promise<object>((resolve) => {
			start = resolve;
		});
		const kept = createTenantHandler({ ...auth, $context: ready });
		const waiting = [1, 2, 3].map(() => kept(request("/ok")));
		const before = counted.builds;
		start(await auth.$context);
		await Promise.all(waiting);
		const forOne = counted.builds - before;
		const again = createTenantHandler({ ...auth });
		await again(request("/ok"));
		expect(counted.builds - before - forOne).toBe(forOne);
	});

	// threat 94
	it("build one router if the handler is created for each request", async () => {
		const { counted, plugin } = createCountingPlugin();
		const { auth } = await createServedPair({ plugins: [plugin] });
		await createTenantHandler(auth)(request("/ok"));
		const before = counted.builds;
		for (let n = 0; n < 5; n += 1) await createTenantHandler(auth)(request("/ok"));
		expect(counted.builds).toBe(before);
	});

	it("log once that the engine was not tested, if they come at once", async () => {
		const { world, auth } = await createServedPair();
		const context = { ...(await auth.$context), version: "1.7.999" };
		const kept = createTenantHandler({ ...auth, $context: Promise.resolve(context) });
		await Promise.all([1, 2, 3].map(() => kept(request("/ok"))));
		expect(world.logs.filter((line) => line.includes("better-auth 1.7.999"))).toHaveLength(1);
	});

	it("reject while the instance cannot start, and serve once it has", async () => {
		const { auth } = await createServedPair();
		let start = (): Promise<object> => Promise.reject(new Error("no database"));
		const restarting = {
			...auth,
			get $context() {
				return start();
			},
		};
		const kept = createTenantHandler(restarting);
		await expect(kept(request("/ok"))).rejects.toThrow("no database");
		start = () => auth.$context;
		expect((await kept(request("/ok"))).status).toBe(200);
	});
});
