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
		for (const wrong of [moved, "{", "null", '{"session":{}}', value.replace('"readAt"', '"read"')]) {
			store.copies.set(key, wrong);
			expect((await here(browser))?.session.tenantId).toBe(first?.session.tenantId);
		}
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
