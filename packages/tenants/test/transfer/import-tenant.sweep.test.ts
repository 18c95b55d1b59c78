import { untilClosed } from "test-kit/until-closed";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createTransferable, userNamed } from "./transferable.ts";

const elsewhere = {
	id: "k3Xv9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	name: "Elsewhere",
	slug: "elsewhere",
	metadata: { plan: "gold" },
	createdAt: "2001-02-03T04:05:06.000Z",
	updatedAt: "2002-02-03T04:05:06.000Z",
};

describe.each(["sqlite", "postgres", "mysql"] as const)("importing a tenant on %s", (database) => {
	it("keeps its id and dates, and works like a created one", async () => {
		const { world, importTenant } = await createTransferable({ database });
		const neighbor = await world.newTenant();
		expect((await importTenant(elsewhere)).json).toEqual({ tenant: elsewhere, existing: false });
		const shown = await world.call("/tenant/get", { operator: true, query: { slug: "elsewhere" } });
		expect(shown.json).toEqual(elsewhere);
		for (const tenant of [elsewhere.id, neighbor]) await world.signUp(tenant, "ada@example.com");
		const body = { email: "ada@example.com", password: PASSWORD };
		expect((await world.call("/sign-in/email", { tenant: elsewhere.id, body })).json.user.tenantId).toBe(elsewhere.id);
	});

	it("returns the existing tenant if both id and slug match, and rejects a match of one", async () => {
		const { world, importTenant } = await createTransferable({ database });
		await world.newTenant("acme");
		await importTenant(elsewhere);
		const before = await world.database.query('select * from "tenant" order by "slug"');
		expect((await importTenant({ ...elsewhere, name: "Renamed", metadata: null })).json).toEqual({
			tenant: elsewhere,
			existing: true,
		});
		for (const [tenant, code] of [
			[{ ...elsewhere, slug: "another" }, "TENANT_ID_TAKEN"],
			[{ ...elsewhere, slug: "acme" }, "TENANT_ID_TAKEN"],
			[{ ...elsewhere, id: "another" }, "TENANT_SLUG_TAKEN"],
		] as const) {
			const answer = await importTenant(tenant);
			expect([answer.status, answer.code]).toEqual([409, code]);
		}
		expect(await world.database.query('select * from "tenant" order by "slug"')).toEqual(before);
	});

	it("creates one tenant from ten concurrent imports", async () => {
		const { world, importTenant } = await createTransferable({ database });
		await world.newTenant();
		const answers = await Promise.all(Array.from({ length: 10 }, () => importTenant(elsewhere)));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(answers.filter(({ json }) => !json.existing)).toHaveLength(1);
		const rivals = await Promise.all(
			Array.from({ length: 10 }, (_, n) => importTenant({ ...elsewhere, id: `rival-${n}`, slug: "rivals" })),
		);
		expect(rivals.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
	});
});

const createSignal = () => {
	let give = () => {};
	const given = new Promise<void>((resolve) => {
		give = resolve;
	});
	return { give, given };
};

/** A storage in memory that can wait for a test. */
const createStorage = () => {
	const stored = new Map<string, string>();
	let held: { call: string; reached: () => void; released: Promise<void> } | null = null;
	const pass = async (call: string) => {
		if (held?.call !== call) return;
		const { reached, released } = held;
		held = null;
		reached();
		await released;
	};
	const take = (key: string) => {
		const value = stored.get(key) ?? null;
		stored.delete(key);
		return value;
	};
	return {
		/** Holds the next such call until it is released. */
		hold: (call: "get" | "listKeys") => {
			const [reached, released] = [createSignal(), createSignal()];
			held = { call, reached: reached.give, released: released.given };
			return { reached: reached.given, release: released.give };
		},
		storage: {
			get: async (key: string) => {
				if (key.includes("active-sessions-")) await pass("get");
				return stored.get(key) ?? null;
			},
			getAndDelete: take,
			set: (key: string, value: string) => void stored.set(key, value),
			delete: (key: string) => void stored.delete(key),
			increment: () => 1,
			listKeys: async () => {
				await pass("listKeys");
				return [...stored.keys()];
			},
		},
	};
};

describe.each(["sqlite", "postgres", "mysql"] as const)("a tenant imported again on %s", (database) => {
	const people = [userNamed("ada", { id: "id-ada" }), userNamed("grace", { id: "id-grace" })];
	const createStage = async () => {
		const { storage, hold } = createStorage();
		const { world, importTenant, importUsers, usersOf } = await createTransferable({
			database,
			tenantAuth: { deletion: { drainTime: 0, batchSize: 1 } },
			engine: { secondaryStorage: storage },
		});
		const fill = async () => {
			expect((await importTenant(elsewhere)).json.existing).toBe(false);
			expect((await importUsers(elsewhere.id, people)).json.imported).toBe(2);
		};
		const neighbor = await world.newTenant();
		await importUsers(neighbor, [userNamed("ada")]);
		await fill();
		const remove = () => world.call("/tenant/delete", { operator: true, body: { tenantId: elsewhere.id } });
		const left = async () => [(await usersOf(elsewhere.id)).length, (await usersOf(neighbor)).length];
		return { world, hold, fill, remove, left };
	};

	// threat 44
	it("survives an earlier deletion that was held between two batches or before its last step", async () => {
		for (const call of ["get", "listKeys"] as const) {
			const { world, hold, fill, remove, left } = await createStage();
			const { reached, release } = hold(call);
			const slow = remove();
			await reached;
			expect((await remove()).status).toBe(200);
			await fill();
			release();
			expect((await slow).status).toBe(200);
			expect([call, ...(await left())]).toEqual([call, 2, 1]);
			expect((await world.call("/tenant/get", { operator: true, query: { id: elsewhere.id } })).status).toBe(200);
		}
	});

	// threat 44
	it("is not deleted by the deletion of the tenant before it", async () => {
		const { world, hold, fill, remove, left } = await createStage();
		const former = hold("get");
		const slow = remove();
		await former.reached;
		await remove();
		await fill();
		const latter = hold("get");
		const own = remove();
		await latter.reached;
		former.release();
		expect((await slow).status).toBe(200);
		expect(await left()).toEqual([2, 1]);
		latter.release();
		expect((await own).status).toBe(200);
		expect(await left()).toEqual([0, 1]);
		expect(await world.database.query(`select * from "tenant" where "id" = '${elsewhere.id}'`)).toEqual([]);
	});
});

describe("importing a tenant", () => {
	// threats 35, 59 and 60
	it("validates names, slugs, metadata and ids like creating one", async () => {
		const { world, importTenant } = await createTransferable();
		await world.newTenant("acme");
		const before = await world.database.query('select * from "tenant"');
		const refused: [object, string][] = [
			[{ id: "" }, "INVALID_TENANT_ID"],
			[{ id: "a:b" }, "INVALID_TENANT_ID"],
			[{ id: "x".repeat(65) }, "INVALID_TENANT_ID"],
			[{ id: ["a"] }, "VALIDATION_ERROR"],
			[{ slug: "Not A Slug" }, "INVALID_SLUG"],
			[{ slug: "xn--acme-abc" }, "INVALID_SLUG"],
			[{ slug: "admin" }, "INVALID_SLUG"],
			[{ name: "" }, "INVALID_TENANT_NAME"],
			[{ metadata: { big: "x".repeat(20_000) } }, "INVALID_METADATA"],
			[{ metadata: JSON.parse('{"__proto__":1}') }, "INVALID_METADATA"],
			[{ createdAt: "yesterday" }, "VALIDATION_ERROR"],
			[{ createdAt: "9999-12-31T23:59:59-23:59" }, "VALIDATION_ERROR"],
			[{ updatedAt: "1970-01-01T00:00:00+00:01" }, "VALIDATION_ERROR"],
		];
		for (const [changes, code] of refused) {
			const answer = await importTenant({ ...elsewhere, ...changes });
			expect([changes, answer.status, answer.code]).toEqual([changes, 400, code]);
		}
		expect(await world.database.query('select * from "tenant"')).toEqual(before);
	});

	it("rejects an id that this database cannot store, and creates none under another id", async () => {
		for (const database of ["sqlite", "postgres"] as const) {
			for (const generateId of ["uuid", "serial"] as const) {
				const { world, importTenant } = await createTransferable({
					database,
					engine: { advanced: { disableOriginCheck: false, database: { generateId } } },
				});
				await world.newTenant();
				const before = await world.database.query('select * from "tenant"');
				const answer = await importTenant(elsewhere);
				expect([database, generateId, answer.status, answer.code]).toEqual([
					database,
					generateId,
					400,
					"INVALID_VALUE",
				]);
				expect(await world.database.query('select * from "tenant"')).toEqual(before);
				const id = generateId === "uuid" ? crypto.randomUUID() : "4711";
				expect((await importTenant({ ...elsewhere, id })).json).toMatchObject({ tenant: { id }, existing: false });
			}
		}
	});

	// threats 10 and 44
	it("revives no tenant that is being deleted, and stays closed to sign-ins", async () => {
		const { world, importTenant, importUsers, usersOf } = await createTransferable();
		const [stays] = [await world.newTenant("acme")];
		await importTenant(elsewhere);
		await importUsers(elsewhere.id, [userNamed("ada")]);
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${elsewhere.id}'`);
		for (const tenant of [elsewhere, { ...elsewhere, slug: "another" }]) {
			const answer = await importTenant(tenant);
			expect([answer.status, answer.code]).toEqual([409, "TENANT_ID_TAKEN"]);
		}
		expect((await importUsers(elsewhere.id, [userNamed("grace")])).code).toBe("TENANT_NOT_FOUND");
		expect(await usersOf(elsewhere.id)).toHaveLength(1);
		const [row] = await world.database.query(`select * from "tenant" where "id" = '${elsewhere.id}'`);
		expect(row?.status).toBe("deleting");
		// after the deletion completes, the id is free again
		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: elsewhere.id } })).status).toBe(200);
		expect((await importTenant(elsewhere)).json.existing).toBe(false);
		expect(await usersOf(elsewhere.id)).toEqual([]);
		expect((await world.call("/tenant/get", { operator: true, query: { id: stays } })).status).toBe(200);
	});

	// threat 44
	it("survives a second deletion call that is still running", async () => {
		const { world, importTenant, importUsers, usersOf } = await createTransferable({
			database: "postgres",
			tenantAuth: { tenantCache: { maxAge: 0.5 }, deletion: { drainTime: 4 } },
		});
		await world.newTenant();
		await importTenant(elsewhere);
		const remove = () => world.call("/tenant/delete", { operator: true, body: { tenantId: elsewhere.id } });
		const first = remove();
		await untilClosed(world, elsewhere.id);
		// so that it still runs when the first one ends
		await new Promise((resolve) => setTimeout(resolve, 500));
		const second = remove();
		expect((await first).status).toBe(200);
		expect((await importTenant(elsewhere)).json.existing).toBe(false);
		expect((await importUsers(elsewhere.id, [userNamed("ada")])).json.imported).toBe(1);
		expect((await second).status).toBe(200);
		expect(await usersOf(elsewhere.id)).toHaveLength(1);
		expect((await world.call("/tenant/get", { operator: true, query: { id: elsewhere.id } })).status).toBe(200);
	});
});
