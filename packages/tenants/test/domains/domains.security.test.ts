import { MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { normalizeDomain } from "../../src/resolve/host-name.ts";
import { fromCustomDomain } from "../../src/resolvers.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

describe("a tenant's domain", () => {
	// threat 89
	it("has one owner: another tenant cannot claim it, in no spelling and at no time", async () => {
		const { addDomain, call, acme, globex, database } = await createHostedWorld();
		expect((await addDomain(acme, "Login.Acme.com.")).json).toMatchObject({ tenantId: acme, domain: "login.acme.com" });
		// the same tenant again
		expect((await addDomain(acme, "login.acme.com")).status).toBe(200);
		for (const typed of ["login.acme.com", "LOGIN.acme.COM", "login.acme.com.", "ｌogin.acme.com"]) {
			const answer = await addDomain(globex, typed);
			expect([typed, answer.status, answer.code]).toEqual([typed, 409, "DOMAIN_TAKEN"]);
		}
		const racers = await Promise.all([acme, globex, acme, globex].map((id) => addDomain(id, "bücher.example")));
		expect(new Set(racers.map(({ status }) => status))).toEqual(new Set([200, 409]));
		const rows = await database.query('select "domain" from "tenantDomain" order by "domain"');
		expect(rows.map(({ domain }) => domain)).toEqual(["login.acme.com", "xn--bcher-kva.example"]);

		// removing another tenant's domain is the same as removing one that nobody has
		const remove = (tenantId: string, domain: string) =>
			call("/tenant/domain/remove", { operator: true, body: { tenantId, domain } });
		const [foreign, missing] = [await remove(globex, "login.acme.com"), await remove(globex, "nobody.example")];
		expect([foreign.status, foreign.json]).toEqual([404, missing.json]);
		const list = (tenantId: string) => call("/tenant/domain/list", { operator: true, query: { tenantId } });
		expect((await list(acme)).json).toMatchObject(
			expect.arrayContaining([expect.objectContaining({ domain: "login.acme.com" })]),
		);
		expect((await list("missing")).code).toBe("TENANT_NOT_FOUND");
	});

	// threat 89
	it.each([
		"localhost",
		"acme.localhost",
		"globex.localhost",
		"unused.localhost",
		"a.b.localhost",
		"127.0.0.1",
		"2130706433",
		"[::1]",
		"single",
		"login.acme.com:443",
		"https://login.acme.com",
		"login.acme.com/x",
		"user@login.acme.com",
		"*.acme.com",
		"login..acme.com",
		"-.acme.com",
		"a b.com",
		`${"a".repeat(64)}.com`,
	])("cannot be a host of the platform or of a subdomain, or no public host: %s", async (domain) => {
		const { addDomain, acme, database } = await createHostedWorld();
		const answer = await addDomain(acme, domain);
		expect([answer.status, answer.code]).toEqual([400, "INVALID_DOMAIN"]);
		expect(await database.query('select * from "tenantDomain"')).toEqual([]);
	});

	// threat 89
	it("cannot be the platform's host, even if it was stored before", async () => {
		const { addDomain, at, acme, globex, auth, database } = await createHostedWorld({
			tenantAuth: { resolveTenantId: fromCustomDomain({ platformHosts: ["admin.example.com"] }) },
		});
		for (const tenant of [acme, globex])
			expect((await addDomain(tenant, "admin.example.com")).code).toBe("INVALID_DOMAIN");
		expect(auth.options.baseURL).toBeTypeOf("object");
		await database.query(
			`insert into "tenantDomain" ("id", "tenantId", "domain", "createdAt") values ('1', '${acme}', 'admin.example.com', '2026-01-01T00:00:00.000Z')`,
		);
		const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		expect((await at("admin.example.com", "/sign-up/email", { body: person })).code).toBe("PLATFORM_SIGN_UP_CLOSED");
		expect(await database.query('select * from "user"')).toEqual([]);
		expect((await at("admin.example.com", "/tenant/list", { operator: true })).status).toBe(200);
	});

	// threat 89
	it("never overrides another tenant's subdomain, even if it was stored before", async () => {
		const { at, acme, globex, database } = await createHostedWorld();
		await database.query(
			`insert into "tenantDomain" ("id", "tenantId", "domain", "createdAt") values ('1', '${globex}', 'acme.localhost', '2026-01-01T00:00:00.000Z')`,
		);
		const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		const made = await at("acme.localhost", "/sign-up/email", { body: person });
		expect(made.json.user.tenantId).toBe(acme);
	});

	// threat 89
	it("is added by operators only, whatever `authorize` says", async () => {
		const asked: string[] = [];
		const { addDomain, at, acme, globex, signUpAt, auth, database } = await createHostedWorld({
			tenantAuth: {
				management: {
					keys: [MANAGEMENT_KEY],
					authorize: ({ action, tenantId, session }) => {
						asked.push(action);
						return tenantId !== null && session?.session.tenantId === tenantId;
					},
				},
			},
		});
		const ada = await signUpAt("acme.localhost", "ada@example.com");
		const own = { tenantId: acme, domain: "login.acme.com" };
		const claimed = await at("acme.localhost", "/tenant/domain/add", { browser: ada, body: own });
		expect([claimed.status, claimed.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		expect((await addDomain(acme, "login.acme.com", {})).status).toBe(401);
		expect(asked).toEqual([]);
		expect(await database.query('select * from "tenantDomain"')).toEqual([]);

		// server code, after it checked the DNS
		expect(await auth.api.addTenantDomain({ body: own })).toMatchObject(own);
		// list and remove are about the tenant's own domains
		const list = await at("acme.localhost", "/tenant/domain/list", { browser: ada, query: { tenantId: acme } });
		expect(list.json).toMatchObject([own]);
		const other = await at("acme.localhost", "/tenant/domain/list", { browser: ada, query: { tenantId: globex } });
		expect(other.code).toBe("TENANT_MANAGEMENT_NOT_ALLOWED");
	});
});

describe("a domain", () => {
	it("is stored in one spelling", () => {
		const spellings: [typed: string, stored: string | null][] = [
			["Login.ACME.com", "login.acme.com"],
			["login.acme.com.", "login.acme.com"],
			["straße.example", "xn--strae-oqa.example"],
			["ＡＣＭＥ.com", "acme.com"],
			["xn--strae-oqa.example", "xn--strae-oqa.example"],
			["a_b.com", null],
			["0x7f.1", null],
			["acme.com..", null],
			["acme%2ecom", null],
			["", null],
		];
		for (const [typed, stored] of spellings) expect([typed, normalizeDomain(typed)]).toEqual([typed, stored]);
	});
});
