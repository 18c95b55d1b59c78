import { createAuthEndpoint } from "@better-auth/core/api";
import type { BetterAuthOptions } from "better-auth";
import { dispatchAuthEndpoint } from "better-auth/api";
import { createWorld, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };
const usersByTenant = async (world: World) =>
	(await world.database.query('select "tenantId", "email" from "user" order by "email"')).map(
		(row) => `${row.email} ${row.tenantId}`,
	);

describe("a resolver that calls auth.api", () => {
	// threat 53
	it("does not pin the request that it resolves", async () => {
		const own: { world?: World } = {};
		const world = await createWorld({
			tenantAuth: {
				resolveTenantId: async ({ headers }) => {
					const slug = headers?.get("x-slug");
					return slug ? (await own.world?.auth.api.getTenant({ query: { slug } }))?.id : null;
				},
			},
		});
		own.world = world;
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		expect((await world.call("/sign-up/email", { headers: { "x-slug": "acme" }, body: ada })).json.user.tenantId).toBe(
			a,
		);
		expect(await usersByTenant(world)).toEqual([`ada@example.com ${a}`]);
		expect((await world.call("/sign-in/email", { headers: { "x-slug": "globex" }, body: ada })).status).toBe(401);
		expect(
			(await world.call("/tenant/sign-up/email", { headers: { "x-slug": "globex" }, body: ada })).json.user.tenantId,
		).toBe(b);
		expect((await world.call("/sign-in/email", { body: ada })).status).toBe(401);
	});

	it("is not called again by its own calls", async () => {
		const own: { world?: World } = {};
		const world = await createWorld({
			tenantAuth: {
				resolveTenantId: async ({ headers }) => {
					await own.world?.auth.api.getSession({ headers: headers ?? new Headers() });
					return null;
				},
			},
		});
		own.world = world;
		const tenant = await world.newTenant();
		expect((await world.call("/sign-up/email", { tenant, body: ada })).json.user.tenantId).toBe(tenant);
	});
});

/** A world that runs application code when it creates a user. */
const createHooked = async (
	hook: (world: World, email: string) => Promise<unknown>,
	when: "before" | "after" = "after",
	options: { database?: "postgres"; redis?: boolean } = {},
) => {
	const own: { world?: World } = {};
	const run = async (user: { email: string }) => {
		if (own.world && user.email === ada.email) await hook(own.world, user.email);
	};
	const databaseHooks: BetterAuthOptions["databaseHooks"] = {
		user: { create: when === "after" ? { after: run } : { before: run } },
	};
	const world = await createWorld({ ...options, engine: { databaseHooks } });
	own.world = world;
	return world;
};

