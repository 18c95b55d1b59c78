import type { SecondaryStorage } from "@better-auth/core/db";
import type { BetterAuthPlugin } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";
import { createGate, type Gate } from "../admin/support/gate.ts";

/** A storage that can hold back the next write or deletion of a session's copy, as a slow network does. */
const createSlowStorage = () => {
	const values = new Map<string, string>();
	let held: { name: string; reached: Gate; goOn: Gate } | null = null;
	const wait = async (name: string, key: string): Promise<void> => {
		const now = held;
		if (now?.name !== name || !key.includes("~")) return;
		held = null;
		now.reached.open();
		await now.goOn.opened;
	};
	const storage: SecondaryStorage = {
		get: async (key) => values.get(key) ?? null,
		set: async (key, value) => {
			await wait("set", key);
			values.set(key, value);
		},
		delete: async (key) => {
			values.delete(key);
			await wait("delete", key);
		},
		getAndDelete: async (key) => {
			const value = values.get(key) ?? null;
			values.delete(key);
			return value;
		},
		increment: async () => 1,
	};
	const holdNext = (name: "set" | "delete") => {
		held = { name, reached: createGate(), goOn: createGate() };
		return held;
	};
	return { storage, holdNext };
};

const EVERY_CHECK_RENEWS = 0;

const start = async (updateAge: number, allPlugins?: BetterAuthPlugin[]) => {
	const { storage, holdNext } = createSlowStorage();
	const world = await createWorld({
		...(allPlugins ? { allPlugins } : {}),
		engine: {
			secondaryStorage: storage,
			session: { storeSessionInDatabase: true, updateAge },
			verification: { storeInDatabase: true },
		},
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const [browser, neighbor] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
	// with the default updateAge, no later check renews for a day, so none of them asks the database
	const check = async (one: typeof browser) =>
		(await world.call("/get-session?disableRefresh=true", { browser: one.copy() })).json?.user?.email ?? null;
	const states = async () => [await check(stolen), await check(neighbor)];
	const stolen = browser.copy();
	return { world, browser, stolen, holdNext, states };
};

// threat 165
it("a session that ends while its renewal is written stays ended", async () => {
	const { world, browser, stolen, holdNext, states } = await start(EVERY_CHECK_RENEWS);
	const { reached, goOn } = holdNext("set");
	const renewal = world.call("/get-session", { browser: stolen.copy() });
	await reached.opened;
	expect((await world.call("/sign-out", { browser, body: {} })).status).toBe(200);
	goOn.open();
	await renewal;
	expect(await states()).toEqual([null, "ada@example.com"]);
});

// threat 165
it("a session that is renewed while its end is written stays ended", async () => {
	const { world, browser, stolen, holdNext, states } = await start(EVERY_CHECK_RENEWS);
	const set = holdNext("set");
	const renewal = world.call("/get-session", { browser: stolen.copy() });
	await set.reached.opened;
	// the copy is deleted, the row is not
	const deletion = holdNext("delete");
	const signOut = world.call("/sign-out", { browser, body: {} });
	await deletion.reached.opened;
	set.goOn.open();
	await renewal;
	deletion.goOn.open();
	expect((await signOut).status).toBe(200);
	expect(await states()).toEqual([null, "ada@example.com"]);
});

// threat 162
it("of two changes of a user, the later one holds with tenantAdmin()", async () => {
	const { world, browser, stolen, holdNext } = await start(
		86_400,
		withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [admin({ ...tenantRoles }), tenantAdmin()]),
	);
	const { reached, goOn } = holdNext("set");
	const first = world.call("/update-user", { browser: stolen.copy(), body: { name: "first" } });
	await reached.opened;
	expect((await world.call("/update-user", { browser, body: { name: "second" } })).status).toBe(200);
	goOn.open();
	expect((await first).status).toBe(200);
	expect((await world.call("/get-session?disableRefresh=true", { browser })).json.user.name).toBe("second");
});
