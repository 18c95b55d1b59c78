import { moveUsersToTenant, runWithTenant } from "better-auth-tenants";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createCachedWorld } from "./support/cached-world.ts";

const signedUp = async () => {
	const parts = await createCachedWorld();
	const tenant = await parts.world.newTenant();
	const browser = await parts.world.signUp(tenant, "ada@example.com");
	await parts.other.follow();
	return { ...parts, tenant, browser };
};

const createHanging = async () => {
	const parts = await createCachedWorld({}, { timeout: 0.02 });
	const browser = await parts.world.signUp(await parts.world.newTenant(), "ada@example.com");
	parts.store.state.hangs = new Promise(() => {});
	return { ...parts, browser };
};

// threat 177
describe("a session with a copy", () => {
	it("is read without a statement, by each process, and looks the same", async () => {
		const { here, there, browser, statementsOf, store } = await signedUp();
		const first = await here(browser);
		expect(first?.user.email).toBe("ada@example.com");
		await expect.poll(() => store.copies.size).toBe(1);
		expect(await statementsOf(async () => expect(await here(browser)).toEqual(first))).toBe(0);
		// its first request looks at the schema and at the tenant
		await there(browser);
		expect(await statementsOf(async () => expect(await there(browser)).toEqual(first))).toBe(0);
	});

	it("is another one in another tenant", async () => {
		const { here, browser, world } = await signedUp();
		await here(browser);
		const neighbor = await world.newTenant();
		const answer = await world.call("/get-session", { browser, tenant: neighbor });
		expect(answer.json?.session ?? null).toBeNull();
	});
});

// threat 177
describe("what the store has under a key", () => {
	it("is no session in another tenant, and none if it cannot be read", async () => {
		const { here, browser, store, tenant } = await signedUp();
		const first = await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		const [[key = "", value = ""] = []] = store.copies;
		const moved = value.replaceAll(tenant, "another");
		expect(moved).not.toBe(value);
		for (const wrong of [moved, "{", "null", '{"session":{}}', value.replace('"stamp"', '"read"')]) {
			store.copies.set(key, wrong);
			expect((await here(browser))?.session.tenantId).toBe(first?.session.tenantId);
		}
	});

	it("is no other session of the same tenant, although its copy is genuine", async () => {
		const { here, browser, store, world, tenant, own } = await signedUp();
		const eve = await world.signUp(tenant, "eve@example.com");
		await own.follow();
		for (const one of [browser, eve]) await here(one);
		await expect.poll(() => store.copies.size).toBe(2);
		const [[first, ofFirst], [second, ofSecond]] = [...store.copies] as [[string, string], [string, string]];
		store.copies.set(first, ofSecond).set(second, ofFirst);
		expect((await here(eve))?.user.email).toBe("eve@example.com");
		expect((await here(browser))?.user.email).toBe("ada@example.com");
	});

	it.each([
		["JSON refuses", (value: string) => BigInt(value.length)],
		["JSON changes", (value: string) => new Set([value])],
	])("is nothing for a user with a value that %s, and no request fails", async (_what, output) => {
		const thing = {
			type: "string",
			required: false,
			input: false,
			returned: false,
			transform: { output: (value: unknown) => (value == null ? value : output(String(value))) },
		} as const;
		const { world, here, store, own } = await createCachedWorld({
			engine: { user: { additionalFields: { thing } } } as never,
		});
		const browser = await world.signUp(await world.newTenant(), "ada@example.com");
		await world.database.query(`update "user" set thing = 'x'`);
		await own.follow();
		for (let check = 0; check < 2; check += 1) expect((await here(browser))?.user.email).toBe("ada@example.com");
		expect(store.copies.size).toBe(0);
	});

	it("is nothing for a user who is larger than a copy may be", async () => {
		const { here, browser, store, world, own } = await signedUp();
		await world.database.query(`update "user" set name = repeat('x', 40000)`);
		await own.follow();
		expect((await here(browser))?.user.name).toHaveLength(40_000);
		expect(store.copies.size).toBe(0);
	});
});

