import { expect, it } from "vitest";
import { createTransferable } from "../transfer/transferable.ts";

/** A storage that returns one key per page. The next scan waits for the test before its first page. */
const createSlowScan = () => {
	const stored = new Map<string, string>();
	let isNext = false;
	let arrive = (): void => {};
	const arrived = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	let letGo = (): void => {};
	const held = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	const take = (key: string) => {
		const value = stored.get(key) ?? null;
		stored.delete(key);
		return value;
	};
	return {
		letGo: () => letGo(),
		holdNext: () => {
			isNext = true;
			return arrived;
		},
		storage: {
			get: (key: string) => stored.get(key) ?? null,
			getAndDelete: take,
			set: (key: string, value: string) => void stored.set(key, value),
			delete: (key: string) => void stored.delete(key),
			increment: () => 1,
			scanKeys: async function* (prefix: string) {
				if (isNext) {
					isNext = false;
					arrive();
					await held;
				}
				for (const key of [...stored.keys()].filter((name) => name.startsWith(prefix))) yield [key];
			},
		},
	};
};

// threat 44
it("a slow deletion keeps what a tenant has stored that was imported again with the same id", async () => {
	const { storage, holdNext, letGo } = createSlowScan();
	const { world, importTenant } = await createTransferable({
		tenantAuth: { deletion: { drainTime: 0 }, tenantCache: { maxAge: 0 } },
		engine: { secondaryStorage: storage },
	});
	const again = { id: "acme", name: "Acme", slug: "acme" };
	const neighbor = await world.signUp(await world.newTenant(), "ada@example.com");
	const remove = () => world.call("/tenant/delete", { operator: true, body: { tenantId: again.id } });
	await importTenant(again);
	const former = await world.signUp(again.id, "ada@example.com");

	const found = holdNext();
	const slow = remove();
	await found;
	expect((await remove()).json).toEqual({ success: true });
	expect((await importTenant(again)).json.existing).toBe(false);
	const user = await world.signUp(again.id, "ada@example.com");
	letGo();
	await slow;

	expect((await world.call("/get-session", { browser: user })).json.session.tenantId).toBe(again.id);
	expect((await world.call("/get-session", { browser: neighbor })).json.session).toBeDefined();
	expect((await world.call("/get-session", { browser: former })).json).toBeNull();
});
