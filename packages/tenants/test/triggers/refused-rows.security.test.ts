import { betterAuth } from "better-auth";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type ClosingWorld, createClosingWorld } from "./support/closing-world.ts";
import { openTransaction } from "./support/open-transaction.ts";

const rowOf = (tenantId: string): string =>
	`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt", "tenantId") values ('late', 'x', 'x', '2030-01-01', '2030-01-01', '2030-01-01', '${tenantId}')`;

/** A second process, which remembers the tenants as open that it has served. */
const otherProcess = ({ options }: ClosingWorld) => {
	const auth = betterAuth(options);
	return async (tenant: string, email: string): Promise<{ status: number; code: string | undefined }> => {
		const headers = { origin: ORIGIN, "content-type": "application/json", "x-tenant-id": tenant };
		const body = JSON.stringify({ name: "Ada", email, password: PASSWORD });
		const response = await auth.handler(
			new Request(`${ORIGIN}/api/auth/sign-up/email`, { method: "POST", headers, body }),
		);
		const { code } = (await response.json()) as { code?: string };
		return { status: response.status, code };
	};
};

describe.each(["postgres", "mysql"] as const)("a transaction on %s with triggers", (database) => {
	// threat 44
	it("that has passed the check commits before its tenant is closed, and its row is deleted", async () => {
		const world = await createClosingWorld({ database });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const { run, end } = await openTransaction(world.database);
		await run("begin");
		await run(rowOf(tenant));
		// the check of PostgreSQL, which it makes at the commit
		if (database === "postgres") await run("set constraints all immediate");
		const deleting = world.operate("delete", tenant);
		expect(await world.orBlocked(deleting)).toBe(false);
		await run("commit");
		end();
		expect((await deleting).json).toEqual({ success: true });
		expect(await world.rowsOf(tenant)).toEqual({});
	});

	// threat 107
	it("that has passed the check of a changed email commits before its tenant is suspended", async () => {
		const world = await createClosingWorld({ database, companions: true });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const { run, end } = await openTransaction(world.database);
		// in stricter levels, MariaDB itself locks what a trigger reads
		if (database === "mysql") await run("set transaction isolation level read committed");
		await run("begin");
		await run(`update "user" set "email" = 'new@example.com' where "tenantId" = '${tenant}'`);
		if (database === "postgres") await run("set constraints all immediate");
		const suspending = world.operate("suspend", tenant, { reason: "incident" });
		expect(await world.orBlocked(suspending)).toBe(false);
		await run("commit");
		end();
		expect((await suspending).json).toMatchObject({ lifecycle: { status: "suspended" } });
	});

	// threat 44
	it("that reads a snapshot from before the closing is refused", async () => {
		const world = await createClosingWorld({ database });
		const [tenant, neighbor] = [await world.newTenant(), await world.newTenant()];
		for (const one of [tenant, neighbor]) await world.signUp(one, "ada@example.com");
		for (const into of [tenant, neighbor]) {
			const { run, end } = await openTransaction(world.database);
			// the default of MySQL
			await run(database === "postgres" ? "begin isolation level repeatable read" : "begin");
			await run('select "status" from "tenant"');
			if (into === tenant) expect((await world.operate("delete", tenant)).json).toEqual({ success: true });
			const writing = run(rowOf(into)).then(() => run("commit"));
			await (into === tenant ? expect(writing).rejects.toThrow() : writing);
			await run("rollback");
			end();
		}
		expect(await world.rowsOf(tenant)).toEqual({});
		expect(await world.rowsOf(neighbor)).toMatchObject({ verification: 1 });
	});
});

describe.each(["postgres", "mysql", "sqlite"] as const)("another process on %s with triggers", (database) => {
	// threats 41 and 44
	it("that still takes a deleted tenant for open writes nothing into it", async () => {
		const world = await createClosingWorld({ database });
		const [tenant, neighbor] = [await world.newTenant(), await world.newTenant()];
		const signUp = otherProcess(world);
		for (const one of [tenant, neighbor]) expect((await signUp(one, "ada@example.com")).status).toBe(200);
		expect((await world.operate("delete", tenant)).json).toEqual({ success: true });
		expect(await signUp(tenant, "bob@example.com")).toEqual({ status: 404, code: "TENANT_NOT_FOUND" });
		expect(await world.rowsOf(tenant)).toEqual({});
		expect((await signUp(neighbor, "bob@example.com")).status).toBe(200);
	});

	// threat 107
	it("that still takes a suspended tenant for open writes nothing into it", async () => {
		const world = await createClosingWorld({ database, companions: true });
		const [tenant, neighbor] = [await world.newTenant(), await world.newTenant()];
		const signUp = otherProcess(world);
		for (const one of [tenant, neighbor]) expect((await signUp(one, "ada@example.com")).status).toBe(200);
		expect((await world.operate("suspend", tenant, { reason: "incident" })).status).toBe(200);
		const before = await world.waysIn(tenant);
		expect(await signUp(tenant, "bob@example.com")).toEqual({ status: 403, code: "TENANT_SUSPENDED" });
		expect(await world.waysIn(tenant)).toEqual(before);
		expect((await signUp(neighbor, "bob@example.com")).status).toBe(200);
		expect((await world.operate("restore", tenant)).status).toBe(200);
		expect((await signUp(tenant, "bob@example.com")).status).toBe(200);
	});
});
