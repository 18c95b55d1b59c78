import { describe, expect, it } from "vitest";
import { revocationKey } from "../../src/engine/revocation-time.ts";
import { runWithTenant } from "../../src/index.ts";
import { derivedValue } from "../../src/scope/data/derived-value.ts";
import { rowById, rowsById } from "../../src/scope/data/rows-by-id.ts";
import { engineKey, scopeStorage, storageKey, storagePrefix } from "../../src/scope/data/storage.ts";
import { readTables } from "../../src/scope/data/tables.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { createTenantContext } from "../../src/scope/pin/tenant-context.ts";
import { createSecretVersions } from "../../src/scope/secrets/secret-versions.ts";
import { createTenantSecrets, type TenantSecrets } from "../../src/scope/secrets/secrets.ts";

const CONFIG = {
	keys: new Map([
		[1, "first"],
		[2, "second"],
	]),
	currentVersion: 2,
};
const base = (secretConfig: TenantSecrets["secretConfig"] = "second"): TenantSecrets => ({
	secret: "second",
	secretConfig,
});

describe("the secrets of a tenant", () => {
	it("differ from those of another tenant and of the platform, and stay the same", async () => {
		const secrets = createTenantSecrets(base());
		const [a, b, platform] = [await secrets("acme"), await secrets("globex"), await secrets(PLATFORM)];
		expect(platform).toEqual(base());
		expect(new Set([a.secret, b.secret, platform.secret]).size).toBe(3);
		expect(a.secretConfig).toBe(a.secret);
		expect(await secrets("acme")).toBe(a);
		expect(await createTenantSecrets(base())("acme")).toEqual(a);
		expect((await createTenantSecrets({ ...base(), secret: "other" })("acme")).secret).not.toBe(a.secret);
	});

	it("include one for each configured version, and for the one before versions", async () => {
		const of = async (tenantId: string, legacy?: string) => {
			const config = { ...CONFIG, ...(legacy ? { legacySecret: legacy } : {}) };
			const { secretConfig } = await createTenantSecrets(base(config))(tenantId);
			if (typeof secretConfig === "string") throw new Error("one secret only");
			return secretConfig;
		};
		const a = await of("acme", "legacy");
		const b = await of("globex", "legacy");
		expect([...a.keys.keys(), a.currentVersion]).toEqual([1, 2, 2]);
		const all = [a, b].flatMap(({ keys, legacySecret }) => [...keys.values(), legacySecret]);
		expect(new Set([...all, "first", "second", "legacy", undefined]).size).toBe(10);
		expect("legacySecret" in (await of("acme"))).toBe(false);
	});

	it("sign with another one after sessions were ended, and open what was encrypted before", async () => {
		let since: number | null = null;
		const ended: string[] = [];
		const secrets = createTenantSecrets(base(), async (tenantId) => {
			ended.push(tenantId);
			return tenantId === "acme" ? since : null;
		});
		const before = { a: await secrets("acme"), b: await secrets("globex") };
		const seen = new Set([before.a.secret]);
		for (since of [0, 17, 18]) {
			const after = await secrets("acme");
			expect(seen.has(after.secret)).toBe(false);
			seen.add(after.secret);
			expect(after.secretConfig).toBe(before.a.secretConfig);
			expect(await secrets("globex")).toBe(before.b);
		}
		await secrets(PLATFORM);
		expect(new Set(ended)).toEqual(new Set(["acme", "globex"]));
	});
});

describe("the versions of a tenant's secrets", () => {
	it("are not read if there is one secret only", () => {
		const one = { ...CONFIG, keys: new Map([[2, "second"]]) };
		for (const config of ["second", one, { ...one, legacySecret: "second" }])
			expect(createSecretVersions(base(config), createTenantSecrets(base(config)))).toBeNull();
	});

	it("verify with all others, of the tenant or of the platform, and are imported once", async () => {
		const config = { ...CONFIG, legacySecret: "legacy" };
		const versions = createSecretVersions(base(config), createTenantSecrets(base(config)), async () => null);
		const [a, b, platform] = [await versions?.("acme"), await versions?.("globex"), await versions?.(PLATFORM)];
		for (const keys of [a, b, platform]) expect(keys?.others).toHaveLength(2);
		expect(await versions?.("acme")).toBe(a);
		expect(a?.current).not.toBe(platform?.current);
	});
});

