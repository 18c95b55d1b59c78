import { admin } from "better-auth/plugins/admin";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isOlder } from "../../src/engine/check-versions.ts";
import { moveUsersToTenant } from "../../src/index.ts";
import { sha256Text } from "../../src/lib/sha256.ts";

type Entry = { value: string; ttl: number | undefined };

/** A storage that cannot list its keys, as applications have. */
const createStorage = () => {
	const entries = new Map<string, Entry>();
	return {
		entries,
		storage: {
			get: async (key: string) => entries.get(key)?.value ?? null,
			set: async (key: string, value: string, ttl?: number) => void entries.set(key, { value, ttl }),
			delete: async (key: string) => void entries.delete(key),
			getAndDelete: async () => null,
			increment: async () => 1,
		},
	};
};

/** Ada has two sessions in tenant a. The list has lost the second, as after two parallel sign-ins. */
const createUnlisted = async (expiresIn?: number) => {
	const { entries, storage } = createStorage();
	const world = await composedWorld([admin({ impersonationSessionDuration: 3_000_000 })], {
		engine: { secondaryStorage: storage, ...(expiresIn ? { session: { expiresIn } } : {}) },
	});
	const { a, b } = world;
	const listed = await world.signUp(a, "ada@example.com");
	const { id } = (await world.whoami(listed)).user;
	const listKey = `tenant:${a}:active-sessions-${id}`;
	const before = entries.get(listKey);
	const unlisted = new Browser();
	await world.ok("/sign-in/email", {
		tenant: a,
		browser: unlisted,
		body: { email: "ada@example.com", password: PASSWORD },
	});
	if (!before) throw new Error(`no ${listKey}`);
	entries.set(listKey, before);
	const neighbors = [await world.signUp(a, "grace@example.com"), await world.signUp(b, "grace@example.com")];
	const emailOf = async (browser: Browser) => (await world.whoami(browser.copy()))?.user.email;
	const { version } = await world.auth.$context;
	const markers = () => [...entries].filter(([key]) => key.includes("revoked-sessions-before-"));
	return { world, a, b, id, listed, unlisted, neighbors, emailOf, version, markers, entries };
};

// threat 82
describe("a session that is missing in the storage's list", () => {
	it("ends with a move, with a version of Better Auth that can revoke it", async () => {
		const { world, a, b, id, listed, unlisted, neighbors, emailOf, version } = await createUnlisted();
		expect(await emailOf(unlisted)).toBe("ada@example.com");
		await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [id] });
		expect(await emailOf(listed)).toBeUndefined();
		expect(await emailOf(unlisted)).toBe(isOlder(version, "1.7.18") ? "ada@example.com" : undefined);
		for (const neighbor of neighbors) expect(await emailOf(neighbor)).toBe("grace@example.com");

		// sessions of the new tenant are not affected, nor are new ones after a return
		for (const [from, to] of [
			[a, b],
			[b, a],
		] as const) {
			if (to === a) await moveUsersToTenant(world.auth, { from, to, userIds: [id] });
			const again = new Browser();
			await world.ok("/sign-in/email", {
				tenant: to,
				browser: again,
				body: { email: "ada@example.com", password: PASSWORD },
			});
			expect(await emailOf(again)).toBe("ada@example.com");
		}
	});

	it.each([undefined, 5_000_000])(
		"is revoked as Better Auth does it: the move writes the time under the same key, with expiresIn %s",
		async (expiresIn) => {
			const { world, a, b, id, listed, markers, version, entries } = await createUnlisted(expiresIn);
			const startedAt = Date.now();
			await world.ok("/revoke-sessions", { browser: listed, body: {} });
			const theirs = markers();
			for (const [key] of theirs) entries.delete(key);
			await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [id] });
			const ours = markers();
			const expected = [`tenant:${a}:revoked-sessions-before-${await sha256Text(id)}`, expiresIn ?? 3_000_000];
			const named = (found: typeof ours) => found.map(([key, { ttl }]) => [key, ttl]);
			expect(named(ours)).toEqual([expected]);
			// an older version has no such key; a newer one that renames it fails here
			expect(named(theirs)).toEqual(isOlder(version, "1.7.18") ? [] : [expected]);
			for (const [, { value }] of [...ours, ...theirs]) {
				expect(Number(value)).toBeGreaterThanOrEqual(startedAt);
				expect(Number(value)).toBeLessThanOrEqual(Date.now());
			}
		},
	);

	it("keeps a later time that is already stored", async () => {
		const { world, a, b, id, markers, entries } = await createUnlisted();
		const later = String(Date.now() + 60_000);
		entries.set(`tenant:${a}:revoked-sessions-before-${await sha256Text(id)}`, { value: later, ttl: 60 });
		await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [id] });
		expect(markers().map(([, { value }]) => value)).toEqual([later]);
	});

	it("leaves no time behind if its tenant is deleted", async () => {
		const { world, a, markers } = await createUnlisted();
		await world.ok("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect(markers()).toEqual([]);
	});
});
