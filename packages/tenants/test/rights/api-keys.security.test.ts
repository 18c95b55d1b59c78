import { describe, expect, it } from "vitest";
import { createRightsWorld, type RightsWorld } from "./support/rights-world.ts";

const INVALID = [401, "INVALID_API_KEY"];

/** Everything that a request with an API key can do: act, change, and make new credentials. */
const uses: [string, object?][] = [
	["/get-session"],
	["/update-user", { name: "Changed" }],
	["/organization/create", { name: "Org", slug: "org" }],
	["/api-key/create", { name: "next" }],
	["/token"],
	["/one-time-token/generate"],
];

const outcomesOf = async ({ byKey }: RightsWorld, key: string) => {
	const outcomes = [];
	for (const [path, body] of uses) {
		const { status, code } = await byKey(path, key, body);
		outcomes.push([path, status, code]);
	}
	return outcomes;
};

const REFUSED = uses.map(([path]) => [path, ...INVALID]);

const isValid = async ({ world, a }: RightsWorld, key: string): Promise<boolean> => {
	const api = world.auth.api as unknown as {
		verifyApiKey: (call: { body: { key: string }; headers: Headers }) => Promise<{ valid: boolean }>;
	};
	return (await api.verifyApiKey({ body: { key }, headers: new Headers({ "x-tenant-id": a }) })).valid;
};

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["mysql", { database: "mysql" as const }],
	["Redis", { redis: true, storedKeys: true }],
])("an API key in %s", (_, where) => {
	const start = async () => {
		const rights = await createRightsWorld(where);
		const { world, b, inA, inB, keyOf } = rights;
		const key = await keyOf(inA.admin.browser);
		const neighbor = await keyOf(inB.admin.browser);
		const works = async () => [(await rights.byKey("/get-session", key)).status, await isValid(rights, key)];
		const neighborWorks = async () =>
			(await world.call("/get-session", { tenant: b, headers: { "x-api-key": neighbor } })).status;
		expect([await works(), await neighborWorks()]).toEqual([[200, true], 200]);
		return { ...rights, rights, key, works, neighborWorks };
	};

	// threat 163
	it("does nothing while its user is banned, and works again afterwards", async () => {
		const { rights, key, inA, operate, works, neighborWorks } = await start();
		await operate("ban", inA.admin);
		expect(await outcomesOf(rights, key)).toEqual(REFUSED);
		expect(await isValid(rights, key)).toBe(false);
		expect(await neighborWorks()).toBe(200);
		await operate("unban", inA.admin);
		expect(await works()).toEqual([200, true]);
	});

	// threat 163
	it.each(["remove", "erase"])("does nothing after %s", async (path) => {
		const { rights, key, inA, operate, neighborWorks } = await start();
		await operate(path, inA.admin);
		expect(await outcomesOf(rights, key)).toEqual(REFUSED);
		expect(await isValid(rights, key)).toBe(false);
		expect(await neighborWorks()).toBe(200);
	});

	// threat 163
	it("does nothing once its user has a lower role, and a new key does", async () => {
		const { rights, key, inA, operate, keyOf, works, neighborWorks } = await start();
		await operate("set-role", inA.admin, { role: "owner" });
		expect(await works()).toEqual([200, true]);
		await operate("set-role", inA.admin, { role: "member" });
		expect(await outcomesOf(rights, key)).toEqual(REFUSED);
		expect(await isValid(rights, key)).toBe(false);
		expect(await neighborWorks()).toBe(200);
		const next = await keyOf(inA.admin.browser);
		expect((await rights.byKey("/get-session", next)).json.user.role).toBe("member");
	});

	// threat 163
	it("does nothing once an invitation raised the role", async () => {
		const { rights, a, inA, keyOf, acceptAsOwner, neighborWorks } = await start();
		const planted = await keyOf(inA.member.browser);
		await acceptAsOwner(a, inA.member);
		expect(await outcomesOf(rights, planted)).toEqual(REFUSED);
		expect(await neighborWorks()).toBe(200);
	});

	// threat 163
	it("does nothing while its user lacks the second factor that the tenant requires", async () => {
		const { rights, world, a, key, works, neighborWorks } = await start();
		const requireFactor = (secondFactor: string) =>
			world.ok("/tenant/policy/update", { operator: true, body: { tenantId: a, policy: { secondFactor } } });
		await requireFactor("required");
		expect(await outcomesOf(rights, key)).toEqual(REFUSED);
		expect(await isValid(rights, key)).toBe(false);
		expect(await neighborWorks()).toBe(200);
		await requireFactor("optional");
		expect(await works()).toEqual([200, true]);
	});
});
