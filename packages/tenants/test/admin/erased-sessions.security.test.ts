import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isOlder } from "../../src/engine/check-versions.ts";
import { createAdministered } from "./support/administered.ts";

/** A storage that cannot list its keys, as applications have. */
const createStorage = () => {
	const entries = new Map<string, string>();
	return {
		entries,
		storage: {
			get: async (key: string) => entries.get(key) ?? null,
			set: async (key: string, value: string) => void entries.set(key, value),
			delete: async (key: string) => void entries.delete(key),
			getAndDelete: async () => null,
			increment: async () => 1,
		},
	};
};

// threat 153
describe("an erased user in a storage", () => {
	it("leaves no key with their id, and no session, listed or not", async () => {
		const { entries, storage } = createStorage();
		const { world, a, b, inA, inB, act } = await createAdministered({ engine: { secondaryStorage: storage } });
		const { member } = inA;
		const listKey = `tenant:${a}:active-sessions-${member.id}`;
		const list = entries.get(listKey) ?? "";
		const unlisted = new Browser();
		await world.ok("/sign-in/email", {
			tenant: a,
			browser: unlisted,
			body: { email: member.email, password: PASSWORD },
		});
		// two sign-ins at the same time overwrite each other's entry
		entries.set(listKey, list);
		expect((await act(inA.owner, "erase", member)).status).toBe(200);

		const keys = [...entries.keys()];
		expect(keys.filter((key) => key.includes(member.id))).toEqual([]);
		expect((await world.call("/get-session", { browser: member.browser })).json).toBeNull();
		expect((await world.call("/get-session", { browser: unlisted })).json).toBeNull();
		// the user of the other tenant with the same email, and others of this tenant
		for (const other of [inB.member, inA.other])
			expect((await world.call("/get-session", { browser: other.browser })).json.user.id).toBe(other.id);
		expect(keys).toContain(`tenant:${b}:active-sessions-${inB.member.id}`);
	});

	it("has the key that Better Auth gave it on the platform, as before tenants were added", async () => {
		const { entries, storage } = createStorage();
		const { world } = await createAdministered({ engine: { secondaryStorage: storage } });
		const browser = await world.signUp(undefined, "ada@example.com");
		const { user } = (await world.ok("/get-session", { browser })).json;
		await world.ok("/revoke-sessions", { browser, body: {} });
		const { version } = await world.auth.$context;
		const kept = isOlder(version, "1.7.18") ? [] : [`revoked-sessions-before-${user.id}`];
		expect([...entries.keys()].filter((key) => key.startsWith("revoked-"))).toEqual(kept);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});
});
