import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { firstOf, fromCustomDomain, fromPath, fromSubdomain } from "../../src/resolvers.ts";

const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

describe("tenant resolution", () => {
	// threat 31: the specified order decides
	it("uses option, body, query and header in this order, in all 80 combinations", async () => {
		const world = await createWorld({ tenantAuth: { resolveTenantId: ({ headers }) => headers?.get("x-option") } });
		const ids = { a: await world.newTenant(), b: await world.newTenant() };
		const choices = [undefined, "a", "b"] as const;
		let combination = 0;
		for (const option of choices) {
			for (const body of choices) {
				for (const query of choices) {
					for (const header of choices) {
						const first = option ?? body ?? query ?? header;
						combination += 1;
						const answer = await world.call("/tenant/sign-up/email", {
							body: { ...person, email: `c${combination}@example.com`, ...(body ? { tenantId: ids[body] } : {}) },
							...(query ? { query: { tenantId: ids[query] } } : {}),
							headers: {
								...(option ? { "x-option": ids[option] } : {}),
								...(header ? { "x-tenant-id": ids[header] } : {}),
							},
						});
						const said = [option, body, query, header].join(",");
						// threat 34
						if (!first) expect([said, answer.status, answer.code]).toEqual([said, 400, "TENANT_ID_REQUIRED"]);
						else expect([said, answer.json.user?.tenantId]).toEqual([said, ids[first]]);
					}
				}
			}
		}
	});

	it("reads another header, or none", async () => {
		const renamed = await createWorld({ tenantAuth: { tenantHeader: "x-org" } });
		const tenantId = await renamed.newTenant();
		expect((await renamed.call("/tenant/sign-up/email", { headers: { "x-org": tenantId }, body: person })).status).toBe(
			200,
		);
		expect((await renamed.call("/tenant/sign-up/email", { tenant: tenantId, body: person })).code).toBe(
			"TENANT_ID_REQUIRED",
		);
		// threat 33
		const off = await createWorld({ tenantAuth: { tenantHeader: false } });
		expect((await off.call("/tenant/sign-up/email", { tenant: await off.newTenant(), body: person })).code).toBe(
			"TENANT_ID_REQUIRED",
		);
	});

	// threat 32
	// threat 61
	it("accepts one string: rejects arrays, objects, duplicates and joined headers before any query", async () => {
		const world = await createWorld({ database: "postgres" });
		const id = await world.newTenant();
		const odd: unknown[] = [
			["a"],
			[id, id],
			{},
			{ $ne: null },
			{ toString: "x" },
			1,
			true,
			" ",
			`${id} `,
			"a b",
			"a,b",
			"a:b",
			"a~b",
			"../x",
			"x".repeat(65),
			"\u0000",
			"ａ",
			"' or 1=1 --",
		];
		for (const tenantId of odd) {
			for (const path of ["/tenant/sign-in/email", "/sign-in/email", "/tenant/sign-in/social"]) {
				const answer = await world.call(path, { body: { ...person, provider: "github", tenantId } });
				expect([path, tenantId, answer.status]).toEqual([path, tenantId, 400]);
			}
			if (typeof tenantId !== "string" || tenantId.trim() === "") continue;
			const asked = await world.call("/get-session", { query: { tenantId } });
			expect([tenantId, asked.status, asked.code]).toEqual([tenantId, 400, "INVALID_TENANT_ID"]);
			// invalid or trimmed header values cannot be sent
			if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(tenantId)) continue;
			const headed = await world.call("/get-session", { headers: { "x-tenant-id": tenantId } });
			expect([tenantId, headed.status, headed.code]).toEqual([tenantId, 400, "INVALID_TENANT_ID"]);
		}
		const twice = await world.call(`/get-session?tenantId=${id}&tenantId=${id}`);
		expect([twice.status, twice.code]).toEqual([400, "INVALID_TENANT_ID"]);
		const joined = await world.call("/get-session", { headers: { "x-tenant-id": `${id}, ${id}` } });
		expect([joined.status, joined.code]).toEqual([400, "INVALID_TENANT_ID"]);
	});

	it("returns 404 for a missing tenant, on the plugin's and on Better Auth's endpoints", async () => {
		const world = await createWorld();
		for (const path of ["/tenant/sign-in/email", "/sign-in/email", "/request-password-reset", "/get-session"]) {
			const answer = await world.call(
				path,
				path === "/get-session" ? { tenant: "nobody" } : { tenant: "nobody", body: person },
			);
			expect([path, answer.status, answer.code]).toEqual([path, 404, "TENANT_NOT_FOUND"]);
		}
		expect((await world.call("/tenant/sign-in/email", { body: { ...person, tenantId: "platform" } })).code).toBe(
			"TENANT_ID_REQUIRED",
		);
	});

	// threat 66
	it("resolves the same tenant for every spelling of the path", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		for (const path of ["//get-session", "/get-session/", "/%67et-session", "/GET-SESSION"]) {
			const answer = await world.call(path, { browser: browser.copy(), tenant: "other" });
			expect([path, answer.status === 403 || answer.status === 404]).toEqual([path, true]);
		}
	});

	// threat 66
	it.each([
		"/tenant%2flist",
		"/tenant%2Flist",
		"/%74enant/list",
		"/tenant/%6cist",
		"/tenant/list/",
		"//tenant/list",
		"/tenant//list",
		"/TENANT/LIST",
		"/tenant/./list",
		"/ok/../tenant/list",
		"/ok/%2e%2e/tenant/list",
		"/tenant/list%00",
		"/tenant/list;x=1",
		"/tenant%5clist",
		"/tenant/list?x#",
	])("reveals no tenants at %s to callers without management rights, with or without a session", async (path) => {
		const world = await createWorld();
		const a = await world.newTenant("acme");
		const browser = await world.signUp(a, "ada@example.com");
		for (const call of [{}, { tenant: a }, { browser }, { headers: { authorization: "Bearer wrong" } }]) {
			const answer = await world.call(path, call);
			expect([path, [401, 403, 404].includes(answer.status)]).toEqual([path, true]);
			expect(answer.text).not.toContain(a);
		}
	});
});

