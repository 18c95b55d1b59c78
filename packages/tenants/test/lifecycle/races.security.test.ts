import { betterAuth } from "better-auth";
import { MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { tenantStoreOf } from "../../src/scope/tenants/tenant-store.ts";
import { skipping } from "../database/support/refused-writes.ts";
import { type LifecycleWorld, lifecycleWorld } from "./support/lifecycle-world.ts";

const stores = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const;

const codes = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).sort();

/** A second process on the same database. */
const otherProcess = ({ options }: LifecycleWorld) => {
	const auth = betterAuth(options);
	return async (path: string, body: object): Promise<{ status: number }> => {
		const response = await auth.handler(
			new Request(`${ORIGIN}/api/auth${path}`, {
				method: "POST",
				headers: { origin: ORIGIN, "content-type": "application/json", authorization: `Bearer ${MANAGEMENT_KEY}` },
				body: JSON.stringify(body),
			}),
		);
		await response.arrayBuffer();
		return { status: response.status };
	};
};

describe.each(stores)("operators at the same time on %s", (_name, where) => {
	// threat 107
	it("suspend once, whoever comes first, and keep one reason", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b } = world;
		const other = otherProcess(world);
		const reasons = ["one", "two", "three", "four"];
		const answers = await Promise.all(
			reasons.map((reason, at) =>
				at % 2 === 0 ? world.suspend(a, { reason }) : other("/tenant/suspend", { tenantId: a, reason }),
			),
		);
		expect(codes(answers)).toEqual([200, 200, 200, 200]);
		const rows = await world.database.query(`select "status", "statusReason" from "tenant" where "id" = '${a}'`);
		expect(rows[0]?.status).toBe("suspended");
		expect(reasons).toContain(rows[0]?.statusReason);
		expect(await world.statusOf(b)).toBe("active");
	});

	// threat 107
	it("writes no state over a newer one", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b, auth } = world;
		const tenants = tenantStoreOf(await contextOf(auth));
		await world.suspend(a);
		const read = await tenants.find(a);
		await world.restore(a);
		await world.suspend(a, { reason: "again" });
		// what a slow restore of the first suspension would write
		expect(read && (await tenants.changeState(read, { status: "active" }))).toBe(false);
		expect(await world.statusOf(a)).toBe("suspended");
		const now = await tenants.find(a);
		expect(now && (await tenants.changeState(now, { status: "active" }))).toBe(true);
		expect([await world.statusOf(a), await world.statusOf(b)]).toEqual(["active", "active"]);
	});

	// threat 108
	it("does not restore without an end of sessions that was asked for meanwhile", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b, auth } = world;
		const tenants = tenantStoreOf(await contextOf(auth));
		const [mine, theirs] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
		await world.suspend(a);
		const findKept = tenants.findKept;
		// a second operator adds it after the first has read the tenant
		tenants.findKept = async (named) => {
			const row = await findKept(named);
			tenants.findKept = findKept;
			expect((await world.suspend(a, { endSessions: true })).status).toBe(200);
			return row;
		};
		expect((await world.restore(a)).status).toBe(200);
		expect(await world.statusOf(a)).toBe("active");
		expect((await world.call("/get-session", { browser: mine })).json).toBeNull();
		expect((await world.call("/get-session", { browser: theirs })).json.session.tenantId).toBe(b);
		const ends = await world.database.query(`select "endsSessions" from "tenant" where "id" = '${a}'`);
		expect(Boolean(ends[0]?.endsSessions)).toBe(false);
	});

	// threat 107
	it("restore, suspend, archive and delete in any order, and end in a state that one of them asked for", async () => {
		const world = await lifecycleWorld([], where);
		const { a, b } = world;
		const browser = await world.signUp(a, "ada@example.com");
		const other = otherProcess(world);
		for (let round = 0; round < 5; round += 1) {
			await world.suspend(a);
			const answers = await Promise.all([
				world.restore(a, { endSessions: round % 2 === 0 }),
				other("/tenant/suspend", { tenantId: a, reason: "again" }),
				world.archive(a),
				other("/tenant/restore", { tenantId: a }),
			]);
			for (const { status } of answers) expect([200, 409]).toContain(status);
			const status = await world.statusOf(a);
			expect(["active", "suspended", "archived"]).toContain(status);
			const seen = await world.call("/get-session", { browser: browser.copy() });
			expect(seen.status).toBe(status === "active" ? 200 : 403);
			await world.restore(a);
		}
		await world.suspend(a);
		const [deleted, restored] = await Promise.all([
			world.call("/tenant/delete", { operator: true, body: { tenantId: a } }),
			world.restore(a, { endSessions: true }),
		]);
		expect(deleted.json).toEqual({ success: true });
		expect([200, 404, 409]).toContain(restored.status);
		expect(await world.statusOf(a)).toBeUndefined();
		expect(await world.statusOf(b)).toBe("active");
	});
});