describe("a key of the storage", () => {
	it("belongs to one tenant, and the platform's keys look like no tenant's", () => {
		expect(storageKey("acme", "x")).toBe("tenant:acme:x");
		expect(storageKey(PLATFORM, "x")).toBe("x");
		expect(storageKey(PLATFORM, "tenant:acme:x")).toBe("platform:tenant:acme:x");
		expect(storageKey(PLATFORM, "platform:x")).toBe("platform:platform:x");
		expect(storageKey(PLATFORM, "my-platform:")).toBe("my-platform:");
		expect(storagePrefix("acme")).toBe("tenant:acme:");
		expect(() => storagePrefix(PLATFORM)).toThrow("no prefix");
	});

	it("names no deleted user of a tenant", async () => {
		const key = revocationKey("ada");
		const [a, b, platform] = [
			await engineKey("acme", key),
			await engineKey("globex", key),
			await engineKey(PLATFORM, key),
		];
		expect([a.startsWith("tenant:acme:"), a.includes("ada"), b.startsWith("tenant:globex:")]).toEqual([
			true,
			false,
			true,
		]);
		expect(platform).toBe(key);
		expect(await engineKey("acme", "x")).toBe("tenant:acme:x");
	});

	it("is the tenant's for every method, in a tenant that is open", async () => {
		const METHODS = ["get", "getAndDelete", "set", "delete", "increment"] as const;
		const called: unknown[] = [];
		const answer =
			(name: string) =>
			async (...given: unknown[]) =>
				called.push([name, ...given]);
		const storage = Object.fromEntries(METHODS.map((name) => [name, answer(name)]));
		let isOpen = true;
		const scoped = scopeStorage(storage as never, createTenantContext(), () =>
			isOpen ? undefined : Promise.reject(new Error("closed")),
		);
		const calls = [
			() => scoped.get("x"),
			() => scoped.getAndDelete("x"),
			() => scoped.set("x", "value", 60),
			() => scoped.delete("x"),
			() => scoped.increment("x", 60),
		];
		const more: Record<string, unknown[]> = { set: ["value", 60], increment: [60] };
		for (const tenantId of ["acme", "globex"]) {
			called.length = 0;
			for (const call of calls) await runWithTenant(tenantId, call);
			expect(called).toEqual(METHODS.map((name) => [name, `tenant:${tenantId}:x`, ...(more[name] ?? [])]));
		}
		isOpen = false;
		called.length = 0;
		for (const call of calls) await expect(runWithTenant("acme", call)).rejects.toThrow("closed");
		expect(called).toEqual([]);
	});
});

describe("a derived value", () => {
	it("names the tenant, and is short enough for every database", async () => {
		const of = (tenantId: string, value: unknown, isReference = false) =>
			derivedValue({ field: "x", isReference }, tenantId, value);
		expect(await of("acme", "ada")).toBe("acme:ada");
		expect(await of("acme", "a".repeat(250))).toBe(`acme:${"a".repeat(250)}`);
		expect(await of("acme", "a".repeat(251))).toMatch(/^acme:#[\w-]{43}$/);
		expect(await of("acme", "ada", true)).toMatch(/^[\w-]{36}$/);
		expect(await of("globex", "ada", true)).not.toBe(await of("acme", "ada", true));
	});
});

describe("conditions for rows by their ids", () => {
	it("always name the tenant", () => {
		const own = { field: "tenantId", value: "acme" };
		const ids = { field: "id", value: ["1"], operator: "in" };
		expect(rowsById("acme", ["1"], { byKeyOnly: false })).toEqual([ids, own]);
		expect(rowsById("acme", ["1"], { byKeyOnly: true })).toEqual([
			ids,
			{ ...own, connector: "OR" },
			{ field: "tenantId", value: "acme ", operator: "contains", connector: "OR" },
		]);
		expect(rowById("acme", "1")).toEqual([{ field: "id", value: "1" }, own]);
	});
});

describe("the description of the tables", () => {
	const field = (more: object = {}) => ({ type: "string" as const, ...more });
	const references = (model: string) => field({ references: { model, field: "id" } });
	const schema = {
		user: {
			modelName: "people",
			fields: { email: field({ unique: true }), name: field(), tenantUnique_username: field() },
		},
		session: {
			modelName: "session",
			fields: { userId: references("people"), tenantId: references("tenant"), odd: references("gone") },
		},
		resource: { modelName: "resource", fields: { tenantUnique_identifier: field() } },
		grant: {
			modelName: "grants",
			fields: { resource: field({ references: { model: "resource", field: "tenantUnique_identifier" } }) },
		},
		copy: { modelName: "copy", fields: { tenantUnique_identifier: references("resource") } },
		other: {
			modelName: "others2",
			fields: { x: field({ references: { model: "people", field: "tenantUnique_username" } }) },
		},
		rateLimit: { modelName: "rateLimit", fields: { key: field() } },
		tenant: { modelName: "tenant", fields: {} },
	};
	const tables = readTables(schema as never);

	it("finds a table by every name", () => {
		for (const name of ["user", "users", "people", "peoples"]) expect(tables(name).key).toBe("user");
		expect(() => tables("nowhere")).toThrow('"nowhere" is not a table of this schema');
	});

	it("prefers a key to the name of another table", () => {
		const named = readTables({
			user: { modelName: "accounts", fields: {} },
			account: { modelName: "user", fields: {} },
			users: { modelName: "x", fields: {} },
		} as never);
		expect(["user", "account", "users", "accounts"].map((name) => named(name).key)).toEqual([
			"user",
			"account",
			"users",
			"account",
		]);
	});

	it("scopes every table, except the closed one and those without tenants", () => {
		expect(["user", "rateLimit", "tenant"].map((name) => tables(name).scope)).toEqual(["tenant", "global", "closed"]);
	});

	it("names fields that identify a row, and those that reference one of the tenant", () => {
		expect(tables("user").uniqueFields).toEqual(new Set(["id", "email"]));
		expect(tables("session").uniqueFields).toEqual(new Set(["id"]));
		// neither the tenant itself, nor a table that is not there
		expect(tables("session").references).toEqual([{ field: "userId", model: "user", target: "id" }]);
	});

	it("names fields with a derived column, and which of them a foreign key is on", () => {
		expect(tables("user").derived).toEqual([{ field: "username", isReference: true }]);
		expect(tables("resource").derived).toEqual([{ field: "identifier", isReference: true }]);
		expect(tables("copy").derived).toEqual([{ field: "identifier", isReference: true }]);
		const alone = readTables({ user: { modelName: "user", fields: { tenantUnique_username: field() } } } as never);
		expect(alone("user").derived).toEqual([{ field: "username", isReference: false }]);
	});
});
