import { setTimeout as wait } from "node:timers/promises";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";

/** A slow hash that can be held. Counts how many run at once. */
const slowHash = (milliseconds: number) => {
	const seen = { now: 0, most: 0, held: Promise.resolve() };
	const compute = async <Result>(result: Result): Promise<Result> => {
		seen.most = Math.max(seen.most, ++seen.now);
		await wait(milliseconds);
		await seen.held;
		seen.now--;
		return result;
	};
	return {
		seen,
		password: {
			hash: (password: string) => compute(`${password}!`),
			verify: ({ hash, password }: { hash: string; password: string }) => compute(hash === `${password}!`),
		},
	};
};

const createSlowWorld = async (milliseconds: number, hashing: object, database: "sqlite" | "postgres" = "sqlite") => {
	const { seen, password } = slowHash(milliseconds);
	const world = await createWorld({
		database,
		tenantAuth: { management: { keys: ["test-management-key-0123456789abcdef"] }, hashing },
		engine: { emailAndPassword: { enabled: true, password } },
	});
	const signIn = (tenant: string | undefined, email: string) =>
		world.call("/sign-in/email", { tenant, body: { email, password: PASSWORD } });
	/** Holds every hash until the returned function is called. */
	const hold = (): (() => void) => {
		let release = (): void => {};
		seen.held = new Promise((resolve) => {
			release = resolve;
		});
		return release;
	};
	return { ...world, seen, signIn, hold };
};

const readsAccount = (statement: string): boolean => statement.includes('from "account"');

