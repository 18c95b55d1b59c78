import { composedWorld } from "test-kit/composed-world";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantPolicy } from "../../src/policy.ts";

type Given = Parameters<typeof composedWorld>[1];

const world = async (defaults = {}, given: Given = {}) => {
	const made = await composedWorld([tenantPolicy({ defaults })], given);
	const read = (tenantId: string) => made.call("/tenant/policy/get", { operator: true, query: { tenantId } });
	const update = (tenantId: string, policy: unknown) =>
		made.call("/tenant/policy/update", { operator: true, body: { tenantId, policy } });
	return { ...made, read, update };
};

describe("the policy of a tenant", () => {
	// threat 116
	it("overrides the defaults in its tenant only, and null inherits again", async () => {
		const { a, b, read, update } = await world({ minPasswordLength: 10 });
		expect((await read(a)).json).toMatchObject({
			tenantId: a,
			effective: { minPasswordLength: 10, sessionMaxAge: false },
			own: {},
			updatedAt: null,
		});
		expect((await update(a, { minPasswordLength: 14, sessionMaxAge: 3600 })).status).toBe(200);
		expect((await read(a)).json.own).toEqual({ minPasswordLength: 14, sessionMaxAge: 3600 });
		expect((await read(b)).json).toMatchObject({ effective: { minPasswordLength: 10 }, own: {} });
		const changed = await update(a, { minPasswordLength: null });
		expect(changed.json).toMatchObject({
			effective: { minPasswordLength: 10, sessionMaxAge: 3600 },
			own: { sessionMaxAge: 3600 },
		});
		expect(changed.json.own).not.toHaveProperty("minPasswordLength");
	});

	// threat 116
	it.each(["sqlite", "postgres"] as const)("loses no parallel change (%s)", async (database) => {
		const { a, b, read, update, tenantsOf } = await world({}, { database });
		// of the first changes, the unique index decides; later ones are compared by their revision
		await Promise.all([update(a, { maxSessions: 7 }), update(a, { signUp: "closed" })]);
		const answers = await Promise.all([
			update(a, { minPasswordLength: 12 }),
			update(a, { sessionMaxAge: 600 }),
			update(b, { minPasswordLength: 9 }),
		]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect((await read(a)).json.own).toEqual({
			maxSessions: 7,
			signUp: "closed",
			minPasswordLength: 12,
			sessionMaxAge: 600,
		});
		expect((await read(b)).json.own).toEqual({ minPasswordLength: 9 });
		expect(await tenantsOf("tenantPolicy")).toEqual([a, b].sort());
	});

	it.each([
		[{ minPasswordLength: 0 }],
		[{ minPasswordLength: "12" }],
		[{ sessionMaxAge: 1 }],
		[{ minpasswordlength: 12 }],
		[JSON.parse('{"__proto__":{"minPasswordLength":12}}')],
	])("rejects %j", async (policy) => {
		const { a, update, tenantsOf } = await world();
		const answer = await update(a, policy);
		expect([answer.status, answer.code]).toEqual([400, "INVALID_POLICY"]);
		expect(await tenantsOf("tenantPolicy")).toEqual([]);
	});

	// threat 116
	it("is closed to users, and a missing tenant has none", async () => {
		const { a, b, call, signUp, update, read, tenantsOf } = await world();
		const ada = await signUp(a, "ada@example.com");
		for (const tenantId of [a, b, "missing"]) {
			const get = await call("/tenant/policy/get", { browser: ada, query: { tenantId } });
			const post = await call("/tenant/policy/update", { browser: ada, body: { tenantId, policy: { nonsense: 1 } } });
			expect([get.code, post.code]).toEqual(["TENANT_MANAGEMENT_NOT_ALLOWED", "TENANT_MANAGEMENT_NOT_ALLOWED"]);
			expect((await call("/tenant/policy/get", { query: { tenantId } })).status).toBe(401);
		}
		expect(await tenantsOf("tenantPolicy")).toEqual([]);
		for (const missing of ["missing", "platform"]) {
			expect((await read(missing)).code).toBe("TENANT_NOT_FOUND");
			expect((await update(missing, { minPasswordLength: 12 })).code).toBe("TENANT_NOT_FOUND");
		}
	});

	it("is deleted with its tenant", async () => {
		const { a, b, call, update, tablesWith, tenantsOf } = await world();
		await update(a, { minPasswordLength: 12 });
		await update(b, { minPasswordLength: 13 });
		expect((await call("/tenant/delete", { operator: true, body: { tenantId: a } })).status).toBe(200);
		expect(await tablesWith(a)).toEqual([]);
		expect(await tenantsOf("tenantPolicy")).toEqual([b]);
	});

	it("refuses to start without tenantAuth() before it, or with invalid defaults", async () => {
		await expect(createWorld({ allPlugins: [tenantPolicy()] })).rejects.toThrow(/withTenants/);
		expect(() => tenantPolicy({ defaults: { minPasswordLength: -1 } })).toThrow(/minPasswordLength/);
	});
});
