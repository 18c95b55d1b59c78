import { expect, it } from "vitest";
import { defaultConcurrency } from "../../src/lib/default-concurrency.ts";

it("leaves one thread free for session checks, with any number of cores", () => {
	const on = (hardwareConcurrency?: number, UV_THREADPOOL_SIZE?: string) =>
		defaultConcurrency({
			...(hardwareConcurrency === undefined ? {} : { navigator: { hardwareConcurrency } }),
			process: { env: { UV_THREADPOOL_SIZE } },
		});
	expect([on(1), on(2), on(3), on(4), on(64)]).toEqual([1, 2, 3, 3, 3]);
	expect([on(2, "16"), on(8, "16"), on(64, "16")]).toEqual([2, 8, 15]);
	expect([on(8, "1"), on(8, "2"), on(8, "nonsense")]).toEqual([1, 1, 3]);
	expect([on(), defaultConcurrency({})]).toEqual([3, 3]);
});
