import { describe, expect, it, vi } from "vitest";
import {
	readSessionList,
	readSessionTokens,
	revocationTtl,
	revokeSessions,
} from "../../src/scope/sessions/stored-sessions.ts";

describe("a list of sessions in the storage", () => {
	it("is read from a text or a value, without entries that are none", () => {
		const list = [{ token: "one", expiresAt: "17" }, { token: 2 }, null, "three", { expiresAt: 4 }];
		for (const stored of [list, JSON.stringify(list)]) {
			expect(readSessionList(stored)).toEqual([{ token: "one", expiresAt: 17 }]);
			expect(readSessionTokens(stored)).toEqual(["one"]);
		}
	});

	it("is empty if it is something else", () => {
		for (const stored of [null, undefined, "", "not JSON", "{}", {}, 17, "null"])
			expect(readSessionList(stored)).toEqual([]);
	});
});

describe("the end of a user's sessions in the storage", () => {
	const WEEK = 604_800;

	it("is kept as long as the longest session can last", () => {
		const admin = (impersonationSessionDuration: unknown) => ({
			id: "admin",
			options: { impersonationSessionDuration },
		});
		expect(revocationTtl({})).toBe(WEEK);
		expect(revocationTtl({ session: { expiresIn: 0 } })).toBe(WEEK);
		expect(revocationTtl({ session: { expiresIn: 60 } })).toBe(86_400);
		expect(revocationTtl({ session: { expiresIn: 2 * WEEK } })).toBe(2 * WEEK);
		expect(revocationTtl({ plugins: [{ id: "other", options: { impersonationSessionDuration: 9 * WEEK } }] })).toBe(
			WEEK,
		);
		expect(revocationTtl({ plugins: [admin(3 * WEEK)] })).toBe(3 * WEEK);
		expect(revocationTtl({ plugins: [admin("never")] })).toBe(WEEK);
	});

	it("never moves back, in each tenant", async () => {
		const stored = new Map<string, string>();
		const storage = {
			get: async (key: string) => stored.get(key) ?? null,
			set: async (key: string, value: string, ttl?: number) => {
				expect(ttl).toBe(60);
				stored.set(key, value);
			},
		};
		const revoke = (tenantId: string) => revokeSessions(storage as never, { tenantId, userId: "ada", ttl: 60 });
		vi.useFakeTimers({ now: 1_000 });
		try {
			await revoke("acme");
			await revoke("globex");
			vi.setSystemTime(500);
			await revoke("acme");
			expect([...stored.values()]).toEqual(["1000", "1000"]);
			vi.setSystemTime(2_000);
			await revoke("acme");
			expect([...stored.values()]).toEqual(["2000", "1000"]);
		} finally {
			vi.useRealTimers();
		}
	});
});
