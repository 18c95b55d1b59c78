import { describe, expect, it } from "vitest";
import { slowDown, takeLock, WAITING } from "./slow-insert.ts";
import { createTransferable, stored, userNamed, ways } from "./transferable.ts";

describe("importing tenants and users", () => {
	// threats 34, 37 and 44
	it("returns the same 404 for the platform, unknown tenants, closed tenants and invalid ids", async () => {
		const { world } = await createTransferable({ tenantAuth: { tenantCache: { maxAge: 60 } } });
		const [a, closed] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, closed, undefined]) await world.signUp(tenant, "ada@example.com");
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${closed}'`);
		const before = await stored(world);
		const answers = new Set<string>();
		for (const tenantId of ["platform", "Platform", "nobody", closed, "a b", ""]) {
			for (const [action, path, call] of ways(tenantId)) {
				if (action === "tenant:import") continue;
				const answer = await world.call(path, { ...call, operator: true });
				expect([tenantId, path, answer.status, answer.code]).toEqual([tenantId, path, 404, "TENANT_NOT_FOUND"]);
				answers.add(answer.text);
			}
		}
		expect(answers.size).toBe(1);
		expect(await stored(world)).toEqual(before);
	});

	// threats 34 and 49
	it("creates no tenant that a database could mistake for the platform", async () => {
		for (const database of ["sqlite", "mysql"] as const) {
			const { world, importTenant } = await createTransferable({ database });
			await world.newTenant();
			await world.signUp(undefined, "ada@example.com");
			const before = await stored(world);
			for (const id of ["platform", "Platform", "PLATFORM"]) {
				const answer = await importTenant({ id, name: "x", slug: "some-slug" });
				expect([id, answer.status, answer.code]).toEqual([id, 409, "TENANT_ID_TAKEN"]);
			}
			expect(await stored(world)).toEqual(before);
		}
	});

	// threat 49
	it("rejects an id that the database treats as another tenant's", async () => {
		const { world, importTenant } = await createTransferable({ database: "mysql" });
		await importTenant({ id: "AbCdEf", name: "Acme", slug: "acme" });
		await world.newTenant();
		for (const slug of ["acme", "globex"]) {
			const answer = await importTenant({ id: "abcdef", name: "Acme", slug });
			expect([answer.status, answer.code]).toEqual([409, "TENANT_ID_TAKEN"]);
		}
	});

	// threat 46
	it("stays closed while the database cannot isolate tenants", async () => {
		const { world, usersOf } = await createTransferable({ database: "postgres" });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const [index] = await world.database.query(
			`select indexname from pg_indexes where tablename = 'user' and indexdef like '%UNIQUE%email%'`,
		);
		await world.database.query(`drop index "${index?.indexname}"`);
		for (const [action, path, call] of [...ways(a), ...ways(b)]) {
			if (action === "tenant:import") continue;
			const answer = await world.call(path, { ...call, operator: true });
			expect([path, answer.status, answer.code]).toEqual([path, 503, "DATABASE_NOT_ISOLATED"]);
		}
		expect([...(await usersOf(a)), ...(await usersOf(b))]).toEqual([]);
	});

	// threat 47
	it("imports no user without their accounts if an account cannot be written", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database: "postgres" });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await world.database.query(`alter table "account" add constraint no_tony check ("providerId" <> 'tony')`);
		const two = (providerId: string) => ({
			accounts: [
				{ providerId: "credential", password: "a".repeat(64) },
				{ providerId, accountId: "1" },
			],
		});
		const { json } = await importUsers(a, [
			userNamed("ada"),
			userNamed("tony", two("tony")),
			userNamed("zoe", two("google")),
		]);
		expect(json).toMatchObject({ imported: 2, refused: [{ index: 1, code: "INVALID_VALUE" }] });
		expect((await usersOf(a)).map(({ name }) => name)).toEqual(["ada", "zoe"]);
		expect(await accountsOf(a)).toHaveLength(3);
		expect(await usersOf(b)).toEqual([]);
	});

	// threat 44
	it("returns 404 and imports no user if the tenant is deleted before the batch, or a line of it, is done", {
		timeout: 180_000,
	}, async () => {
		for (const database of ["postgres", "mysql"] as const) {
			const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
			await slowDown(world, database);
			const stays = await world.newTenant();
			await importUsers(stays, [userNamed("ada")]);
			// the second batch has a line that the database rejects, so each line is written separately
			for (const others of [
				[userNamed("ada")],
				[userNamed("ada"), userNamed("a-bad", { createdAt: "9000-01-01T00:00:00Z" })],
			]) {
				const gone = await world.newTenant();
				const release = await takeLock(world);
				const under = importUsers(gone, [...others, userNamed("slow")]);
				const waiting = async () => Number((await world.database.query(WAITING[database]))[0]?.n);
				await expect.poll(waiting, { timeout: 120_000, interval: 20 }).toBe(1);
				expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } })).status).toBe(200);
				await release();
				const answer = await under;
				expect([database, answer.status, answer.code]).toEqual([database, 404, "TENANT_NOT_FOUND"]);
				expect([...(await usersOf(gone)), ...(await accountsOf(gone))]).toEqual([]);
			}
			expect(await usersOf(stays)).toHaveLength(1);
		}
	});
});