// threat 177
describe("a store that hangs", () => {
	it("costs one request the time to wait for it, and nobody a session", async () => {
		const { here, browser, store, own } = await createHanging();
		expect((await here(browser))?.user.email).toBe("ada@example.com");
		const asked = store.state.reads;
		expect(own.state().isStoreUp).toBe(false);
		for (let check = 0; check < 5; check += 1) expect(await here(browser)).not.toBeNull();
		// unless more than a second has passed, in which one request tries again
		expect(store.state.reads - asked).toBeLessThan(5);
	});
});

// threat 177
describe("a session that ended", () => {
	it("is gone at once where it ended, and elsewhere after a look, although its copy is back", async () => {
		const { here, there, browser, world, store, other } = await signedUp();
		await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		const copies = [...store.copies];
		await world.call("/sign-out", { browser: browser.copy(), body: {} });
		for (const [key, value] of copies) store.copies.set(key, value);
		expect(await here(browser)).toBeNull();
		await other.follow();
		expect(await there(browser)).toBeNull();
	});

	it("is gone although the store does not respond", async () => {
		const { here, there, browser, world, store, other } = await signedUp();
		await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		store.state.isDown = true;
		expect((await here(browser))?.user.email).toBe("ada@example.com");
		expect((await world.call("/sign-out", { browser: browser.copy(), body: {} })).status).toBe(200);
		store.state.isDown = false;
		expect(await here(browser)).toBeNull();
		await other.follow();
		expect(await there(browser)).toBeNull();
	});

	it("is gone if it was ended by SQL, for all sessions of a tenant too", async () => {
		const { here, browser, world, store, own } = await signedUp();
		await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		await world.database.query('delete from "session"');
		await own.follow();
		expect(await here(browser)).toBeNull();
	});
});

// threat 177
describe("a session that ended in another way, whose copy is back,", () => {
	type Parts = Awaited<ReturnType<typeof signedUp>> & { userId: string; token: string };
	const ENDS: Record<string, (parts: Parts) => Promise<unknown>> = {
		"in a transaction that the engine knows nothing of": async ({ world, tenant, userId }) => {
			const { adapter } = await world.auth.$context;
			const where = [{ field: "userId", value: userId }];
			await runWithTenant(tenant, () =>
				adapter.transaction((inside) => inside.deleteMany({ model: "session", where })),
			);
		},
		"with its user, who moved to another tenant": async ({ world, tenant, userId }) => {
			const to = await world.newTenant();
			const { moved } = await moveUsersToTenant(world.auth, { from: tenant, to, userIds: [userId] });
			expect(moved).toBe(1);
		},
		"by a new token": async ({ world, tenant, token }) => {
			const { adapter } = await world.auth.$context;
			const where = [{ field: "token", value: token }];
			await runWithTenant(tenant, () =>
				adapter.updateMany({ model: "session", where, update: { token: `${"x".repeat(32)}${token.slice(32)}` } }),
			);
		},
		"by its time": async ({ world, tenant, token }) => {
			const { internalAdapter } = await world.auth.$context;
			await runWithTenant(tenant, () => internalAdapter.updateSession(token, { expiresAt: new Date(0) }));
		},
	};

	it.each(Object.keys(ENDS))("is over at once: %s", async (how) => {
		const parts = await signedUp();
		const { here, browser, store } = parts;
		const found = await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		const copies = [...store.copies];
		await ENDS[how]?.({ ...parts, userId: String(found?.user.id), token: String(found?.session.token) });
		for (const [key, value] of copies) store.copies.set(key, value);
		expect(await here(browser)).toBeNull();
	});
});

