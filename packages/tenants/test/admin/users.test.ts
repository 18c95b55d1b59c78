import { describe, expect, it } from "vitest";
import { verifyErasure } from "../../src/admin.ts";
import { nextCursor } from "../../src/index.ts";
import { createAdministered } from "./support/administered.ts";

describe.each(["sqlite", "postgres", "mysql"] as const)("the list of users, on %s", (database) => {
	it("finds users by the beginning of the email or the name, page by page, in one tenant", async () => {
		const { world, a, b, inA } = await createAdministered({ database });
		const names = ["Ada", "Ada", "Ada", "Ada B", "Ada-C", "Ada😀", "Adaé", "Bob", "Zoë", "Z%_"];
		for (const tenantId of [a, b])
			for (const [index, name] of names.entries())
				await world.ok("/tenant/user/create", {
					operator: true,
					body: { tenantId, email: `person.${index}@example.com`, name },
				});
		const all = async (query: Record<string, string>): Promise<[string, string][]> => {
			const found: [string, string][] = [];
			for (let cursor: string | null = ""; cursor !== null; ) {
				const page = await world.ok("/tenant/user/list", {
					browser: inA.admin.browser,
					query: { tenantId: a, limit: "2", ...query, ...(cursor ? { cursor } : {}) },
				});
				const users = page.json as unknown as { email: string; name: string; id: string }[];
				expect(users.length).toBeLessThanOrEqual(2);
				found.push(...users.map(({ email, name }): [string, string] => [email, name]));
				cursor = nextCursor(page.headers);
			}
			return found;
		};
		const everyone = await all({});
		expect(everyone).toHaveLength(14);
		expect(new Set(everyone.map(([email]) => email)).size).toBe(14);
		expect((await all({ email: "Person." })).map(([email]) => email)).toEqual(
			names.map((_, index) => `person.${index}@example.com`),
		);
		expect(await all({ email: "person.7" })).toEqual([["person.7@example.com", "Bob"]]);
		expect(await all({ email: "nobody" })).toEqual([]);
		const byName = async (name: string) => (await all({ name })).map(([, found]) => found).sort();
		// everyone who signed up in these tests is called Ada, too
		expect(await byName("Ada")).toEqual(
			[...Array(4).fill("Ada"), ...names.filter((name) => name.startsWith("Ada"))].sort(),
		);
		expect(await byName("Ada ")).toEqual(["Ada B"]);
		expect(await byName("Zo")).toEqual(["Zoë"]);
		// wildcards of LIKE are text
		expect(await byName("Z%")).toEqual(["Z%_"]);
		expect(await byName("%")).toEqual([]);
		const both = { tenantId: a, email: "a", name: "a" };
		expect((await world.call("/tenant/user/list", { operator: true, query: both })).status).toBe(400);
		const odd = { tenantId: a, cursor: btoa("[1]") };
		expect((await world.call("/tenant/user/list", { operator: true, query: odd })).code).toBe("INVALID_CURSOR");
	});
});