describe("hashing", () => {
	// threat 64
	it("never computes more hashes at once than configured, and sheds the rest with 503", async () => {
		const world = await createSlowWorld(20, { concurrency: 2, maxQueuePerTenant: 10, maxWait: 60 });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const answers = await Promise.all(Array.from({ length: 100 }, () => world.signIn(tenant, "ada@example.com")));
		expect(world.seen.most).toBe(2);
		const statuses = new Set(answers.map(({ status }) => status));
		expect(statuses).toEqual(new Set([200, 503]));
		for (const { status, code, headers } of answers) {
			if (status !== 503) continue;
			expect(code).toBe("HASHING_BUSY");
			expect(headers.get("retry-after")).toBe("1");
		}
		expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
	});

	// threat 63
	it("lets another tenant sign in within two hashes while one tenant sends 100", async () => {
		const world = await createSlowWorld(0, { concurrency: 1, maxQueuePerTenant: 100, maxWait: 60 });
		const loud = await world.newTenant();
		const quiet = await world.newTenant();
		for (const tenant of [loud, quiet]) await world.signUp(tenant, "ada@example.com");
		const release = world.hold();
		world.database.statements.length = 0;
		const untilWaiting = (count: number) =>
			vi.waitFor(() => expect(world.database.statements.filter(readsAccount)).toHaveLength(count), 60_000);
		let answered = 0;
		const crowd = Promise.all(
			Array.from({ length: 100 }, () => world.signIn(loud, "ada@example.com").then(() => answered++)),
		);
		await untilWaiting(100);
		const neighbor = world.signIn(quiet, "ada@example.com");
		await untilWaiting(101);
		release();
		expect((await neighbor).status).toBe(200);
		// one hash was running, and one more of the crowd's may have run before
		expect(answered).toBeLessThan(10);
		await crowd;
		expect(answered).toBe(100);
	});

	it("responds alike to known and unknown emails when it is busy", async () => {
		const world = await createSlowWorld(0, { concurrency: 1, maxQueuePerTenant: 1, maxWait: 60 });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const release = world.hold();
		world.database.statements.length = 0;
		const crowd = Promise.all([world.signIn(tenant, "ada@example.com"), world.signIn(tenant, "ada@example.com")]);
		await vi.waitFor(() => expect(world.database.statements.filter(readsAccount)).toHaveLength(2), 60_000);
		const [known, unknown] = await Promise.all([
			world.signIn(tenant, "ada@example.com"),
			world.signIn(tenant, "nobody@example.com"),
		]);
		expect(known.status).toBe(503);
		expect(unknown.status).toBe(503);
		expect(known.text).toBe(unknown.text);
		release();
		await crowd;
	});

	it("sheds a tenant's requests beyond its queue before any query, and no other tenant's", async () => {
		const world = await createSlowWorld(0, { concurrency: 1, maxQueuePerTenant: 2, maxWait: 60 });
		const [loud, quiet] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [loud, quiet]) await world.signUp(tenant, "ada@example.com");
		const release = world.hold();
		world.database.statements.length = 0;
		const crowd = Promise.all(Array.from({ length: 3 }, () => world.signIn(loud, "ada@example.com")));
		// the last thing a sign-in reads before its hash
		await vi.waitFor(() => expect(world.database.statements.filter(readsAccount)).toHaveLength(3), 60_000);
		world.database.statements.length = 0;
		const body = { email: "ada@example.com", password: PASSWORD };
		for (const path of ["/sign-in/email", "/tenant/sign-in/email"]) {
			// a header is checked before the body is read; another check covers a tenant in the body
			for (const named of [{ tenant: loud, body }, { body: { ...body, tenantId: loud } }]) {
				const shed = await world.call(path, named);
				expect([path, shed.status, shed.code]).toEqual([path, 503, "HASHING_BUSY"]);
				expect(shed.headers.get("retry-after")).toBe("1");
			}
		}
		expect(world.database.statements).toEqual([]);
		const neighbor = world.signIn(quiet, "ada@example.com");
		release();
		expect((await neighbor).status).toBe(200);
		for (const { status } of await crowd) expect(status).toBe(200);
	});

	// threat 64
	it("sheds all parallel requests without a slot, before any query", async () => {
		const world = await createSlowWorld(30, { concurrency: 1, maxQueuePerTenant: 4, maxWait: 60 }, "postgres");
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		await world.signIn(tenant, "ada@example.com");
		world.database.statements.length = 0;
		await world.signIn(tenant, "ada@example.com");
		const ofOne = world.database.statements.length;
		world.database.statements.length = 0;
		const answers = await Promise.all(Array.from({ length: 60 }, () => world.signIn(tenant, "ada@example.com")));
		const served = answers.filter(({ status }) => status === 200).length;
		expect(served).toBe(5);
		expect(world.database.statements.length).toBe(served * ofOne);
	});

	it("releases the slot if the request never hashes a password", async () => {
		const world = await createSlowWorld(1, { concurrency: 1, maxQueuePerTenant: 1, maxWait: 60 });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		for (let number = 0; number < 10; number += 1) {
			const unreadable = await world.call("/sign-in/email", { tenant, body: { email: "ada@example.com" } });
			expect(unreadable.status).toBe(400);
		}
		expect((await world.signIn(tenant, "ada@example.com")).status).toBe(200);
	});

	it("does not take a password that waited too long for a wrong one", async () => {
		const world = await createSlowWorld(0, { concurrency: 1, maxQueuePerTenant: 1, maxWait: 0.05 });
		const [loud, quiet] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [loud, quiet]) await world.signUp(tenant, "ada@example.com");
		const release = world.hold();
		const first = world.signIn(loud, "ada@example.com");
		await vi.waitFor(() => expect(world.seen.now).toBe(1), 60_000);
		for (const tenant of [loud, quiet]) {
			const late = await world.signIn(tenant, "ada@example.com");
			expect([late.status, late.code]).toEqual([503, "HASHING_BUSY"]);
		}
		release();
		expect((await first).status).toBe(200);
	});

	it("stores nothing for a sign-up that was shed", async () => {
		// not SQLite: sign-ups hash inside a transaction, so its single connection runs them one after the other
		const world = await createSlowWorld(50, { concurrency: 1, maxQueuePerTenant: 1, maxWait: 60 }, "postgres");
		const tenant = await world.newTenant();
		const body = (n: number) => ({ name: "Ada", email: `ada${n}@example.com`, password: PASSWORD });
		const answers = await Promise.all(
			Array.from({ length: 5 }, (_, n) => world.call("/tenant/sign-up/email", { tenant, body: body(n) })),
		);
		const made = answers.filter(({ status }) => status === 200).length;
		expect(answers.some(({ status }) => status === 503)).toBe(true);
		const [users] = await world.database.query(`select count(*) as "n" from "user"`);
		expect(Number(users?.n)).toBe(made);
	});

	it("rejects invalid options and names them", async () => {
		await expect(createWorld({ tenantAuth: { hashing: { concurrency: 0 } } })).rejects.toThrow("hashing.concurrency");
		await expect(createWorld({ tenantAuth: { hashing: { maxWait: 0 } } })).rejects.toThrow("hashing.maxWait");
	});
});