// threat 177
describe("a user who changed", () => {
	it("is never shown as before, also by a copy that arrives late", async () => {
		const { here, browser, world, store } = await signedUp();
		let release = () => {};
		store.state.hold = new Promise((resolve) => {
			release = resolve;
		});
		await here(browser);
		await world.call("/update-user", { browser, body: { name: "Grace" } });
		release();
		await expect.poll(() => store.copies.size).toBe(1);
		expect((await here(browser))?.user.name).toBe("Grace");
	});

	it("is shown as now by the other process, before it has looked", async () => {
		const { here, there, browser, world, store } = await signedUp();
		await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		expect((await there(browser))?.user.name).not.toBe("Grace");
		await world.call("/update-user", { browser, body: { name: "Grace" } });
		expect((await there(browser))?.user.name).toBe("Grace");
	});

	it("and ends all sessions is signed out at the other process, before it has looked", async () => {
		const { here, there, browser, world, store, tenant } = await signedUp();
		const second = browser.copy();
		second.cookies.clear();
		const body = { email: "ada@example.com", password: PASSWORD };
		await world.call("/sign-in/email", { tenant, browser: second, body });
		for (const one of [browser, second]) await here(one);
		await expect.poll(() => store.copies.size).toBe(2);
		for (const one of [browser, second]) expect(await there(one)).not.toBeNull();
		await world.call("/revoke-sessions", { browser: second, body: {} });
		for (const one of [browser, second]) expect(await there(one)).toBeNull();
	});

	it("with a new password is signed out of the other browser", async () => {
		const { here, there, browser, world, other, store, tenant } = await signedUp();
		const second = browser.copy();
		second.cookies.clear();
		await world.call("/sign-in/email", {
			tenant,
			browser: second,
			body: { email: "ada@example.com", password: PASSWORD },
		});
		for (const one of [browser, second]) expect(await here(one)).not.toBeNull();
		await expect.poll(() => store.copies.size).toBe(2);
		const body = { currentPassword: PASSWORD, newPassword: "another horse battery", revokeOtherSessions: true };
		expect((await world.call("/change-password", { browser: second, body })).status).toBe(200);
		expect(await here(browser)).toBeNull();
		await other.follow();
		expect(await there(browser)).toBeNull();
		expect(await there(second)).not.toBeNull();
	});
});

// threat 177
describe("a change that was committed, but answered with an error,", () => {
	it("is followed as well", async () => {
		const { here, browser, world, tenant, store } = await signedUp();
		const found = await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		const userId = String(found?.user.id);
		const { adapter } = await world.auth.$context;
		await world.database.query(`update "user" set name = 'Grace' where id = '${userId}'`);
		const failing = runWithTenant(tenant, () =>
			adapter.transaction(async (inside) => {
				await inside.deleteMany({ model: "session", where: [{ field: "userId", value: "nobody" }] });
				throw new Error("the connection is lost");
			}),
		);
		await expect(failing).rejects.toThrow("the connection is lost");
		expect((await here(browser))?.user.name).toBe("Grace");
	});
});

// threat 177
it("a copy is not read by code that runs in a tenant that does not exist", async () => {
	const { here, browser, world, store, tenant } = await signedUp();
	const found = await here(browser);
	await expect.poll(() => store.copies.size).toBe(1);
	const token = String(found?.session.token);
	const { internalAdapter } = await world.auth.$context;
	const findIn = (id: string) => runWithTenant(id, () => internalAdapter.findSession(token));
	expect((await findIn(tenant))?.user.email).toBe("ada@example.com");
	const gone = "g".repeat(tenant.length);
	for (const [key, value] of [...store.copies])
		store.copies.set(key.replace(tenant, gone), value.replaceAll(tenant, gone));
	await expect(findIn(gone)).rejects.toThrow();
});

// threat 177
describe("a process that cannot look at the changes", () => {
	it("reads sessions from the database, and keeps no copies", async () => {
		const { here, browser, own, asking, store, statementsOf } = await signedUp();
		await here(browser);
		await expect.poll(() => store.copies.size).toBe(1);
		asking.fails = true;
		await own.follow();
		store.copies.clear();
		expect(await statementsOf(() => here(browser))).toBeGreaterThan(0);
		expect(store.copies.size).toBe(0);
	});
});
