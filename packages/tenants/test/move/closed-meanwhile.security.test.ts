import { betterAuth } from "better-auth";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant } from "../../src/index.ts";

/** Ada and Grace in the first tenant, and what happens after one of them has moved to the second. */
const moveBoth = async (happen: (world: Awaited<ReturnType<typeof composedWorld>>) => Promise<unknown>) => {
	const world = await composedWorld([]);
	const { a, b, auth } = world;
	const userIds: string[] = [];
	for (const name of ["ada", "grace"])
		userIds.push((await world.whoami(await world.signUp(a, `${name}@example.com`))).user.id);
	const onProgress = async ({ moved }: { moved: number }) => void (moved === 1 && (await happen(world)));
	const moving = moveUsersToTenant(auth, { from: a, to: b, userIds, batchSize: 1, onProgress });
	return { ...world, moving };
};

describe("a move", () => {
	it("is not planned for tenants that do not exist", async () => {
		const { a, auth, signUp, whoami } = await composedWorld([]);
		const userIds = [(await whoami(await signUp(a, "ada@example.com"))).user.id];
		const planned = moveUsersToTenant(auth, { from: a, to: "nobody", userIds, dryRun: true });
		await expect(planned).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
	});

	it("begins only in a database that can isolate tenants", async () => {
		const { a, b, options, database, signUp, whoami, tenantsOf } = await composedWorld([]);
		const userIds = [(await whoami(await signUp(a, "ada@example.com"))).user.id];
		const unique = `select "name" from "sqlite_master" where "tbl_name" = 'user' and "sql" like 'create unique%'`;
		for (const { name } of await database.query(unique)) await database.query(`drop index "${name}"`);
		// another process, which has not looked at the database yet
		const moving = moveUsersToTenant(betterAuth(options), { from: a, to: b, userIds });
		await expect(moving).rejects.toMatchObject({ body: { code: "DATABASE_NOT_ISOLATED" } });
		expect(await tenantsOf("user")).toEqual([a]);
	});

	// threat 44
	it.each(["source", "target"])("ends if the %s is closed meanwhile, and the other users stay", async (side) => {
		const { a, b, moving, tenantsOf } = await moveBoth((world) =>
			world.database.query(
				`update "tenant" set "status" = 'deleting' where "id" = '${side === "source" ? world.a : world.b}'`,
			),
		);
		await expect(moving).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
		expect(await tenantsOf("user")).toEqual([a, b].sort());
	});

	it("ends if an email is taken meanwhile, and says whose", async () => {
		const { a, b, moving, database, tenantsOf } = await moveBoth(async (world) => {
			const [left] = await world.database.query(`select "email" from "user" where "tenantId" = '${world.a}'`);
			await world.signUp(world.b, String(left?.email));
		});
		const { moved, collisions } = await moving;
		const left = await database.query(`select "id" as "userId" from "user" where "tenantId" = '${a}'`);
		expect([moved, collisions]).toMatchObject([1, [{ ...left[0], code: "EMAIL_TAKEN" }]]);
		expect(await tenantsOf("user")).toEqual([a, b, b].sort());
	});
});