// threat 107
it("a change is refused if other operators change the tenant each time", async () => {
	const world = await lifecycleWorld();
	const { a, b } = world;
	await world.database.query(skipping(`update of "status" on "tenant" when new."id" = '${a}'`));
	const refused = await world.suspend(a);
	expect([refused.status, refused.code]).toEqual([409, "TENANT_STATE_CHANGED"]);
	expect((await world.suspend(b)).status).toBe(200);
	expect([await world.statusOf(a), await world.statusOf(b)]).toEqual(["active", "suspended"]);
});

describe("a restore that ends sessions", () => {
	// threat 107
	it("does not open a tenant that was suspended again meanwhile", async () => {
		const world = await lifecycleWorld([], {
			tenants: { tenantCache: { maxAge: 0.2 }, deletion: { drainTime: 0.5 } },
		});
		const { a, b } = world;
		const bob = await world.signUp(b, "bob@example.com");
		await world.signUp(a, "ada@example.com");
		await world.suspend(a);
		// waits for the drain time
		const restoring = world.restore(a, { endSessions: true });
		expect((await world.restore(a)).status).toBe(200);
		await world.signUp(a, "eve@example.com");
		const suspended = await world.suspend(a, { reason: "again" });
		expect(await restoring).toMatchObject({ status: 409, code: "TENANT_STATE_CHANGED" });
		const now = await world.call("/tenant/get", { operator: true, query: { id: a } });
		expect(now.json.lifecycle).toEqual(suspended.json.lifecycle);
		// the sessions of the second suspension are not the first restore's
		expect(await world.database.query(`select "id" from "session" where "tenantId" = '${a}'`)).toHaveLength(2);
		expect((await world.call("/get-session", { browser: bob })).json.session.tenantId).toBe(b);
	});

	// threat 108
	it.each([
		["/sign-in/email", "ada@example.com", "sqlite"],
		// in a transaction, so it needs a second connection
		["/sign-up/email", "bob@example.com", "postgres"],
	] as const)(
		"ends the session of %s that was running when the tenant was suspended",
		async (path, email, database) => {
			let arrive = () => {};
			const arrived = new Promise<void>((resolve) => {
				arrive = resolve;
			});
			let release = () => {};
			const released = new Promise<void>((resolve) => {
				release = resolve;
			});
			let holds = false;
			const world = await lifecycleWorld([], {
				database,
				engine: {
					databaseHooks: {
						session: {
							create: {
								before: async () => {
									if (!holds) return;
									arrive();
									await released;
								},
							},
						},
					},
				},
			});
			const { a } = world;
			const browser = await world.signUp(a, "ada@example.com");
			holds = true;
			const body = { name: "Bob", email, password: PASSWORD };
			const signingIn = world.call(path, { tenant: a, browser, body });
			await arrived;
			await world.suspend(a, { endSessions: true });
			expect((await world.call("/get-session", { browser: browser.copy() })).code).toBe("TENANT_SUSPENDED");
			release();
			holds = false;
			await signingIn;
			expect((await world.call("/get-session", { browser: browser.copy() })).code).toBe("TENANT_SUSPENDED");
			await world.restore(a);
			expect((await world.call("/get-session", { browser: browser.copy() })).json).toBeNull();
			expect(await world.database.query(`select "id" from "session" where "tenantId" = '${a}'`)).toEqual([]);
		},
	);
});
