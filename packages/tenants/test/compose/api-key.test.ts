import { apiKey } from "@better-auth/api-key";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

type Verify = (input: {
	body: { key: string };
	headers?: Headers;
}) => Promise<{ valid: boolean; error: { code: string } | null; key: Record<string, unknown> | null }>;

const withKeys = async (database: "sqlite" | "postgres" = "sqlite") => {
	const plugin = apiKey({
		enableSessionForAPIKeys: true,
		enableMetadata: true,
		apiKeyHeaders: ["x-api-key", "x-machine"],
	});
	const world = await composedWorld([plugin], { database });
	const verify = (world.auth.api as object as { verifyApiKey: Verify }).verifyApiKey;
	const keyOf = async (tenant: string) => {
		const browser = await world.signUp(tenant, "ada@example.com");
		const body = { name: "build", prefix: "ci_", metadata: { team: "core" } };
		const { id, key } = (await world.ok("/api-key/create", { browser, body })).json;
		return { browser, id: id as string, key: key as string };
	};
	return { ...world, verify, ofA: await keyOf(world.a), ofB: await keyOf(world.b) };
};

describe.each(["sqlite", "postgres"] as const)("API keys on %s", (database) => {
	it("creates, verifies, lists, updates, rate-limits and deletes keys in two tenants", async () => {
		const { a, b, ok, verify, ofA, ofB, tenantsOf } = await withKeys(database);
		const found = await verify({ body: { key: ofA.key } });
		expect(found).toMatchObject({ valid: true, key: { id: ofA.id, metadata: { team: "core" } } });
		const listed = (await ok("/api-key/list", { browser: ofA.browser })).json;
		expect(listed.apiKeys.map(({ id }) => id)).toEqual([ofA.id]);
		const renamed = { keyId: ofA.id, name: "deploy" };
		expect((await ok("/api-key/update", { browser: ofA.browser, body: renamed })).json.name).toBe("deploy");

		// the plugin allows ten requests a day; each tenant has its own count
		const answers: unknown[] = [];
		for (let at = 0; at < 10; at++) answers.push((await verify({ body: { key: ofA.key } })).error?.code);
		expect(answers.at(-1)).toBe("RATE_LIMITED");
		expect((await verify({ body: { key: ofB.key } })).valid).toBe(true);

		await ok("/api-key/delete", { browser: ofA.browser, body: { keyId: ofA.id } });
		expect((await verify({ body: { key: ofA.key } })).error?.code).toBe("INVALID_API_KEY");
		expect(await tenantsOf("apikey")).toEqual([b]);
		expect(a).not.toBe(b);
	});

	it("resolves the tenant from a key alone, and nothing with a hint for another tenant", async () => {
		const { a, b, call, verify, ofA, ofB } = await withKeys(database);
		for (const [tenant, { key }] of [
			[a, ofA],
			[b, ofB],
		] as const) {
			for (const header of ["x-api-key", "x-machine"]) {
				const answer = await call("/get-session", { headers: { [header]: key } });
				expect(answer.json.user).toMatchObject({ tenantId: tenant, email: "ada@example.com" });
			}
			const other = tenant === a ? b : a;
			const refused = await call("/get-session", { tenant: other, headers: { "x-api-key": key } });
			expect([refused.code, refused.json.user]).toEqual(["INVALID_API_KEY", undefined]);
			const hinted = await verify({ body: { key }, headers: new Headers({ "x-tenant-id": other }) });
			expect([hinted.valid, hinted.key]).toEqual([false, null]);
			expect((await runWithTenant(other, () => verify({ body: { key } }))).valid).toBe(false);
			expect((await runWithTenant(tenant, () => verify({ body: { key } }))).valid).toBe(true);
		}
		expect((await verify({ body: { key: "x".repeat(64) } })).valid).toBe(false);
		const mixed = await call("/get-session", { browser: ofA.browser, headers: { "x-api-key": ofB.key } });
		expect([mixed.code, mixed.json.user]).toEqual(["INVALID_API_KEY", undefined]);
	});

	it("rejects the keys of a deleted tenant", async () => {
		const { a, call, ofA, tablesWith } = await withKeys(database);
		await call("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect((await call("/get-session", { headers: { "x-api-key": ofA.key } })).json.user).toBeUndefined();
		expect(await tablesWith(a)).toEqual([]);
	});
});
