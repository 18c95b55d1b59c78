import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { fromPath, fromSubdomain } from "../../src/resolvers.ts";
import { createHostedWorld } from "./support/hosted-world.ts";

const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("tenants on their own hosts", () => {
	it("signs up the same email in two tenants, found by slug and by domain without an own lookup", async () => {
		const { at, acme, globex, addDomain } = await createHostedWorld();
		expect((await addDomain(globex, "login.globex.com")).status).toBe(200);
		const first = await at("acme.localhost", "/sign-up/email", { body: person });
		const second = await at("login.globex.com", "/sign-up/email", { body: person });
		const third = await at("globex.localhost", "/sign-up/email", { body: { ...person, email: "grace@example.com" } });
		expect([first, second, third].map(({ json }) => json.user.tenantId)).toEqual([acme, globex, globex]);
	});

	it("follows a changed slug and domain at once, and asks the database once per name", async () => {
		const { at, call, acme, globex, addDomain, database } = await createHostedWorld();
		const sessionAt = async (host: string) => (await at(host, "/get-session")).status;
		expect([await sessionAt("new.localhost"), await sessionAt("login.acme.com")]).toEqual([404, 404]);

		await call("/tenant/update", { operator: true, body: { tenantId: acme, slug: "new" } });
		expect([await sessionAt("new.localhost"), await sessionAt("acme.localhost")]).toEqual([200, 404]);
		await addDomain(acme, "login.acme.com");
		expect(await sessionAt("login.acme.com")).toBe(200);
		const remove = { tenantId: acme, domain: "login.acme.com" };
		expect((await call("/tenant/domain/remove", { operator: true, body: remove })).json).toEqual({ success: true });
		expect(await sessionAt("login.acme.com")).toBe(404);
		await addDomain(globex, "login.acme.com");
		const made = await at("login.acme.com", "/sign-up/email", { body: person });
		expect(made.json.user.tenantId).toBe(globex);
		const rows = await database.query('select * from "tenantDomain"');
		expect(rows).toMatchObject([{ tenantId: globex, domain: "login.acme.com" }]);

		database.statements.length = 0;
		for (let n = 0; n < 3; n += 1) expect(await sessionAt("globex.localhost")).toBe(200);
		expect(database.statements.filter((statement) => statement.includes('"slug" ='))).toHaveLength(1);
	});

	it("keeps an own lookup, and hands the plugin's lookup to own resolvers", async () => {
		const world = await createHostedWorld({
			tenantAuth: { resolveTenantId: ({ headers, tenants }) => tenants?.bySlug(headers?.get("x-workspace") ?? "") },
		});
		const made = await world.call("/sign-up/email", { headers: { "x-workspace": "globex" }, body: person });
		expect(made.json.user.tenantId).toBe(world.globex);

		const ids = new Map<string, string>();
		const resolveTenantId = fromSubdomain({ domain: "localhost", findTenantId: (label) => ids.get(label) });
		const own = await createHostedWorld({ tenantAuth: { resolveTenantId } });
		ids.set("other", own.acme);
		expect((await own.at("other.localhost", "/sign-up/email", { body: person })).json.user.tenantId).toBe(own.acme);
		expect((await own.at("acme.localhost", "/sign-up/email", { body: person })).code).toBe("TENANT_NOT_FOUND");
	});

	it("says where a resolver belongs if it is called without the plugin's lookup", async () => {
		const headers = new Headers({ host: "acme.localhost" });
		const call = async (options: { findTenantId?: (slug: string) => string }) =>
			fromSubdomain({ domain: "localhost", ...options })({ path: "/", headers });
		await expect(call({})).rejects.toThrow("Pass it to tenantAuth({ resolveTenantId }), or set findTenantId");
		expect(await call({ findTenantId: (slug) => `id of ${slug}` })).toBe("id of acme");
	});

	it("mails links with the tenant's host from server code that passes the host", async () => {
		const { auth, lastMail, signUpAt, acme } = await createHostedWorld();
		await signUpAt("acme.localhost", person.email);
		const body = { email: person.email, redirectTo: "/reset" };
		const ask = (headers: Record<string, string>) =>
			auth.api.requestPasswordReset({ body, headers: new Headers(headers) });
		await ask({ host: "acme.localhost" });
		expect(new URL(lastMail("reset").url).origin).toBe("http://acme.localhost:3000");
		await ask({ "x-tenant-id": acme });
		expect(new URL(lastMail("reset").url).origin).toBe("http://localhost:3000");
		await expect(ask({ host: "unknown.localhost" })).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
	});

	it("looks slugs in paths up, and rejects a path of no tenant", async () => {
		const resolve = fromPath({ pattern: "/t/:tenant/" });
		const tenants = {
			bySlug: async (slug: string) => (slug === "acme" ? "tenant-acme" : null),
			byDomain: async () => null,
		};
		const to = (path: string) => resolve({ path: "/x", request: new Request(`https://example.com${path}`), tenants });
		expect(await to("/t/acme/x")).toBe("tenant-acme");
		expect(await to("/x")).toBeNull();
		await expect(async () => to("/t/globex/x")).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
	});

	it("ends with a deleted tenant: its hosts are rejected and its domain is free", async () => {
		const { at, call, acme, globex, addDomain } = await createHostedWorld();
		await addDomain(acme, "login.acme.com");
		expect((await at("login.acme.com", "/get-session")).status).toBe(200);
		await call("/tenant/delete", { operator: true, body: { tenantId: acme } });
		for (const host of ["acme.localhost", "login.acme.com"])
			expect([host, (await at(host, "/get-session")).code]).toEqual([host, "TENANT_NOT_FOUND"]);
		expect((await addDomain(globex, "login.acme.com")).status).toBe(200);
		expect((await at("login.acme.com", "/get-session")).status).toBe(200);
	});
});
