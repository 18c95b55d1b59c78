import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReadiness } from "../../src/serve/readiness.ts";
import { keepLog } from "../support/log.ts";
import { createWorld } from "../support/world.ts";

describe("readiness", () => {
	afterEach(() => void vi.useRealTimers());

	it("checks at most once per second", async () => {
		vi.useFakeTimers();
		let asked = 0;
		const check = async () => {
			asked += 1;
		};
		const { readiness } = createReadiness({ required: { database: check } }, keepLog().logger);
		const answers = await Promise.all(Array.from({ length: 1000 }, () => readiness()));
		expect(answers.every(({ ready }) => ready)).toBe(true);
		for (let again = 0; again < 100; again += 1) await readiness();
		expect(asked).toBe(1);
		await vi.advanceTimersByTimeAsync(1100);
		await readiness();
		expect(asked).toBe(2);
	});

	it("fails after a second without a response, and does not pile up checks", async () => {
		vi.useFakeTimers();
		let asked = 0;
		const hangs = () => {
			asked += 1;
			return new Promise(() => {});
		};
		const { readiness } = createReadiness(
			{ required: { database: hangs, redis: async () => "PONG" } },
			keepLog().logger,
		);
		let isAnswered = false;
		const answer = readiness().finally(() => {
			isAnswered = true;
		});
		await vi.advanceTimersByTimeAsync(999);
		expect(isAnswered).toBe(false);
		await vi.advanceTimersByTimeAsync(1);
		expect(await answer).toEqual({ ready: false, checks: { database: "failed", redis: "ok" } });
		await vi.advanceTimersByTimeAsync(100);
		const again = readiness();
		await vi.advanceTimersByTimeAsync(1_000);
		await again;
		expect(asked).toBe(1);
	});

	it("recovers, and logs both once", async () => {
		vi.useFakeTimers();
		let fails = true;
		const check = async () => {
			if (fails) throw new Error("down");
		};
		const log = keepLog();
		const { readiness, close } = createReadiness({ required: { database: check } }, log.logger);
		expect((await readiness()).ready).toBe(false);
		await vi.advanceTimersByTimeAsync(1050);
		expect((await readiness()).ready).toBe(false);
		fails = false;
		await vi.advanceTimersByTimeAsync(1050);
		expect((await readiness()).ready).toBe(true);
		expect(log.lines().map(({ msg }) => msg)).toEqual(["not ready", "ready again"]);
		close();
		expect(await readiness()).toEqual({ ready: false, checks: { shutdown: "closing" } });
	});

	it("stays ready without what is optional, and reports it", async () => {
		const log = keepLog();
		const optional = { redis: () => Promise.reject(new Error("down")) };
		const { readiness } = createReadiness({ required: { database: async () => "1" }, optional }, log.logger);
		expect(await readiness()).toEqual({ ready: true, checks: { database: "ok", redis: "failed" } });
		expect(log.lines()).toEqual([]);
	});

	it("stays ready while one tenant exhausts the pool", async () => {
		const world = await createWorld({ environment: { DATABASE_POOL_SIZE: "1" } });
		try {
			const service = await world.start();
			const acme = await service.createTenant("acme");
			const locker = new pg.Client({ connectionString: world.database.url });
			await locker.connect();
			await locker.query('begin; lock table "user" in access exclusive mode');
			const signUp = service.signUp(acme, "ada@example.com");
			await sleep(500);
			const answer = await service.call("/readyz");
			expect([answer.status, await answer.json()]).toEqual([200, { status: "ok", checks: { database: "ok" } }]);
			await locker.end();
			expect((await signUp).status).toBe(200);
		} finally {
			await world.close();
		}
	});

	it("checks PostgreSQL and Redis", async () => {
		const world = await createWorld({
			environment: { REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: `server-test-${process.pid}:` },
		});
		try {
			const service = await world.start();
			const answer = await service.call("/readyz");
			expect([answer.status, await answer.json()]).toEqual([
				200,
				{ status: "ok", checks: { database: "ok", redis: "ok" } },
			]);
			await world.database.drop();
			await sleep(1050);
			const after = await service.call("/readyz");
			expect([after.status, await after.json()]).toEqual([
				503,
				{ status: "unavailable", checks: { database: "failed", redis: "ok" } },
			]);
			expect((await service.call("/livez")).status).toBe(200);
		} finally {
			await world.close();
		}
	});
});
