import { expect, it } from "vitest";
import { createTransferable, exportUsers } from "../transfer/transferable.ts";

/** A storage whose next lookup of a user's sessions waits for the test. */
const createHeldUp = () => {
	const values = new Map<string, unknown>();
	let isNext = false;
	let letGo = (): void => {};
	const held = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	let arrive = (): void => {};
	const arrived = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	return {
		letGo: () => letGo(),
		holdNext: () => {
			isNext = true;
			return arrived;
		},
		storage: {
			get: async (key: string) => {
				if (isNext && key.includes("active-sessions")) {
					isNext = false;
					arrive();
					await held;
				}
				return values.get(key) ?? null;
			},
			set: async (key: string, value: string) => void values.set(key, value),
			delete: async (key: string) => void values.delete(key),
			getAndDelete: async () => null,
			increment: async () => 1,
		},
	};
};

// threat 44
it.each(["postgres", "mysql"] as const)(
	"keeps users who moved to another tenant if a call found them in the old one, on %s",
	async (database) => {
		const { storage, holdNext, letGo } = createHeldUp();
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({
			database,
			engine: { secondaryStorage: storage, session: { storeSessionInDatabase: true } },
			tenantAuth: { tenantCache: { maxAge: 1 }, deletion: { drainTime: 2 } },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const name of ["ada", "grace", "barbara"]) await world.signUp(a, `${name}@example.com`);
		const [users = []] = await exportUsers(world, a);
		const remove = () => world.call("/tenant/delete", { operator: true, body: { tenantId: a } });

		const found = holdNext();
		const heldUp = remove();
		await found;
		const other = remove();
		await expect.poll(async () => (await usersOf(a)).length, { timeout: 15_000 }).toBe(0);
		expect((await importUsers(b, users)).json).toEqual({ imported: 3, existing: 0, refused: [] });
		letGo();
		await Promise.all([heldUp, other]);
		expect((await usersOf(b)).map(({ id }) => id).sort()).toEqual(users.map(({ id }) => id).sort());
		expect(await accountsOf(b)).toHaveLength(3);
	},
);