describe("a call inside another tenant's request", () => {
	// threat 53
	it("is rejected if it names another tenant, which only runWithTenant allows", async () => {
		const refused: unknown[] = [];
		const ids: { b?: string } = {};
		const world = await createHooked(async ({ auth }) => {
			const grace = { name: "Grace", email: "grace@example.com", password: PASSWORD };
			const calls = [
				() => auth.api.signUpTenantEmail({ body: { ...grace, tenantId: ids.b ?? "" } }),
				() => auth.api.signUpEmail({ body: grace, headers: new Headers({ "x-tenant-id": ids.b ?? "" }) }),
			];
			for (const call of calls) await call().catch((error) => refused.push(error.body?.code));
			const other = new Request(`${ORIGIN}/api/auth/sign-up/email`, {
				method: "POST",
				headers: { "content-type": "application/json", "x-tenant-id": ids.b ?? "" },
				body: JSON.stringify(grace),
			});
			refused.push((await auth.handler(other)).status);
			await runWithTenant(ids.b ?? "", () => auth.api.signUpEmail({ body: { ...grace, email: "named@example.com" } }));
		});
		const a = await world.newTenant();
		ids.b = await world.newTenant();
		expect((await world.call("/sign-up/email", { tenant: a, body: ada })).status).toBe(200);
		expect(refused).toEqual(["TENANT_SCOPE_CONFLICT", "TENANT_SCOPE_CONFLICT", 409]);
		expect(await usersByTenant(world)).toEqual([`ada@example.com ${a}`, `named@example.com ${ids.b}`]);
	});

	// threat 53
	it("is scoped again if its context is passed into another tenant", async () => {
		const ids: { b?: string } = {};
		const seal = createAuthEndpoint("/secret-of-scope", { method: "GET" }, async ({ context }) => ({
			secret: context.secret,
		}));
		const handOn = createAuthEndpoint("/hand-on", { method: "GET" }, async (ctx) => {
			const [own, other] = await Promise.all([
				dispatchAuthEndpoint(seal, { ...ctx, asResponse: false, returnHeaders: false, returnStatus: false }),
				runWithTenant(ids.b ?? "", () =>
					dispatchAuthEndpoint(seal, { ...ctx, asResponse: false, returnHeaders: false, returnStatus: false }),
				),
			]);
			return { own, other };
		});
		const world = await createWorld({ plugins: [{ id: "handing-on", endpoints: { seal, handOn } }] });
		const a = await world.newTenant();
		ids.b = await world.newTenant();
		const secretOf = async (tenant: string) => (await world.call("/secret-of-scope", { tenant })).json;
		const handed = (await world.call("/hand-on", { tenant: a })).json;
		expect(handed).toEqual({ own: await secretOf(a), other: await secretOf(ids.b) });
		expect(handed.own).not.toBe(handed.other);
	});

	// threats 40 and 65
	it("cannot reference a row of its own tenant from another tenant", async () => {
		const refused: unknown[] = [];
		const ids: { b?: string } = {};
		const world = await createHooked(async ({ auth }, email) => {
			const { internalAdapter } = await auth.$context;
			const seen = await internalAdapter.findUserByEmail(email);
			const account = { userId: seen?.user.id ?? "", providerId: "github", accountId: "1" };
			await runWithTenant(ids.b ?? "", () => internalAdapter.createAccount(account)).catch((error) =>
				refused.push(error.body?.code),
			);
			await internalAdapter.createAccount(account);
		});
		const a = await world.newTenant();
		ids.b = await world.newTenant();
		expect((await world.call("/sign-up/email", { tenant: a, body: ada })).status).toBe(200);
		expect(refused).toEqual(["REFERENCE_NOT_IN_TENANT"]);
		expect(await world.database.query(`select "tenantId" from "account" where "providerId" = 'github'`)).toEqual([
			{ tenantId: a },
		]);
	});

	it("stays in the request's tenant without a hint", async () => {
		const world = await createHooked(({ auth }) =>
			auth.api.signUpEmail({ body: { name: "Grace", email: "grace@example.com", password: PASSWORD } }),
		);
		const a = await world.newTenant();
		await world.call("/sign-up/email", { tenant: a, body: ada });
		expect(await usersByTenant(world)).toEqual([`ada@example.com ${a}`, `grace@example.com ${a}`]);
	});

	it("looks up tenants on the transaction's connection, so the pool does not run out", async () => {
		const world = await createHooked(({ auth }) => auth.api.getTenant({ query: { slug: "acme" } }), "before", {
			database: "postgres",
		});
		const tenant = await world.newTenant("acme");
		const others = Array.from({ length: 19 }, () => world.newTenant());
		const tenants = [tenant, ...(await Promise.all(others))];
		const answers = await Promise.all(tenants.map((id) => world.call("/sign-up/email", { tenant: id, body: ada })));
		expect(answers.map(({ status }) => status)).toEqual(tenants.map(() => 200));
	});

	it("ends the sessions of a user it deletes in another tenant, in Redis too", async () => {
		const victim: { id?: string; tenantId?: string } = {};
		const world = await createHooked(
			async ({ auth }) => {
				const { internalAdapter } = await auth.$context;
				await runWithTenant(victim.tenantId ?? "", () => internalAdapter.deleteUser(victim.id ?? ""));
			},
			"before",
			{ database: "postgres", redis: true },
		);
		const a = await world.newTenant();
		victim.tenantId = await world.newTenant();
		const browser = await world.signUp(victim.tenantId, "victim@example.com");
		victim.id = (await world.call("/get-session", { browser })).json.user.id;
		await world.call("/sign-up/email", { tenant: a, body: ada });
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});

	it("may continue after the transaction in which it started", async () => {
		const later: Promise<unknown>[] = [];
		const world = await createHooked(async ({ auth }) => {
			later.push(new Promise((resolve) => setTimeout(resolve, 300)).then(() => auth.api.listTenants()));
		}, "before");
		await world.call("/sign-up/email", { tenant: await world.newTenant(), body: ada });
		expect(await Promise.all(later)).toEqual([[expect.objectContaining({ name: expect.any(String) })]]);
	});
});
