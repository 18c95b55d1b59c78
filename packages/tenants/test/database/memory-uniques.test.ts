import { createWorld, PASSWORD, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

/** A world on the in-memory database, which Better Auth uses if there is no `database`. */
const createMemoryWorld = (options: WorldOptions = {}) =>
	createWorld({ ...options, engine: { database: undefined, ...options.engine } });

const EIGHT = Array.from({ length: 8 }, (_, at) => at);

describe("the in-memory database", () => {
	it("keeps slugs unique when tenants are created and updated, also at the same time", async () => {
		const world = await createMemoryWorld();
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		const update = (tenantId: string, fields: object) =>
			world.call("/tenant/update", { operator: true, body: { tenantId, ...fields } });
		const taken = await update(b, { slug: "acme" });
		expect([taken.status, taken.code]).toEqual([409, "TENANT_SLUG_TAKEN"]);
		expect((await update(a, { slug: "acme", name: "Same slug" })).status).toBe(200);
		const parallel = await Promise.all([a, b].map((tenantId) => update(tenantId, { slug: "initech" })));
		expect(parallel.map(({ status }) => status).toSorted()).toEqual([200, 409]);
		const created = await Promise.all(
			EIGHT.map(() => world.call("/tenant/create", { operator: true, body: { name: "Umbrella", slug: "umbrella" } })),
		);
		expect(created.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status, code } of created.filter((one) => one.status !== 200))
			expect([status, code]).toEqual([409, "TENANT_SLUG_TAKEN"]);
		const listed = await world.call("/tenant/list", { operator: true });
		const slugs = (JSON.parse(listed.text) as { slug: string }[]).map(({ slug }) => slug);
		expect([slugs.length, new Set(slugs).size]).toEqual([3, 3]);
	});

	it("keeps one config per tenant and provider after parallel registrations", async () => {
		const world = await createMemoryWorld();
		const tenants = [await world.newTenant(), await world.newTenant()];
		const answers = await Promise.all(
			tenants.flatMap((tenantId) =>
				EIGHT.map((at) =>
					world.call("/tenant/oauth-config/register", {
						operator: true,
						body: { tenantId, providerId: "github", clientId: `client-${at}`, clientSecret: "secret" },
					}),
				),
			),
		);
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		for (const tenantId of tenants) {
			const listed = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } });
			expect(JSON.parse(listed.text)).toHaveLength(1);
		}
	});

	it("keeps one user per tenant and email after parallel sign-ups", async () => {
		const world = await createMemoryWorld();
		const tenants = [await world.newTenant(), await world.newTenant()];
		const email = "ada@example.com";
		const signUp = (tenantId: string) =>
			world.call("/tenant/sign-up/email", { body: { tenantId, email, password: PASSWORD, name: "Ada" } });
		await Promise.all(tenants.flatMap((tenantId) => EIGHT.map(() => signUp(tenantId))));
		const { internalAdapter } = await world.auth.$context;
		for (const tenantId of tenants)
			expect(await runWithTenant(tenantId, () => internalAdapter.listUsers(100))).toHaveLength(1);
	});

	it("keeps emails unique in a tenant when a user changes theirs", async () => {
		const world = await createMemoryWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const [tenantId, name] of [
			[a, "ada"],
			[a, "grace"],
			[b, "grace"],
		] as const)
			await world.signUp(tenantId, `${name}@example.com`);
		const { internalAdapter } = await world.auth.$context;
		const rename = (tenantId: string, from: string, to: string) =>
			runWithTenant(tenantId, () => internalAdapter.updateUserByEmail(from, { email: to }));
		await expect(rename(a, "grace@example.com", "ada@example.com")).rejects.toThrow("has the same");
		await rename(b, "grace@example.com", "ada@example.com");
		const emailsIn = async (tenantId: string) =>
			(await runWithTenant(tenantId, () => internalAdapter.listUsers(100))).map(({ email }) => email).sort();
		expect([await emailsIn(a), await emailsIn(b)]).toEqual([
			["ada@example.com", "grace@example.com"],
			["ada@example.com"],
		]);
	});

	it("lets a hook of a transaction write without its adapter", async () => {
		const world = await createMemoryWorld({
			engine: {
				databaseHooks: {
					user: {
						create: {
							after: async (user, ctx) => {
								await ctx?.context.adapter.update({
									model: "user",
									where: [{ field: "id", value: user.id }],
									update: { name: "Renamed" },
								});
							},
						},
					},
				},
			},
		});
		for (const tenantId of [await world.newTenant(), await world.newTenant()])
			await world.signUp(tenantId, "ada@example.com");
	});
});