describe.each([
	["sqlite", false],
	["postgres", false],
	["postgres", true],
	["mysql", false],
] as const)("one user, on %s, with Redis: %s", (database, redis) => {
	it("is shown and exported without secrets, and erased with a signed record", async () => {
		const { world, a, b, inA, inB, act, read } = await createAdministered({ database, redis });
		const { member } = inA;
		const body = { password: "correct horse battery" };
		await world.ok("/two-factor/enable", { browser: member.browser, body });
		await world.call("/request-password-reset", { tenant: a, body: { email: member.email, redirectTo: "/" } });
		const shown = await read(inA.admin, "get", member);
		expect(shown.json).toMatchObject({
			id: member.id,
			role: "member",
			accounts: [{ providerId: "credential", accountId: member.id }],
			secondFactors: ["totp"],
		});
		expect((shown.json as unknown as { sessions: unknown[] }).sessions).toHaveLength(1);
		const exported = await read(inA.owner, "export", member);
		const { tables } = exported.json as unknown as { tables: Record<string, Record<string, unknown>[]> };
		expect(Object.keys(tables)).toEqual(expect.arrayContaining(["user", "account", "twoFactor"]));
		const stored = [
			...(await world.database.query(`select "password" as "value" from "account"`)),
			...(await world.database.query(`select "secret" as "value" from "twoFactor"`)),
			...(await world.database.query(`select "backupCodes" as "value" from "twoFactor"`)),
			...(redis ? [] : await world.database.query(`select "token" as "value" from "session"`)),
		];
		for (const { value } of stored) for (const { text } of [shown, exported]) expect(text).not.toContain(String(value));

		const erased = await act(inA.owner, "erase", member);
		expect([erased.status, erased.text]).toEqual([200, expect.stringContaining("record")]);
		const { erasure, record } = erased.json as unknown as { erasure: Record<string, unknown>; record: string };
		expect(erasure).toMatchObject({
			tenantId: a,
			userId: member.id,
			by: `user:${inA.owner.id}`,
			rows: { user: 1, account: 1, twoFactor: 1, ...(redis ? {} : { session: 1 }) },
			sessions: 1,
			verifications: 1,
			kept: ["audit:user:erase"],
		});
		expect(JSON.stringify(erasure)).not.toContain("member@example.com");
		expect(await verifyErasure(world.auth, record)).toEqual(erasure);
		expect(await verifyErasure(world.auth, `${record.slice(0, -4)}AAAA`)).toBeNull();
		// nothing of the user is left, and the other tenant's user with the same email keeps everything
		for (const table of ["user", "account", "twoFactor", "session", "verification"]) {
			if (redis && (table === "session" || table === "verification")) continue;
			const rows = await world.database.query(`select * from "${table}"`);
			expect(JSON.stringify(rows.filter((row) => row.tenantId === a))).not.toContain(member.id);
		}
		expect((await world.redisKeys()).join(" ")).not.toContain(member.id);
		expect((await world.call("/get-session", { browser: member.browser })).json).toBeNull();
		expect((await world.call("/get-session", { browser: inB.member.browser })).json?.user.id).toBe(inB.member.id);
		expect((await read(inB.admin, "get", inB.member, b)).json).toMatchObject({ email: "member@example.com" });
	});

	it("loses the second factor, or sessions, when an admin says so", async () => {
		const { world, a, inA, act, read } = await createAdministered({ database, redis });
		const { member } = inA;
		await world.ok("/two-factor/enable", { browser: member.browser, body: { password: "correct horse battery" } });
		const reset = await act(inA.admin, "reset-second-factor", member);
		expect(reset.json).toMatchObject({ id: member.id, twoFactorEnabled: false });
		expect((await read(inA.admin, "get", member)).json).toMatchObject({ secondFactors: [], sessions: [] });
		expect((await world.call("/get-session", { browser: member.browser })).json).toBeNull();
		const sign = { tenant: a, body: { email: inA.other.email, password: "correct horse battery" } };
		await world.ok("/sign-in/email", sign);
		const sessions = async () =>
			((await read(inA.admin, "get", inA.other)).json as unknown as { sessions: { id: string }[] }).sessions;
		const [first, second] = await sessions();
		expect((await act(inA.admin, "end-sessions", inA.other, { sessionId: first?.id })).status).toBe(200);
		expect((await sessions()).map(({ id }) => id)).toEqual([second?.id]);
		// a session of another user has no effect here
		const [owners] = ((await read(inA.admin, "get", inA.owner)).json as unknown as { sessions: { id: string }[] })
			.sessions;
		expect((await act(inA.admin, "end-sessions", inA.other, { sessionId: owners?.id })).status).toBe(200);
		expect((await world.call("/get-session", { browser: inA.owner.browser })).json?.user.id).toBe(inA.owner.id);
		expect((await act(inA.admin, "end-sessions", inA.other)).status).toBe(200);
		expect(await sessions()).toEqual([]);
	});
});
