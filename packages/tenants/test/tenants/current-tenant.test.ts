import { runWithTransaction } from "@better-auth/core/context";
import { createAuthClient } from "better-auth/client";
import { createWorld, MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuthClient } from "../../src/client.ts";
import { runWithTenant, type TenantAuthOptions } from "../../src/index.ts";
import { fromPath, serveTenantPaths } from "../../src/resolvers.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

const PATH = "/tenant/current";

const branding: TenantAuthOptions["branding"] = ({ metadata }) => ({
	logo: metadata?.logo ? String(metadata.logo) : undefined,
	accent: "#0057b8",
});

/** Acme has a logo, Globex has none. */
const createBrandedWorld = async () => {
	const world = await createHostedWorld({ tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, branding } });
	await world.addDomain(world.globex, "login.globex.com");
	const body = { tenantId: world.acme, name: "Acme", metadata: { logo: "/acme.svg", plan: "gold" } };
	await world.call("/tenant/update", { operator: true, body });
	const methods = async (tenantId: string) => (await world.call("/tenant/methods", { query: { tenantId } })).json;
	return { ...world, methods };
};

describe("the tenant of a page", () => {
	it("is the tenant of its host: subdomain or domain, with branding and methods", async () => {
		const { at, acme, globex, methods } = await createBrandedWorld();
		const answer = await at("acme.localhost", PATH);
		expect(answer.json).toEqual({
			id: acme,
			slug: "acme",
			name: "Acme",
			branding: { logo: "/acme.svg", accent: "#0057b8" },
			methods: await methods(acme),
		});
		for (const host of ["globex.localhost", "login.globex.com"])
			expect((await at(host, PATH)).json).toEqual({
				id: globex,
				slug: "globex",
				name: "Tenant globex",
				branding: { accent: "#0057b8" },
				methods: await methods(globex),
			});
	});

	it("is null on the platform, and 404 on a host of nobody", async () => {
		const { at } = await createBrandedWorld();
		const platform = await at("localhost", PATH);
		expect([platform.status, platform.text]).toEqual([200, "null"]);
		for (const host of ["unknown.localhost", "login.unknown.com"]) {
			const answer = await at(host, PATH);
			expect([answer.status, answer.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
	});

	it("is known to server code by the headers alone", async () => {
		const { auth, acme, globex } = await createBrandedWorld();
		const at = (host: string) => auth.api.getCurrentTenant({ headers: new Headers({ host }) });
		expect(await at("acme.localhost:3000")).toMatchObject({ id: acme, branding: { logo: "/acme.svg" } });
		expect(await at("login.globex.com")).toMatchObject({ id: globex });
		expect(await at("localhost:3000")).toBeNull();
		await expect(at("unknown.localhost:3000")).rejects.toMatchObject({
			statusCode: 404,
			body: { code: "TENANT_NOT_FOUND" },
		});
		// @ts-expect-error a call without headers could only be wrong
		await expect(auth.api.getCurrentTenant({})).rejects.toThrow();
		expect(await runWithTenant(acme, () => at("globex.localhost:3000"))).toMatchObject({ id: acme });
	});

	it("is the tenant of its path, and 404 on a path of nobody", async () => {
		const world = await createWorld({ tenantAuth: { resolveTenantId: fromPath({ pattern: "/t/:tenant/" }) } });
		const handler = serveTenantPaths(world.auth, { pattern: "/t/:tenant" });
		for (const slug of ["acme", "globex"]) await world.auth.api.createTenant({ body: { name: slug, slug } });
		const at = async (path: string) => {
			const response = await handler(new Request(`${ORIGIN}${path}/api/auth${PATH}`));
			return [response.status, (await response.json())?.slug];
		};
		expect(await at("/t/acme")).toEqual([200, "acme"]);
		expect(await at("/t/globex")).toEqual([200, "globex"]);
		expect(await at("")).toEqual([200, undefined]);
		expect(await at("/t/unknown")).toEqual([404, undefined]);
		const request = new Request(`${ORIGIN}/t/globex/home`);
		expect(
			await world.auth.api.getCurrentTenant({ headers: request.headers, request, asResponse: false }),
		).toMatchObject({
			slug: "globex",
		});
	});

	it("is the tenant that header, query or client name, else the session's", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = await world.signUp(a, "ada@example.com");
		const id = async (options: Parameters<typeof world.call>[1]) => (await world.call(PATH, options)).json?.id;
		expect(await id({ tenant: a })).toBe(a);
		expect(await id({ query: { tenantId: b } })).toBe(b);
		expect(await id({ browser })).toBe(a);
		expect(await id({})).toBeUndefined();
		// the session of another tenant changes nothing
		expect((await world.call(PATH, { tenant: b, browser })).text).toBe((await world.call(PATH, { tenant: b })).text);
		const unknown = await world.call(PATH, { tenant: "unknown", browser });
		expect([unknown.status, unknown.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		const client = createAuthClient({
			baseURL: ORIGIN,
			plugins: [tenantAuthClient({ tenantId: b })],
			fetchOptions: { customFetchImpl: async (input, init) => world.auth.handler(new Request(input, init)) },
		});
		expect((await client.tenant.current()).data).toMatchObject({ id: b, branding: {} });
	});

	it("takes no query once it is known, and shows a change at once in this process", async () => {
		const { at, acme, call, database } = await createBrandedWorld();
		for (const host of ["acme.localhost", "globex.localhost"]) await at(host, PATH);
		database.statements.length = 0;
		expect((await at("acme.localhost", PATH)).json.name).toBe("Acme");
		expect((await at("globex.localhost", PATH)).json.name).toBe("Tenant globex");
		expect(database.statements).toEqual([]);
		await call("/tenant/update", { operator: true, body: { tenantId: acme, name: "Acme Corp", metadata: null } });
		expect((await at("acme.localhost", PATH)).json).toMatchObject({
			name: "Acme Corp",
			branding: { accent: "#0057b8" },
		});
		expect((await at("globex.localhost", PATH)).json.name).toBe("Tenant globex");
	});

	it("is gone with the tenant, and a new one with its id is shown at once", async () => {
		const { at, acme, call, auth, globex } = await createBrandedWorld();
		await at("acme.localhost", PATH);
		await call("/tenant/delete", { operator: true, body: { tenantId: acme } });
		const gone = await call(PATH, { tenant: acme });
		expect([gone.status, gone.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		await auth.api.importTenant({ body: { id: acme, name: "New Acme", slug: "acme" } });
		expect((await at("acme.localhost", PATH)).json).toMatchObject({ id: acme, name: "New Acme" });
		expect((await at("globex.localhost", PATH)).json.id).toBe(globex);
	});

	it("is not kept as a transaction saw it that is rolled back", async () => {
		const { acme, globex, auth } = await createHostedWorld({ database: "postgres" });
		const { adapter } = await auth.$context;
		const names = () =>
			Promise.all(
				["acme", "globex"].map(async (slug) => {
					const headers = new Headers({ host: `${slug}.localhost:3000` });
					return (await auth.api.getCurrentTenant({ headers }))?.name;
				}),
			);
		const renamed = runWithTransaction(adapter, async () => {
			for (const tenantId of [acme, globex]) await auth.api.updateTenant({ body: { tenantId, name: "Renamed" } });
			throw new Error(`seen: ${await names()}`);
		});
		await expect(renamed).rejects.toThrow("seen: Renamed,Renamed");
		expect(await names()).toEqual(["Tenant acme", "Tenant globex"]);
	});
});
