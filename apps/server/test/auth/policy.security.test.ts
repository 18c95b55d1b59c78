import { afterEach, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkSchema } from "../../src/schema/schema-check.ts";
import { makeWorld, PASSWORD } from "./world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const KEY = "management-key-of-the-service-0123456789";
const operator = { authorization: `Bearer ${KEY}` };

// threat 114
it("holds in its tenant, in all processes, and without it there is neither endpoint nor table", async () => {
	const world = await makeWorld({
		TENANT_POLICY: "true",
		TENANT_POLICY_DEFAULTS: '{"minPasswordLength":9}',
		TENANT_CACHE_MAX_AGE: "0",
		MANAGEMENT_KEYS: KEY,
	});
	closers.push(world.close);
	expect(await checkSchema(world.auth, world.pool)).toEqual([]);
	const other = world.open({});
	const { acme, globex } = world;
	for (const { id } of [acme, globex]) await world.signUp(id, "ada@example.com");
	const set = (tenantId: string, policy: object) =>
		world.call("/tenant/policy/update", { body: { tenantId, policy }, headers: operator });
	expect((await set(acme.id, { methods: ["passkey"], minPasswordLength: 30 })).status).toBe(200);
	const body = { email: "ada@example.com", password: PASSWORD };
	for (const process of [world, other]) {
		const refused = await process.call("/sign-in/email", { tenant: acme.id, body });
		expect([refused.status, refused.json.code]).toEqual([403, "SIGN_IN_METHOD_NOT_ALLOWED"]);
		expect((await process.call("/sign-in/email", { tenant: globex.id, body })).status).toBe(200);
	}
	// the address is the one that the server found, not one that a caller sends
	await set(acme.id, { methods: null, ipRanges: ["192.0.2.0/24"] });
	expect((await other.call("/sign-in/email", { tenant: acme.id, body })).status).toBe(200);
	await set(acme.id, { ipRanges: ["198.51.100.0/24"] });
	const headers = { "x-forwarded-for": "198.51.100.7" };
	expect((await other.call("/sign-in/email", { tenant: acme.id, body, headers })).json.code).toBe(
		"IP_ADDRESS_NOT_ALLOWED",
	);
	const off = world.open({ TENANT_POLICY: "false", TENANT_POLICY_DEFAULTS: "" });
	expect((await off.call(`/tenant/policy/get?tenantId=${acme.id}`, { headers: operator })).status).toBe(404);
	expect(Object.keys((await off.auth.$context).tables)).not.toContain("tenantPolicy");
});

it.each([
	["{", /not JSON/],
	['{"minPasswordLength":-1}', /minPasswordLength/],
	['{"unknown":1}', /unknown rule/],
])("refuses to start with the defaults %s", (defaults, reason) => {
	const environment = {
		AUTH_URL: "http://auth.example.com",
		AUTH_SECRET: "test-secret-of-32-characters-or-more",
		DATABASE_URL: "postgres://localhost/test",
		REQUIRE_EMAIL_VERIFICATION: "false",
		TENANT_POLICY_DEFAULTS: defaults,
	};
	expect(() => readConfig({ ...environment, TENANT_POLICY: "true" })).toThrow(reason);
	expect(() => readConfig(environment)).toThrow(/TENANT_POLICY=true/);
});

it("reads who counts as an administrator, and the time to set up a second factor", () => {
	const environment = {
		AUTH_URL: "http://auth.example.com",
		AUTH_SECRET: "test-secret-of-32-characters-or-more",
		DATABASE_URL: "postgres://localhost/test",
		REQUIRE_EMAIL_VERIFICATION: "false",
		TENANT_POLICY: "true",
	};
	const secondFactorWith = (more: object) => readConfig({ ...environment, ...more }).policy?.secondFactor;
	expect(secondFactorWith({})).toEqual({ adminRoles: ["owner", "admin"], pendingMaxAge: 900 });
	const set = { SECOND_FACTOR_ADMIN_ROLES: "owner, auditor", SECOND_FACTOR_PENDING_MAX_AGE: "120" };
	expect(secondFactorWith(set)).toEqual({ adminRoles: ["owner", "auditor"], pendingMaxAge: 120 });
	expect(() => secondFactorWith({ SECOND_FACTOR_ADMIN_ROLES: "," })).toThrow(/SECOND_FACTOR_ADMIN_ROLES names no role/);
	expect(() => secondFactorWith({ SECOND_FACTOR_PENDING_MAX_AGE: "59" })).toThrow(/60 to 86400/);
});