describe("built-in resolvers", () => {
	const at = (url: string) => ({ path: "/x", request: new Request(url) });
	const findTenantId = (name: string) => ({ acme: "tenant-acme", "login.acme.com": "tenant-acme" })[name];

	it("read the subdomain", async () => {
		const resolve = fromSubdomain({ domain: "App.example.com", findTenantId });
		expect(await resolve(at("https://acme.app.example.com:8443/x"))).toBe("tenant-acme");
		for (const url of [
			"https://app.example.com",
			"https://a.acme.app.example.com",
			"https://acme.evil.com",
			"https://acmeapp.example.com",
		])
			expect(await resolve(at(url))).toBeFalsy();
		// one label, whatever the application does with more
		const anything = fromSubdomain({ domain: "app.example.com", findTenantId: (slug) => slug });
		expect(await anything(at("https://a.acme.app.example.com"))).toBeNull();
		expect(await resolve({ path: "/x", headers: new Headers({ host: "ACME.app.example.com" }) })).toBe("tenant-acme");
		// the same host with a trailing dot
		expect(await resolve(at("https://acme.app.example.com.:8443/x"))).toBe("tenant-acme");
		expect(await resolve({ path: "/x", headers: new Headers({ host: "acme.app.example.com.:80" }) })).toBe(
			"tenant-acme",
		);
		expect(await resolve({ path: "/x", headers: new Headers({ host: "acme.app.example.com.." }) })).toBeNull();
		expect(
			await resolve({ path: "/x", headers: new Headers({ "x-forwarded-host": "acme.app.example.com" }) }),
		).toBeNull();
	});

	it("read the custom domain", async () => {
		const resolve = fromCustomDomain({ findTenantId });
		expect(await resolve(at("https://login.acme.com/x"))).toBe("tenant-acme");
		expect(await resolve(at("https://login.acme.com./x"))).toBe("tenant-acme");
		expect(await resolve(at("https://other.com/x"))).toBeUndefined();
	});

	it("read the path", async () => {
		const resolve = fromPath({ pattern: "/t/:tenant/", findTenantId });
		expect(await resolve(at("https://example.com/t/acme/api/auth/ok"))).toBe("tenant-acme");
		for (const path of ["/t/acme", "/t//x", "/x/t/acme/"])
			expect(await resolve(at(`https://example.com${path}`))).toBeFalsy();
		expect(() => fromPath({ pattern: "/t/", findTenantId })).toThrow(":tenant");
	});

	it("can be chained", async () => {
		const resolve = firstOf(fromCustomDomain({ findTenantId }), fromPath({ pattern: "/t/:tenant/", findTenantId }));
		expect(await resolve(at("https://example.com/t/acme/x"))).toBe("tenant-acme");
		expect(await resolve(at("https://example.com/x"))).toBeNull();
	});
});
