import { admin } from "better-auth/plugins/admin";
import { Browser } from "test-kit/browser";
import { createWorld, PASSWORD, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const generated = (generateId: "uuid" | "serial"): WorldOptions["engine"] => ({
	advanced: { disableOriginCheck: false, database: { generateId } },
});

/** An admin of one tenant, and a user of another. `ids` are ids that the other tenant has, had, and may get next. */
const createBoss = async (options: WorldOptions, unused: (id: string) => string) => {
	const world = await createWorld({ ...options, plugins: [admin()] });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const inB = await world.signUp(b, "ada@example.com");
	const gone = await world.signUp(b, "gone@example.com");
	const idOf = async (browser: Browser) => String((await world.call("/get-session", { browser })).json.user.id);
	const [victim, deleted] = [await idOf(inB), await idOf(gone)];
	await world.call("/delete-user", { browser: gone, body: { password: PASSWORD } });
	await world.signUp(a, "boss@example.com");
	await world.database.query(`update "user" set "role" = 'admin' where "email" = 'boss@example.com'`);
	const boss = new Browser();
	await world.call("/sign-in/email", {
		tenant: a,
		browser: boss,
		body: { email: "boss@example.com", password: PASSWORD },
	});
	const users = () => world.database.query('select "id", "tenantId", "email" from "user" order by "email"');
	return { world, a, b, inB, boss, victim, users, ids: [victim, deleted, unused(victim)] };
};

// threat 93
describe.each<[string, WorldOptions, (id: string) => string]>([
	["random ids", {}, (id) => id.toLowerCase().split("").toReversed().join("")],
	["uuids", { database: "postgres", engine: generated("uuid") }, () => "0b5d1c1e-6d0f-4c46-9f0e-0d1f5f3c2a11"],
	["serial ids", { database: "postgres", engine: generated("serial") }, (id) => String(Number(id) + 7)],
])("an admin of one tenant, with %s", (_name, options, unused) => {
	it("cannot choose the id of a new user", async () => {
		const { world, b, inB, boss, victim, users, ids } = await createBoss(options, unused);
		for (const [index, id] of ids.entries()) {
			const email = `new-${index}@example.com`;
			const made = await world.call("/admin/create-user", {
				browser: boss.copy(),
				body: { email, name: "New", password: PASSWORD, data: { id } },
			});
			// the response is the same, whether another tenant has that id or not
			expect([id, made.status, made.code]).toEqual([id, 200, undefined]);
			expect(ids).not.toContain(String(made.json.user.id));
		}
		expect((await users()).filter((row) => ids.includes(String(row.id)))).toEqual([
			{ id: expect.anything(), tenantId: b, email: "ada@example.com" },
		]);
		expect(String((await world.call("/get-session", { browser: inB })).json.user.id)).toBe(victim);
		// no id of the other tenant is taken in advance
		for (let next = 0; next < 8; next++) await world.signUp(b, `next-${next}@example.com`);
	});

	it("cannot change the id of a user", async () => {
		const { world, a, boss, users, ids } = await createBoss(options, unused);
		const made = await world.call("/admin/create-user", {
			browser: boss.copy(),
			body: { email: "new@example.com", name: "New" },
		});
		const userId = made.json.user.id;
		const before = await users();
		const answers = [];
		for (const id of ids) {
			const { status, code } = await world.call("/admin/update-user", {
				browser: boss.copy(),
				body: { userId, data: { id, name: "Newer" } },
			});
			answers.push([status, code]);
		}
		expect(await users()).toEqual(before);
		expect(before.find((row) => row.email === "new@example.com")?.tenantId).toBe(a);
		// later versions of the engine return 400
		expect([
			[200, undefined],
			[400, "USER_ID_CANNOT_BE_UPDATED"],
		]).toContainEqual(answers[0]);
		expect(new Set(answers.map(String)).size).toBe(1);
	});
});

// threat 93
it("a request cannot change the id of a user, whatever writes it", async () => {
	let chosen = "";
	const world = await createWorld({
		engine: { databaseHooks: { user: { update: { before: async () => ({ data: { id: chosen } }) } } } },
	});
	const inB = await world.signUp(await world.newTenant(), "ada@example.com");
	const inA = await world.signUp(await world.newTenant(), "ada@example.com");
	const victim = (await world.call("/get-session", { browser: inB })).json.user.id;
	const ids = () => world.database.query('select "id", "tenantId" from "user" order by "id"');
	const before = await ids();
	for (chosen of [victim, "unused"]) {
		const answer = await world.call("/update-user", { browser: inA, body: { name: "Grace" } });
		expect([chosen, answer.status]).toEqual([chosen, 200]);
		expect(await ids()).toEqual(before);
	}
});

describe("the application", () => {
	it("chooses the ids of users in server code", async () => {
		const world = await createWorld({ plugins: [admin()] });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const [tenantId, id] of [
			[a, "chosen-a"],
			[b, "chosen-b"],
		] as const) {
			const { internalAdapter } = await world.auth.$context;
			const user = { id, email: "ada@example.com", name: "Ada" };
			expect((await runWithTenant(tenantId, () => internalAdapter.createUser(user, { method: "admin" }))).id).toBe(id);
		}
	});

	it("chooses the ids of users in a database hook", async () => {
		let count = 0;
		const world = await createWorld({
			engine: { databaseHooks: { user: { create: { before: async () => ({ data: { id: `chosen-${++count}` } }) } } } },
		});
		for (const tenant of [await world.newTenant(), await world.newTenant()]) {
			const browser = await world.signUp(tenant, "ada@example.com");
			expect((await world.call("/get-session", { browser })).json.user.id).toBe(`chosen-${count}`);
		}
	});
});
