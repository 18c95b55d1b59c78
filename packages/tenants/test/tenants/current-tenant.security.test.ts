import { twoFactor } from "better-auth/plugins/two-factor";
import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type Tenant, type TenantBranding, withTenants } from "../../src/index.ts";
import { fromSubdomain } from "../../src/resolvers.ts";
import { lifecycleWorld } from "../lifecycle/support/lifecycle-world.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

const PATH = "/tenant/current";
const PUBLIC = ["id", "slug", "name", "branding", "methods"];

const fail = (): never => {
	throw new Error("private");
};

describe("what a page may know", () => {
	// threat 150
	it("contains nothing of the metadata by default, for any caller", async () => {
		const world = await createWorld();
		const { newTenant, call } = world;
		const tenants = [await newTenant(), await newTenant()];
		for (const tenantId of tenants) {
			const metadata = { branding: { logo: "private branding" }, crm: { note: "private note" } };
			await world.auth.api.updateTenant({ body: { tenantId, metadata } });
		}
		const [a = "", b = ""] = tenants;
		const browser = await world.signUp(a, "ada@example.com");
		for (const options of [{}, { browser }, { operator: true }])
			for (const tenant of [a, b]) {
				const { json, text } = await call(PATH, { tenant, ...options });
				expect(text).not.toContain("private");
				expect([Object.keys(json), json.branding]).toEqual([PUBLIC, {}]);
			}
	});

	// threat 150
	it("contains text only, also if the application returns its whole metadata", async () => {
		const { at, auth, acme, globex } = await createHostedWorld({
			tenantAuth: {
				management: { keys: [MANAGEMENT_KEY] },
				branding: ({ metadata }) => metadata as TenantBranding | null,
			},
		});
		const metadata = {
			logo: "/acme.svg",
			seats: 5,
			crm: { note: "private note" },
			notes: ["private list"],
		};
		await auth.api.updateTenant({ body: { tenantId: acme, metadata } });
		const answer = await at("acme.localhost", PATH);
		expect(answer.json.branding).toEqual({ logo: "/acme.svg" });
		expect(answer.text).not.toContain("private");
		const other = await at("globex.localhost", PATH);
		expect([other.json.id, other.json.branding]).toEqual([globex, {}]);
	});

	// threat 151
	it("is the host's, whatever session, header and query a request carries, and no cache keeps it", async () => {
		const { at, acme, globex, signUpAt } = await createHostedWorld();
		const browser = await signUpAt("acme.localhost", "ada@example.com");
		const plain = await at("globex.localhost", PATH);
		expect(plain.json.id).toBe(globex);
		for (const options of [{ browser }, { tenant: acme }, { query: { tenantId: acme } }, { browser, tenant: acme }]) {
			const answer = await at("globex.localhost", PATH, options);
			expect([answer.status, answer.text]).toEqual([200, plain.text]);
			expect(answer.headers.getSetCookie()).toEqual([]);
			expect(answer.headers.get("cache-control")).toBe("no-store");
		}
		const nobody = await at("unknown.localhost", PATH, { browser, tenant: acme });
		expect([nobody.status, nobody.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});

	// threat 151
	it("does not change for other visitors if server code changes its copy", async () => {
		const { at, auth, acme, globex } = await createHostedWorld({
			tenantAuth: { tenantCache: { maxAge: 60 }, branding: ({ slug }) => ({ logo: `/${slug}.svg` }) },
		});
		for (const [host, id] of [
			["acme.localhost", acme],
			["globex.localhost", globex],
		] as const) {
			const before = await at(host, PATH);
			expect(before.json.id).toBe(id);
			const headers = new Headers({ host: `${host}:3000` });
			const first = await auth.api.getCurrentTenant({ headers });
			// a page that adds a greeting for its signed-in user
			Object.assign(first?.branding ?? {}, { greeting: "Hello, Ada", logo: "/ada.svg" });
			first?.methods.providers.push({ id: "other", name: "Other" });
			expect((await at(host, PATH)).text).toBe(before.text);
		}
	});

	// threat 152
	it("does not keep users from a second factor if branding throws for their tenant", async () => {
		const branding = ({ metadata }: Tenant) => ({ logo: String(metadata?.logo).replace("undefined", fail) });
		const resolveTenantId = fromSubdomain({ domain: "localhost" });
		const { at, auth, globex, signUpAt } = await createHostedWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, resolveTenantId, branding }, [twoFactor()]),
		});
		await auth.api.updateTenant({ body: { tenantId: globex, metadata: { logo: "/globex.svg" } } });
		for (const [slug, status] of [
			["acme", 500],
			["globex", 200],
		] as const) {
			const host = `${slug}.localhost`;
			const browser = await signUpAt(host, "ada@example.com");
			const enabled = await at(host, "/two-factor/enable", { browser, body: { password: PASSWORD } });
			expect(enabled.json.totpURI).toContain(`otpauth://totp/Tenant%20${slug}:`);
			const page = await at(host, PATH);
			expect([slug, page.status, page.text.includes("private")]).toEqual([slug, status, false]);
		}
	});

	// threat 107
	it("is only that the tenant is closed, if an operator closed it", async () => {
		const world = await lifecycleWorld();
		const { a, b } = world;
		const browser = await world.signUp(a, "ada@example.com");
		for (const tenant of [a, b]) expect((await world.call(PATH, { tenant })).json.id).toBe(tenant);
		await world.suspend(a);
		for (const options of [{ tenant: a }, { tenant: a, browser }, { browser }, { query: { tenantId: a } }]) {
			const answer = await world.call(PATH, options);
			expect([answer.status, Object.keys(answer.json)]).toEqual([403, ["message", "code"]]);
			expect(answer.code).toBe("TENANT_SUSPENDED");
		}
		expect((await world.call(PATH, { tenant: b })).json.id).toBe(b);
		await world.restore(a);
		expect((await world.call(PATH, { tenant: a })).json.id).toBe(a);
	});
});
