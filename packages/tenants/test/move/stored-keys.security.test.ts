import { apiKey } from "@better-auth/api-key";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { moveUsersToTenant, runWithTenant } from "../../src/index.ts";
import { sha256Text } from "../../src/lib/sha256.ts";

type Verify = (input: { body: { key: string } }) => Promise<{ valid: boolean }>;

const withStoredKeys = async (fallbackToDatabase: boolean) => {
	const world = await composedWorld(
		[apiKey({ storage: "secondary-storage", fallbackToDatabase, rateLimit: { enabled: false } })],
		{ redis: true },
	);
	const verify = (world.auth.api as object as { verifyApiKey: Verify }).verifyApiKey;
	const keyOf = async (tenant: string, name: string) => {
		const browser = await world.signUp(tenant, `${name}@example.com`);
		const { key, id: keyId } = (await world.ok("/api-key/create", { browser, body: { name: "build" } })).json;
		const { id } = (await world.whoami(browser)).user;
		const isValidIn = async (at: string) =>
			(await runWithTenant(at, () => verify({ body: { key: key as string } }))).valid;
		const hashed = await sha256Text(key as string);
		/** The keys of the storage that hold a copy in a tenant. */
		const copiesIn = async (at: string): Promise<string[]> =>
			(await world.redisKeys()).filter(
				(name) => name.includes(at) && [String(keyId), hashed].some((text) => name.endsWith(text)),
			);
		return { id: id as string, isValidIn, copiesIn };
	};
	const { a, b } = world;
	return { ...world, ada: await keyOf(a, "ada"), neighbor: await keyOf(a, "grace"), inB: await keyOf(b, "ada-b") };
};

// threat 82
it("a cached API key is valid only in the tenant that its user moved to", async () => {
	const { auth, a, b, ada, neighbor, inB } = await withStoredKeys(true);
	expect(await ada.isValidIn(a)).toBe(true);
	expect([await ada.copiesIn(a), await neighbor.copiesIn(a)]).toMatchObject([{ length: 2 }, { length: 2 }]);
	expect(await moveUsersToTenant(auth, { from: a, to: b, userIds: [ada.id] })).toMatchObject({ moved: 1 });
	expect([await ada.copiesIn(a), await neighbor.copiesIn(a)]).toMatchObject([{ length: 0 }, { length: 2 }]);
	expect([await ada.isValidIn(a), await ada.isValidIn(b)]).toEqual([false, true]);
	expect([await neighbor.isValidIn(a), await neighbor.isValidIn(b)]).toEqual([true, false]);
	expect(await inB.isValidIn(b)).toBe(true);
});

it("an API key that is only in the storage prevents the move", async () => {
	const { auth, a, b, ada } = await withStoredKeys(false);
	const { moved, collisions } = await moveUsersToTenant(auth, { from: a, to: b, userIds: [ada.id] });
	expect([moved, collisions]).toMatchObject([0, [{ userId: ada.id, code: "API_KEY_NOT_IN_DATABASE" }]]);
	expect(await ada.isValidIn(a)).toBe(true);
});
